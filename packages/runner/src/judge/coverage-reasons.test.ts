import { ruleIds, ruleRecord } from "@assay/contract";
import { concludeRun, toPositiveCount } from "@assay/results";
import type { RuleVerdict, Verdict } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";
import { describe, expect, test } from "vitest";
import { getProfile } from "../plan/profiles.ts";
import { recorded } from "../testing/recorded.ts";
import { findCoverageReasons, findCompleteInterfaces } from "./coverage-reasons.ts";

const once = toPositiveCount(1);

const verdictOf = (rule: string, verdict: Verdict): RuleVerdict => ({
  rule,
  interface: rule.slice(0, rule.indexOf("/")),
  operation: "search",
  title: "",
  basis: "stated",
  requirements: [],
  mustTest: false,
  verdict,
});

const passed = (rule: string): RuleVerdict =>
  verdictOf(rule, once === undefined ? { outcome: "not-tested" } : { outcome: "passed", observations: once });
const untested = (rule: string): RuleVerdict => verdictOf(rule, { outcome: "not-tested" });
const blocked = (rule: string): RuleVerdict =>
  verdictOf(rule, { outcome: "blocked", blockedBy: "prerequisite", missing: "a token" });
const excluded = (rule: string): RuleVerdict =>
  verdictOf(rule, { outcome: "not-applicable", reason: "sharing is off" });

const named = (make: (rule: string) => RuleVerdict, count: number, name = "a"): readonly RuleVerdict[] =>
  Array.from({ length: count }, (_, index) => make(`stream/${name}-${index}`));

const reasons = (verdicts: readonly RuleVerdict[], whole: readonly string[] = ["stream"]): readonly string[] =>
  findCoverageReasons({ verdicts, searches: [], completeInterfaces: new Set(whole) }).map(({ message }) => message);

describe("the share of rules that were tested", () => {
  test.each<{ name: string; verdicts: readonly RuleVerdict[]; whole?: readonly string[] }>([
    { name: "four fifths", verdicts: [...named(passed, 8), ...named(untested, 2, "b")] },
    { name: "nothing, of which other reasons speak", verdicts: named(untested, 10) },
    {
      name: "one, where tokens and settings were not given",
      verdicts: [...named(passed, 1), ...named(blocked, 9, "b"), ...named(excluded, 9, "c")],
    },
    {
      name: "one, where the rest needs what a target need not send",
      verdicts: [
        ...named(passed, 1),
        ...["stream/alert-is-an-object", "stream/filters-only-grow", "stream/skipped-fits-schema"].map((id) =>
          untested(id),
        ),
      ],
    },
    {
      name: "one, where the plain search found little and the rest compares what several matches show",
      verdicts: [
        ...named(passed, 1),
        ...["stream/cl-gives-context-lines", "stream/display-bounds-matches"].map((id) => untested(id)),
      ],
    },
    { name: "a few of chosen rules", verdicts: [...named(passed, 1), ...named(untested, 4, "b")], whole: ["legacy"] },
  ])("$name is enough", ({ verdicts, whole }) => {
    expect(reasons(verdicts, whole)).toEqual([]);
  });

  test("less than four fifths is too little, and the first of the others are named", () => {
    const verdicts = [...named(passed, 15), ...named(untested, 4, "b")];
    expect(reasons(verdicts)).toEqual([
      "only 15 of the 19 rules about the interface stream that can be tested here were tested; not tested: stream/b-0, stream/b-1, stream/b-2 and 1 more",
    ]);
    const floor = findCoverageReasons({ verdicts, searches: [], completeInterfaces: new Set(["stream"]) });
    expect(concludeRun({ verdicts, coverageShortfall: floor, strict: false })).toMatchObject({
      outcome: "incomplete",
      exitCode: 3,
    });
    // Another reason says more.
    const incomplete = [{ code: "deadline", message: "the time was up" }] as const;
    expect(concludeRun({ verdicts, coverageShortfall: floor, incomplete, strict: false }).incomplete).toEqual(
      incomplete,
    );
  });

  test("an interface has a minimum only if all rules of the profile were selected", () => {
    const gate = getProfile("gate");
    const streams = ruleIds.filter((id) => ruleRecord(id).interface === "stream");
    expect([...findCompleteInterfaces(gate, ruleIds)]).toEqual(["stream", "legacy", "current"]);
    expect([...findCompleteInterfaces(gate, streams)]).toEqual(["stream"]);
    expect([...findCompleteInterfaces(gate, streams.slice(1))]).toEqual([]);
    expect([...findCompleteInterfaces(getProfile("smoke"), getProfile("smoke").rules)]).toEqual([
      "stream",
      "legacy",
      "current",
    ]);
  });
});

