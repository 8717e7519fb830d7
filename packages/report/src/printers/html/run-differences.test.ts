import type { RuleVerdict, Verdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { fixedFailure, knownFailure, passedWith, resultOf } from "../../testing/sample-results.ts";
import { createPageRuns } from "./page-runs.ts";
import { createRuleMatrices } from "./rule-matrix.ts";
import { describeRow, findRunDifferences } from "./run-differences.ts";

const failed: Verdict = { outcome: "failed", findings: [{ kind: "violation", message: "no `done`" }], moreFindings: 0 };
const verdicts = {
  passed: { verdict: passedWith(1) },
  failed: { verdict: failed },
  warned: { verdict: { ...failed, outcome: "warned" } },
  known: { verdict: failed, known: knownFailure },
  fixed: { verdict: passedWith(1), known: fixedFailure },
  "not-tested": { verdict: { outcome: "not-tested" } },
  blocked: { verdict: { outcome: "blocked", blockedBy: "limit", missing: "a line of 64 MiB" } },
} as const satisfies Record<string, Pick<RuleVerdict, "verdict" | "known">>;
type VerdictName = keyof typeof verdicts | "-";

const rule = (name: VerdictName): readonly RuleVerdict[] =>
  name === "-"
    ? []
    : [
        {
          rule: "stream/done-is-last",
          interface: "stream",
          operation: "search",
          title: "x",
          basis: "stated",
          requirements: [],
          mustTest: false,
          ...verdicts[name],
        },
      ];

/** Runs named a, b, c, ... in the order of time, each with one rule and the given verdict. */
const runsOf = (all: readonly VerdictName[], targetOf: (at: number) => string = () => "http://127.0.0.1:1") =>
  createPageRuns(
    all.map((name, at) => {
      const result = resultOf({ verdicts: rule(name) });
      const run = { ...result.run, startedAt: `2026-01-02T03:0${at}:00.000Z`, target: targetOf(at) };
      return { name: "abcdefgh".slice(at, at + 1), result: { ...result, run } };
    }),
  );

describe("a rule with the verdicts", () => {
  test.each<[readonly VerdictName[], string]>([
    [["passed", "failed"], "failedInSome"],
    [["failed", "-"], "failedInSome"],
    [["failed", "known"], "failedInSome"],
    [["passed", "fixed"], "failedInSome"],
    [["failed", "failed"], "failedInAll"],
    [["failed", "fixed"], "failedInAll"],
    [["passed", "warned"], "judgedDifferently"],
    [["warned", "known", "not-tested"], "judgedDifferently"],
    [["passed", "not-tested"], "notJudgedInAll"],
    [["passed", "-"], "notJudgedInAll"],
    [["not-tested", "blocked"], "notJudgedInAll"],
    [["passed", "passed"], "same"],
    [["warned", "warned"], "same"],
    [["not-tested", "not-tested"], "same"],
  ])("%j is counted as %s, and as nothing else", (all, kind) => {
    const { sameCount, ...lists } = findRunDifferences(createRuleMatrices(runsOf(all)));
    const counts = {
      ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length])),
      same: sameCount,
    };
    expect(counts).toEqual({
      failedInAll: 0,
      failedInSome: 0,
      judgedDifferently: 0,
      notJudgedInAll: 0,
      same: 0,
      [kind]: 1,
    });
  });
});

describe("the summary of a rule is", () => {
  const summaryOf = (...[all, targetOf]: Parameters<typeof runsOf>) => {
    const runs = runsOf(all, targetOf);
    const rows = createRuleMatrices(runs).flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    return rows.map((row) => describeRow(row, runs));
  };

  test.each<[readonly VerdictName[], string, string | undefined]>([
    [["passed", "failed", "failed"], "failed since b", "no `done`"],
    [["failed", "failed", "passed"], "passed since c", undefined],
    [["passed", "warned"], "warned since b", "no `done`"],
    [["passed", "-"], "not selected since b", undefined],
    [["passed", "blocked"], "blocked since b", "a line of 64 MiB"],
    [["passed", "failed", "passed", "failed"], "failed in b, d", "no `done`"],
    [
      ["failed", "passed", "failed", "passed", "failed", "passed", "failed", "failed"],
      "failed in a, c, e, g and 1 more",
      "no `done`",
    ],
    [["failed", "failed"], "failed in all", "no `done`"],
  ])("for %j: %j", (all, verdict, message) => {
    expect(summaryOf(all)).toEqual([message === undefined ? { verdict } : { verdict, message }]);
  });

  test("names the runs, not the time, for several targets", () => {
    expect(summaryOf(["passed", "failed"], (at) => `https://${at}.test`)).toEqual([
      { verdict: "failed in b", message: "no `done`" },
    ]);
  });

  test("uses the order in time, not the order on the page", () => {
    const [early, late] = runsOf(["passed", "failed"]);
    const runs = createPageRuns([late, early].filter((run) => run !== undefined));
    const rows = createRuleMatrices(runs).flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    expect(rows.map((row) => describeRow(row, runs).verdict)).toEqual(["failed since b"]);
  });
});
