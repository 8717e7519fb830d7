import { describe, expect, test } from "vitest";
import type { Comparison } from "./comparison.ts";
import { concludeLoad, type LoadFacts } from "./conclude-load.ts";
import type { CanaryReport } from "./load-result.ts";

const green: LoadFacts = {
  violations: {},
  thresholds: [{ threshold: "first-match p95 < 800", limitMs: 800, valueMs: 12.5, ok: true }],
  incomplete: [],
  decide: false,
  okCount: 40,
};
const compared = (verdict: Comparison["verdict"]): Comparison => ({
  design: "paired",
  base: "a",
  head: "b",
  verdict,
  summary: `the comparison says ${verdict}`,
  metrics: [],
  queries: [],
  incomparable: [],
});
const canaryWith = (outcome: CanaryReport["outcome"]): CanaryReport => ({
  outcome,
  summary: `the canary says ${outcome}`,
  exchanges: 3,
  observedRules: 2,
  failed: [],
  folder: "canary",
});
const invalid = { code: "invalid-load", message: "the generator was busy" } as const;
const missed = { threshold: "ok-rate >= 0.99", limitFraction: 0.99, valueFraction: 0.5, ok: false } as const;
const unknown = { threshold: "poll p99 < 5", limitMs: 5 } as const;
const left = { created: 2, removed: 1, left: ["x"] };

/** Each source of an outcome, in order of precedence, as a change of the green facts. */
const sources: readonly (readonly [name: string, exitCode: number, facts: Partial<LoadFacts>])[] = [
  ["a bug", 70, { harnessError: "thrown" }],
  ["an interruption", 143, { interrupted: "SIGTERM" }],
  ["wrong usage", 2, { usageError: "no such scenario" }],
  ["a violation", 1, { violations: { "no-done": 2 } }],
  ["an invalid run", 3, { incomplete: [invalid] }],
  ["a missed threshold", 4, { thresholds: [missed] }],
  ["no decision", 5, { comparison: compared("inconclusive"), decide: true }],
  ["something left", 6, { cleanUp: left }],
  ["nothing", 0, {}],
];
const subsets = Array.from({ length: 2 ** (sources.length - 1) }, (_none, bits) =>
  sources.filter((_source, index) => index === sources.length - 1 || (bits & (1 << index)) !== 0),
);

test("of any causes together the first in the order of precedence decides", () => {
  const codes = subsets.map(
    (subset) => concludeLoad(Object.assign({}, green, ...subset.map(([, , facts]) => facts))).exitCode,
  );
  expect(codes).toEqual(subsets.map((subset) => subset[0]?.[1]));
});

describe("one cause alone", () => {
  test.each<[string, number, Partial<LoadFacts>, string]>([
    ["all well", 0, {}, "40 samples went well, no violation, 1 of 1 limits kept"],
    [
      "a violation",
      1,
      { violations: { "no-done": 2, comment: 1 } },
      "the contract was violated under load: `no-done` 2 times, `comment` 1 time",
    ],
    ["violations counted as none", 0, { violations: { "no-done": 0 } }, "no violation"],
    [
      "a canary that failed",
      1,
      { canary: canaryWith("failed") },
      "the judges that ran beside the load: the canary says failed",
    ],
    ["a canary that saw little", 3, { canary: canaryWith("incomplete") }, "the canary says incomplete"],
    ["a canary with a bug", 70, { canary: canaryWith("harness-error") }, "the canary says harness-error"],
    [
      "a canary that left something",
      6,
      { canary: canaryWith("cleanup-incomplete") },
      "the canary says cleanup-incomplete",
    ],
    ["an interruption by SIGINT", 130, { interrupted: "SIGINT" }, "interrupted by SIGINT"],
    ["an invalid run", 3, { incomplete: [invalid] }, "nothing is decided: the generator was busy"],
    ["a missed threshold", 4, { thresholds: [missed] }, "missed: `ok-rate >= 0.99` (50 %)"],
    ["a threshold not judged", 3, { thresholds: [unknown] }, "too few samples to judge `poll p99 < 5`"],
    ["one missed and one not judged", 4, { thresholds: [missed, unknown] }, "missed"],
    ["a regression", 4, { comparison: compared("regressed") }, "the comparison says regressed"],
    ["an improvement", 0, { comparison: compared("improved") }, "the comparison says improved"],
    [
      "no decision that nobody asked for",
      0,
      { comparison: compared("inconclusive") },
      "the comparison says inconclusive",
    ],
    [
      "no decision",
      5,
      { comparison: compared("inconclusive"), decide: true },
      "no decision although one was asked for",
    ],
    ["a decision", 0, { comparison: compared("unchanged"), decide: true }, "the comparison says unchanged"],
    ["something left", 6, { cleanUp: left }, "1 of 2 conversations are left on the target"],
  ])("%s gives %d", (...[, exitCode, facts, words]) => {
    const conclusion = concludeLoad({ ...green, ...facts });
    expect([conclusion.exitCode, conclusion.summary]).toEqual([exitCode, expect.stringContaining(words)]);
  });
});

test.each<[string, Partial<LoadFacts>]>([
  ["a missed threshold", { thresholds: [missed] }],
  ["a regression", { comparison: compared("regressed") }],
  ["no decision", { comparison: compared("inconclusive"), decide: true }],
])("an invalid run does not speak of %s", (_name, facts) => {
  const conclusion = concludeLoad({ ...green, ...facts, incomplete: [invalid] });
  expect([conclusion.outcome, conclusion.incomplete]).toEqual(["incomplete", [invalid]]);
});

test("a canary that saw too little does not hide a regression", () => {
  const facts = { canary: canaryWith("incomplete"), comparison: compared("regressed") };
  expect(concludeLoad({ ...green, ...facts }).exitCode).toBe(4);
});
