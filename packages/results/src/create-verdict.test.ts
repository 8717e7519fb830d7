import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { observation, violation } from "./testing/sample-verdicts.ts";
import { toPositiveCount } from "./positive-count.ts";
import { type JudgedRule, maxReportedFindings, collectNotes, createVerdict } from "./create-verdict.ts";
import type { RuleVerdict, Verdict } from "./verdict.ts";

const judged = (changes: Partial<JudgedRule>): JudgedRule => ({
  basis: "stated",
  findings: [],
  observations: 1,
  strict: false,
  ...changes,
});
const blockedByLimit = { kind: "limit", missing: "a line over the limit" } as const;
const violated = { outcome: "failed", findings: [violation], moreFindings: 0 } as const;
const noToken = { kind: "prerequisite", missing: "no token" } as const;

test.each([
  [0, undefined],
  [-1, undefined],
  [0.5, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [1, 1],
  [1_000_000, 1_000_000],
])("a count of %s is %s as a positive count", (count, expected) => {
  expect(toPositiveCount(count)).toBe(expected);
});

describe("a violation by basis", () => {
  test.each<[RuleVerdict["basis"], boolean, string]>([
    ["stated", false, "failed"],
    ["schema", false, "failed"],
    ["derived", false, "failed"],
    ["inferred", false, "warned"],
    ["observed", false, "passed"],
    ["stated", true, "failed"],
    ["schema", true, "failed"],
    ["derived", true, "failed"],
    ["inferred", true, "failed"],
    ["observed", true, "passed"],
  ])("%s, strict %s: %s", (basis, strict, outcome) => {
    expect(createVerdict(judged({ basis, strict, findings: [violation] })).outcome).toBe(outcome);
  });
});

test.each<[string, Partial<JudgedRule>, string]>([
  ["checked without findings", {}, "passed"],
  ["never checked", { observations: 0 }, "not-tested"],
  ["a permitted choice is no violation", { findings: [observation] }, "passed"],
  ["a permitted choice is no observation", { findings: [observation], observations: 0 }, "not-tested"],
  ["a new value counts as an observation", { basis: "observed", findings: [violation], observations: 0 }, "passed"],
  ["a violation counts without an observation", { findings: [violation], observations: 0 }, "failed"],
  ["a violation outranks a block", { findings: [violation], blockedBy: blockedByLimit }, "failed"],
  ["a limit outranks a pass on the rest", { blockedBy: blockedByLimit }, "blocked"],
  ["a limit outranks a warning", { basis: "inferred", findings: [violation], blockedBy: blockedByLimit }, "blocked"],
  ["a warning outranks a prerequisite", { basis: "inferred", findings: [violation], blockedBy: noToken }, "warned"],
  ["a prerequisite", { blockedBy: noToken, observations: 0 }, "blocked"],
  ["an excluded rule is not applicable", { notApplicable: "private", findings: [violation] }, "not-applicable"],
])("%s", (_name, changes, outcome) => {
  expect(createVerdict(judged(changes)).outcome).toBe(outcome);
});

test("findings are violations only, capped, and the rest is counted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(30), (violations, observations) => {
      const findings = [
        ...Array.from({ length: observations }, () => observation),
        ...Array.from({ length: violations }, () => violation),
      ];
      const shown = Math.min(violations, maxReportedFindings);
      expect(createVerdict(judged({ findings }))).toEqual({
        outcome: "failed",
        findings: Array.from({ length: shown }, () => violation),
        moreFindings: violations - shown,
      });
    }),
  );
});

test.each<[RuleVerdict["basis"], readonly string[]]>([
  ["stated", [observation.message]],
  ["observed", [violation.message, observation.message]],
])("notes of a rule with the basis %s", (basis, messages) => {
  const notes = collectNotes({ basis, findings: [violation, observation] });
  expect(notes.map(({ message }) => message)).toEqual(messages);
  expect(new Set(notes.map(({ kind }) => kind))).toEqual(new Set(["note"]));
});

test("notes are capped", () => {
  const findings = Array.from({ length: 50 }, () => observation);
  expect(collectNotes({ basis: "stated", findings })).toHaveLength(maxReportedFindings);
});

describe("a failed verdict", () => {
  test.each<[string, Partial<JudgedRule>, Verdict]>([
    [
      "names a limit that blocked a part",
      { blockedBy: blockedByLimit },
      { ...violated, partlyBlocked: { blockedBy: "limit", missing: blockedByLimit.missing } },
    ],
    [
      "names the transport that blocked a part",
      { blockedBy: { kind: "transport", missing: "reset" } },
      { ...violated, partlyBlocked: { blockedBy: "transport", missing: "reset" } },
    ],
    ["does not name a missing prerequisite", { blockedBy: noToken }, violated],
    ["names nothing if nothing was blocked", {}, violated],
  ])("%s", (_name, changes, verdict) => {
    expect(createVerdict(judged({ findings: [violation], ...changes }))).toEqual(verdict);
  });

  test("that is a warning does not name a missing prerequisite", () => {
    expect(createVerdict(judged({ basis: "inferred", findings: [violation], blockedBy: noToken }))).toEqual({
      ...violated,
      outcome: "warned",
    });
  });
});

test.each<[string, Partial<JudgedRule>, Verdict]>([
  [
    "its block",
    { blockedBy: blockedByLimit },
    { outcome: "blocked", blockedBy: "limit", missing: blockedByLimit.missing },
  ],
  ["its reason", { notApplicable: "private" }, { outcome: "not-applicable", reason: "private" }],
  ["nothing", { observations: 0 }, { outcome: "not-tested" }],
])("a verdict without findings has %s", (_name, changes, verdict) => {
  expect(createVerdict(judged(changes))).toEqual(verdict);
});

test("a passed verdict has its observations", () => {
  expect(createVerdict(judged({ observations: 7 }))).toEqual({ outcome: "passed", observations: 7 });
});

test("violations that were not kept are counted", () => {
  expect(createVerdict(judged({ findings: [violation], droppedViolations: 5, violatingExchanges: 3 }))).toEqual({
    ...violated,
    moreFindings: 5,
    affectedExchanges: 3,
  });
});
