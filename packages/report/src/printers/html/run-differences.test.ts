import type { RuleVerdict, Verdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { fixedFailure, knownFailure, passedWith, resultOf } from "../../testing/sample-results.ts";
import { pageRuns } from "./page-runs.ts";
import { ruleMatrices } from "./rule-matrix.ts";
import { rowSummary, runDifferences } from "./run-differences.ts";

const failed: Verdict = { outcome: "failed", findings: [{ kind: "violation", message: "no `done`" }], moreFindings: 0 };
const stands = {
  holds: { verdict: passedWith(1) },
  fails: { verdict: failed },
  warns: { verdict: { ...failed, outcome: "warned" } },
  known: { verdict: failed, known: knownFailure },
  fixed: { verdict: passedWith(1), known: fixedFailure },
  unseen: { verdict: { outcome: "not-tested" } },
  kept: { verdict: { outcome: "blocked", blockedBy: "limit", missing: "a line of 64 MiB" } },
} as const satisfies Record<string, Pick<RuleVerdict, "verdict" | "known">>;
type Stand = keyof typeof stands | "-";

const rule = (stand: Stand): readonly RuleVerdict[] =>
  stand === "-"
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
          ...stands[stand],
        },
      ];

/** Runs named a, b, c, ... in the order of time, each with one rule and the given verdict. */
const runsOf = (all: readonly Stand[], targetOf: (at: number) => string = () => "http://127.0.0.1:1") =>
  pageRuns(
    all.map((stand, at) => {
      const result = resultOf({ verdicts: rule(stand) });
      const run = { ...result.run, startedAt: `2026-01-02T03:0${at}:00.000Z`, target: targetOf(at) };
      return { name: "abcdefgh".slice(at, at + 1), result: { ...result, run } };
    }),
  );

describe("a rule with the verdicts", () => {
  test.each<[readonly Stand[], string]>([
    [["holds", "fails"], "red"],
    [["fails", "-"], "red"],
    [["fails", "known"], "red"],
    [["holds", "fixed"], "red"],
    [["fails", "fails"], "alwaysRed"],
    [["fails", "fixed"], "alwaysRed"],
    [["holds", "warns"], "changedOther"],
    [["warns", "known", "unseen"], "changedOther"],
    [["holds", "unseen"], "unseen"],
    [["holds", "-"], "unseen"],
    [["unseen", "kept"], "unseen"],
    [["holds", "holds"], "same"],
    [["warns", "warns"], "same"],
    [["unseen", "unseen"], "same"],
  ])("%j is counted as %s, and as nothing else", (all, kind) => {
    const { same, ...lists } = runDifferences(ruleMatrices(runsOf(all)));
    const counts = { ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length])), same };
    expect(counts).toEqual({ alwaysRed: 0, red: 0, changedOther: 0, unseen: 0, same: 0, [kind]: 1 });
  });
});

describe("the summary of a rule is", () => {
  const summaryOf = (...[all, targetOf]: Parameters<typeof runsOf>) => {
    const runs = runsOf(all, targetOf);
    const rows = ruleMatrices(runs).flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    return rows.map((row) => rowSummary(row, runs));
  };

  test.each<[readonly Stand[], string, string | undefined]>([
    [["holds", "fails", "fails"], "failed since b", "no `done`"],
    [["fails", "fails", "holds"], "passed since c", undefined],
    [["holds", "warns"], "warned since b", "no `done`"],
    [["holds", "-"], "not selected since b", undefined],
    [["holds", "kept"], "blocked since b", "a line of 64 MiB"],
    [["holds", "fails", "holds", "fails"], "failed in b, d", "no `done`"],
    [
      ["fails", "holds", "fails", "holds", "fails", "holds", "fails", "fails"],
      "failed in a, c, e, g and 1 more",
      "no `done`",
    ],
    [["fails", "fails"], "failed in all", "no `done`"],
  ])("for %j: %j", (all, verdict, message) => {
    expect(summaryOf(all)).toEqual([message === undefined ? { verdict } : { verdict, message }]);
  });

  test("names the runs, not the time, for several targets", () => {
    expect(summaryOf(["holds", "fails"], (at) => `https://${at}.test`)).toEqual([
      { verdict: "failed in b", message: "no `done`" },
    ]);
  });

  test("uses the order in time, not the order on the page", () => {
    const [early, late] = runsOf(["holds", "fails"]);
    const runs = pageRuns([late, early].filter((run) => run !== undefined));
    const rows = ruleMatrices(runs).flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    expect(rows.map((row) => rowSummary(row, runs).verdict)).toEqual(["failed since b"]);
  });
});