/** A search with a complete stream of `matches` matches as its answer. */
function search(id: string, probe: string, found: { readonly matches: number; readonly q?: string }): JudgedExchange {
  const { matches, q = "test" } = found;
  const url = `http://code.example/.api/search/stream?${new URLSearchParams({ q }).toString()}`;
  const facts = {
    bytes: 9,
    events: 2,
    isFinished: true,
    hasOnlyProblems: false,
    hasErrorAlert: false,
    isComplete: true,
  };
  return { record: recorded({ id, probe, url }).record, stream: { ...facts, matches, eventCounts: {} } };
}

describe("a search that only limits the plain one", () => {
  const empty = (searches: readonly JudgedExchange[]): readonly string[] =>
    findCoverageReasons({ verdicts: [], searches, completeInterfaces: new Set(["stream"]) }).map(
      ({ message }) => message,
    );

  test("finds something if that one finds enough", () => {
    expect(
      empty([
        search("0001", "search", { matches: 20 }),
        search("0002", "cut-off", { matches: 0, q: "test count:1" }),
        search("0003", "parameter-cm", { matches: 0 }),
      ]),
    ).toEqual([
      "search 0002 (cut-off) found nothing although a search for the same words found 20 matches, as did 1 more such search; it tests none of its rules",
    ]);
  });

  test("counts even if the plain search is the one that finds nothing", () => {
    expect(
      empty([
        search("0001", "search", { matches: 0, q: "test count:200" }),
        search("0002", "not-cut-off", { matches: 100, q: "test" }),
      ]),
    ).toEqual([
      "search 0001 (search) found nothing although a search for the same words found 100 matches; it tests none of its rules",
    ]);
  });

  const pivot = { q: "repo:^r$ file:^a$ test count:all" };

  test("finds something in a file that the plain one shows", () => {
    expect(
      empty([
        search("0001", "search", { matches: 20 }),
        search("0002", "pivot", { ...pivot, matches: 0 }),
        search("0003", "pivot-cl-alone", { ...pivot, matches: 0 }),
        search("0004", "pivot-again", { ...pivot, matches: 0 }),
      ]),
    ).toEqual([
      "search 0002 (pivot) found nothing although another search found lines of this file, as did 2 more such searches; it tests none of its rules",
    ]);
  });

  test.each<{ name: string; searches: readonly JudgedExchange[] }>([
    {
      name: "where a pattern for the file need not match",
      searches: [
        search("0001", "search", { matches: 20 }),
        search("0002", "pivot", { ...pivot, matches: 1 }),
        ...["dotted", "other-case", "swapped-keyword", "pivot-narrowed"].map((probe, index) =>
          search(`001${index}`, probe, { ...pivot, matches: 0 }),
        ),
      ],
    },
    {
      name: "where the file is found at times",
      searches: [
        search("0001", "search", { matches: 20 }),
        search("0002", "pivot", { ...pivot, matches: 0 }),
        search("0003", "pivot-time-2", { ...pivot, matches: 1 }),
      ],
    },
    {
      name: "where the plain search finds little",
      searches: [search("0001", "search", { matches: 4 }), search("0002", "cut-off", { matches: 0 })],
    },
    {
      name: "where it found something another time",
      searches: [
        search("0001", "search", { matches: 20 }),
        search("0002", "parameter-cm", { matches: 0 }),
        search("0003", "parameter-cm", { matches: 20 }),
      ],
    },
    {
      name: "where the index moves: one search of another probe found something at times",
      searches: [
        search("0001", "search", { matches: 20 }),
        search("0002", "cut-off", { matches: 0 }),
        search("0003", "search", { matches: 0 }),
      ],
    },
    {
      name: "where the query means something else without its type",
      searches: [
        search("0001", "search", { matches: 20, q: "type:repo x" }),
        search("0002", "cut-off", { matches: 0, q: "x count:1" }),
      ],
    },
    {
      name: "as a pattern of another type",
      searches: [search("0001", "search", { matches: 20 }), search("0002", "parameter-t-regexp", { matches: 0 })],
    },
    {
      name: "as a search for something else",
      searches: [search("0001", "search", { matches: 20 }), search("0002", "nothing-found", { matches: 0 })],
    },
  ])("may find nothing $name", ({ searches }) => {
    expect(empty(searches)).toEqual([]);
  });
});
