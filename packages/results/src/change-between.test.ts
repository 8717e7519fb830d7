import { ruleIds } from "@assay/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concludeRun } from "./conclude-run.ts";
import { failsRun } from "./rule-standing.ts";
import type { RunChange } from "./run-change.ts";
import type { RunResult } from "./run-result.ts";
import { fixedFailure, knownFailure, ruleVerdict, type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";
import type { RuleVerdict } from "./verdict.ts";
import { changeBetween } from "./change-between.ts";

const runOf = (verdicts: readonly RuleVerdict[], id: string, strict = false): RunResult => ({
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: {
    id,
    startedAt: "2026-01-02T03:04:05.000Z",
    target: "http://t",
    embedded: false,
    profile: "gate",
    seed: 1,
    strict,
    httpVersions: ["1.1"],
  },
  ...concludeRun({ verdicts, strict }),
  verdicts,
  unspecified: [],
  exchanges: [],
});

type Standing = SampleName | "known" | "fixed" | "absent";

const verdictsOf = (standing: Standing): readonly RuleVerdict[] => {
  if (standing === "absent") {
    return [];
  }
  if (standing === "known") {
    return [ruleVerdict(sampleVerdicts.failed, { known: knownFailure })];
  }
  return standing === "fixed"
    ? [ruleVerdict(sampleVerdicts.passed, { known: fixedFailure })]
    : [ruleVerdict(sampleVerdicts[standing])];
};

const listNames = ["broken", "fixed", "stillBroken", "accepted", "changedOther", "noLongerSeen", "newlySeen"] as const;
const listsIn = (change: RunChange) => listNames.filter((name) => (change[name] ?? []).length > 0);

describe("a rule", () => {
  test.each<[Standing, Standing, readonly string[], string]>([
    ["passed", "failed", ["broken"], "1 rule fails that passed in run A"],
    ["known", "failed", ["broken"], "1 rule fails that was a known failure in run A"],
    ["passed", "fixed", ["broken"], "since run A: 1 is fixed but still listed as a known failure"],
    ["failed", "fixed", ["stillBroken"], "since run A: 1 is fixed but still listed as a known failure"],
    ["fixed", "passed", ["fixed"], "since run A: 1 is no longer listed as a known failure"],
    ["passed", "warned", ["changedOther"], "since run A: 1 that passed now warns or is a known failure"],
    ["passed", "known", ["changedOther"], "since run A: 1 that passed now warns or is a known failure"],
    ["known", "passed", ["changedOther"], "since run A: 1 that warned or was a known failure now passes"],
    ["warned", "known", [], "nothing changed since run A"],
    [
      "not observed",
      "failed",
      ["broken"],
      "nothing can be compared with run A: no rule was tested in both; 1 rule fails that did not fail in run A",
    ],
    [
      "absent",
      "failed",
      ["broken"],
      "nothing can be compared with run A: no rule was tested in both; 1 rule fails that did not fail in run A",
    ],
    ["failed", "passed", ["fixed"], "since run A: 1 passes again"],
    ["failed", "failed", ["stillBroken"], "nothing changed since run A; 1 still fails"],
    ["failed", "known", ["accepted"], "since run A: 1 fails as before and is accepted now"],
    [
      "failed",
      "not observed",
      ["noLongerSeen"],
      "nothing can be compared with run A: no rule was tested in both; 1 is no longer tested, 1 of which failed",
    ],
    [
      "passed",
      "no transport",
      ["noLongerSeen"],
      "nothing can be compared with run A: no rule was tested in both; 1 is no longer tested",
    ],
    [
      "passed",
      "absent",
      ["noLongerSeen"],
      "nothing can be compared with run A: no rule was tested in both; 1 was not selected now",
    ],
    [
      "not observed",
      "passed",
      ["newlySeen"],
      "nothing can be compared with run A: no rule was tested in both; 1 is tested that was not before",
    ],
    [
      "absent",
      "passed",
      ["newlySeen"],
      "nothing can be compared with run A: no rule was tested in both; 1 is tested that was not selected before",
    ],
    ["passed", "passed", [], "nothing changed since run A"],
    ["warned", "warned", [], "nothing changed since run A"],
    ["not applicable", "absent", [], "nothing can be compared with run A: no rule was tested in both"],
  ])("%s before and %s now is listed in %j", (...[before, now, lists, sentence]) => {
    const change = changeBetween(runOf(verdictsOf(before), "A"), runOf(verdictsOf(now), "B"));
    expect([listsIn(change), change.sentence]).toEqual([lists, sentence]);
  });

  test("that warns fails a strict run only", () => {
    const warned = [ruleVerdict(sampleVerdicts.warned)];
    const stricter = changeBetween(runOf(warned, "A"), runOf(warned, "B", true));
    const laxer = changeBetween(runOf(warned, "A", true), runOf(warned, "B"));
    expect([listsIn(stricter), listsIn(laxer)]).toEqual([["broken"], ["accepted"]]);
    expect(stricter.caveats).toContain("only one of the two runs was strict");
  });
});

test("lists have the order of the catalogue", () => {
  const ids = ruleIds.slice(0, 5);
  const make = (verdict: RuleVerdict["verdict"]) => ids.map((rule) => ruleVerdict(verdict, { rule })).reverse();
  const change = changeBetween(runOf(make(sampleVerdicts.passed), "A"), runOf(make(sampleVerdicts.failed), "B"));
  expect(change.broken.map(({ rule }) => rule)).toEqual(ids);
});

describe("caveats", () => {
  const good = runOf([ruleVerdict(sampleVerdicts.passed)], "A");
  const other = { ...good, run: { ...good.run, id: "B" } };
  const { httpVersions: _versions, ...withoutVersions } = other.run;

  test.each<[string, RunResult, readonly string[]]>([
    ["are empty for two equal runs", other, []],
    ["name the same run", good, ["both are the same run"]],
    [
      "name another target",
      { ...other, run: { ...other.run, target: "u" } },
      ["the targets differ: `http://t` then, `u` now"],
    ],
    [
      "name another profile",
      { ...other, run: { ...other.run, profile: "smoke" } },
      ["the profiles differ: `gate` then, `smoke` now"],
    ],
    [
      "name another version of HTTP",
      { ...other, run: { ...other.run, httpVersions: ["2"] } },
      ["the versions of HTTP differ: `1.1` then, `2` now"],
    ],
    ["ignore an unknown version of HTTP", { ...other, run: withoutVersions }, []],
    [
      "name another OpenAPI document",
      { ...other, openapi: { source: "served", sha256: "ab", notes: [], differences: [], unseen: [] } },
      ["the OpenAPI documents that judged differ: `none` then, `ab` now"],
    ],
    [
      "name an incomplete run",
      runOf([ruleVerdict(sampleVerdicts["no transport"])], "B"),
      [expect.stringMatching(/^the later run ended as incomplete and did not decide everything: /u)],
    ],
    [
      "name another selection",
      runOf([ruleVerdict(sampleVerdicts.passed, { rule: "stream/two-fields" })], "B"),
      ["1 rule was selected then and not now", "1 rule was selected now and not then"],
    ],
  ])("%s", (_name, head, caveats) => {
    expect(changeBetween(good, head).caveats).toEqual(caveats);
  });
});

const anyVerdicts = fc.array(
  fc
    .tuple(fc.constantFrom<Standing>("known", "fixed", ...Object.keys(sampleVerdicts).filter(isSample)), fc.nat(5))
    .map(([standing, index]) => verdictsOf(standing).map((verdict) => ({ ...verdict, rule: ruleIds[index] ?? "" }))),
  { maxLength: 6 },
);
function isSample(name: string): name is SampleName {
  return Object.hasOwn(sampleVerdicts, name);
}
const anyRun = (id: string) =>
  fc.tuple(anyVerdicts, fc.boolean()).map(([verdicts, strict]) => {
    const first = new Map(verdicts.flat().map((verdict) => [verdict.rule, verdict]));
    return runOf([...first.values()], id, strict);
  });

describe("for any two runs", () => {
  test("no rule is in two lists, and every failure is broken or still broken", () => {
    fc.assert(
      fc.property(anyRun("A"), anyRun("B"), (base, head) => {
        const change = changeBetween(base, head);
        const all = listNames.flatMap((name) => (change[name] ?? []).map(({ rule }) => rule));
        expect(new Set(all).size).toBe(all.length);
        const red = head.verdicts.filter((rule) => failsRun(rule, head.run.strict)).map(({ rule }) => rule);
        const listed = [...change.broken, ...change.stillBroken].map(({ rule }) => rule);
        expect(new Set(listed)).toEqual(new Set(red));
      }),
    );
  });

  test("the reverse comparison swaps broken and fixed rules", () => {
    fc.assert(
      fc.property(anyRun("A"), anyRun("B"), (base, head) => {
        const fixed = changeBetween(base, head).fixed.map(({ rule }) => rule);
        const broken = new Set(changeBetween(head, base).broken.map(({ rule }) => rule));
        expect(fixed.filter((rule) => !broken.has(rule))).toEqual([]);
      }),
    );
  });
});
