import { describe, expect, test } from "vitest";
import type { Comparison } from "./comparison.ts";
import { concludeLoad, type LoadFacts } from "./conclude-load.ts";
import type { KnownFailure } from "../verdict.ts";
import type { LoadRuleOutcome } from "./load-judgement.ts";
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
  summary: `the comparison says ${verdict}.`,
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
const judgedAs = (judged: number, outcome: LoadRuleOutcome): Partial<LoadFacts> => ({
  judgement: {
    groups: [{ group: "search", sent: 9, judged, brokenOff: 9 - judged, unanswered: 0, thinnedOut: 0, lost: 0 }],
    rules: [{ rule: "r", outcome }],
    broken: [],
    unloaded: 0,
    sentence: "",
    keptBytes: 0,
    capBytes: 0,
    problems: [],
  },
});
const knownAs = (status: KnownFailure["status"]): Partial<LoadFacts> => ({
  judgement: {
    groups: [],
    rules: [],
    broken: [],
    known: [{ rule: "r", title: "R", known: { status, reason: "why", owner: "a", source: "known.txt", line: 3 } }],
    unloaded: 0,
    sentence: "",
    keptBytes: 0,
    capBytes: 0,
    problems: [],
  },
});
const invalid = { code: "invalid-load", message: "the generator was busy" } as const;
const missed = { threshold: "ok-rate >= 0.99", limitFraction: 0.99, valueFraction: 0.5, ok: false } as const;
const unknown = { threshold: "poll p99 < 5", limitMs: 5 } as const;
const left = { created: 2, removed: 1, left: ["x"] };

/** Each source of an outcome, in order of precedence, as a change of the facts of a run that passed. */
const sources: readonly (readonly [name: string, exitCode: number, facts: Partial<LoadFacts>])[] = [
  ["a bug", 70, { harnessError: "thrown" }],
  ["an interruption", 143, { interrupted: "SIGTERM" }],
  ["wrong usage", 2, { usageError: "no such scenario" }],
  ["a violation", 1, { violations: { "no-done": 2 } }],
  ["an invalid run", 3, { incomplete: [invalid] }],
  ["a missed threshold", 4, { thresholds: [missed] }],
  ["no decision", 5, { comparison: compared("inconclusive"), decide: true }],
  ["conversations that were not removed", 6, { cleanUp: left }],
  ["nothing", 0, {}],
];
const subsets = Array.from({ length: 2 ** (sources.length - 1) }, (_none, bits) =>
  sources.filter((_source, index) => index === sources.length - 1 || (bits & (1 << index)) !== 0),
);

test("of several causes the first in the order of precedence decides", () => {
  const codes = subsets.map(
    (subset) => concludeLoad(Object.assign({}, green, ...subset.map(([, , facts]) => facts))).exitCode,
  );
  expect(codes).toEqual(subsets.map((subset) => subset[0]?.[1]));
});

/** The five independent properties of a load run. */
const generators = { sound: {}, failed: { incomplete: [invalid] } } as const;
const saturation = {
  notBegun: 3,
  heldBack: 0,
  maxVus: 5,
  fromMs: 12_000,
  servedPerSecond: 1,
  sentence: "the target is saturated",
};
const targets = { "serves everything": {}, "is saturated": { saturation } } as const;
const ends = { "as planned": {}, early: { endedEarly: "the run was ended to spare the target" } } as const;
const warned = { threshold: "first-match p50 < 8", severity: "warn", limitMs: 8, valueMs: 9, ok: false } as const;
const demands: Readonly<Record<string, Pick<LoadFacts, "thresholds">>> = {
  nothing: { thresholds: [] },
  "one that passes": { thresholds: green.thresholds },
  "one that fails": { thresholds: [missed] },
  "one that ended the run": { thresholds: [{ ...missed, severity: "abort" }] },
  "one that is undecided": { thresholds: [unknown] },
  "a warning": { thresholds: [warned] },
  "an undecided warning": { thresholds: [{ ...unknown, severity: "warn" }] },
  "one that fails, with a warning": { thresholds: [missed, warned] },
};
const comparisons: Readonly<Record<string, Pick<LoadFacts, "comparison" | "decide">>> = {
  none: { decide: false },
  regressed: { comparison: compared("regressed"), decide: true },
  unchanged: { comparison: compared("unchanged"), decide: true },
  "inconclusive, decision required": { comparison: compared("inconclusive"), decide: true },
  "inconclusive, no decision required": { comparison: compared("inconclusive"), decide: false },
};

const of = <T>(choices: Readonly<Record<string, T>>): readonly (readonly [string, T])[] => Object.entries(choices);
const combinations = of(generators).flatMap(([generator, one]) =>
  of(targets).flatMap(([target, two]) =>
    of(ends).flatMap(([end, three]) =>
      of(demands).flatMap(([demand, four]) =>
        of(comparisons).map(([comparison, five]) => ({
          generator,
          target,
          end,
          demand,
          comparison,
          conclusion: concludeLoad({ ...green, ...one, ...two, ...three, ...four, ...five }),
        })),
      ),
    ),
  ),
);
type Combination = (typeof combinations)[number];
const isMissed = ({ demand, comparison }: Combination): boolean =>
  comparison === "regressed" || demand.startsWith("one that fails") || demand === "one that ended the run";
const isUndecided = ({ demand, comparison, end }: Combination): boolean =>
  demand === "one that is undecided" || end === "early" || comparison === "inconclusive, decision required";

/** The laws of exit codes; each combination belongs to one of them. */
const laws: readonly (readonly [name: string, codes: readonly number[], holdsFor: (one: Combination) => boolean])[] = [
  ["an invalid run decides nothing", [3], ({ generator }) => generator === "failed"],
  [
    "a failed threshold or a regression fails the run, saturated or not, ended early or not",
    [4],
    (one) => one.generator === "sound" && isMissed(one),
  ],
  ["an undecided run does not pass", [3, 5], (one) => one.generator === "sound" && !isMissed(one) && isUndecided(one)],
  [
    "without failed or undecided thresholds a run passes, also on a saturated target",
    [0],
    (one) => one.generator === "sound" && !isMissed(one) && !isUndecided(one),
  ],
];

describe("every combination of generator, target, end, demand and comparison", () => {
  test("belongs to one law", () => {
    expect(combinations).toHaveLength(2 * 2 * 2 * 8 * 5);
    expect(combinations.filter((one) => laws.filter(([, , holdsFor]) => holdsFor(one)).length !== 1)).toEqual([]);
  });

  test.each(laws)("%s", (_name, codes, holdsFor) => {
    const mine = combinations.filter(holdsFor);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.filter(({ conclusion }) => !codes.includes(conclusion.exitCode))).toEqual([]);
  });

  test("the summary of a run that passed begins with warnings", () => {
    const passed = combinations.filter(({ conclusion }) => conclusion.exitCode === 0);
    const warning = passed.filter(({ target, demand }) => target === "is saturated" || demand.includes("warning"));
    expect(warning.length).toBeGreaterThan(0);
    expect(passed.filter(({ conclusion }) => conclusion.summary.startsWith("warning: "))).toEqual(warning);
    expect(passed.filter(({ conclusion }) => conclusion.warnings !== undefined)).toEqual(warning);
  });

  test("an invalid run reports the generator only: advice about the target would contradict it", () => {
    const failed = combinations.filter(({ generator }) => generator === "failed");
    expect(failed.filter(({ conclusion }) => conclusion.warnings !== undefined)).toEqual([]);
    expect(failed.filter(({ conclusion }) => conclusion.summary.includes("saturated"))).toEqual([]);
  });

  test("every run that decides something reports a saturated target", () => {
    const saturated = combinations.filter(
      ({ target, conclusion }) => target === "is saturated" && [0, 4].includes(conclusion.exitCode),
    );
    expect(saturated.filter(({ conclusion }) => !conclusion.summary.includes("the target is saturated"))).toEqual([]);
  });
});

describe("one cause alone", () => {
  test.each<[string, number, Partial<LoadFacts>, string]>([
    ["a run that passed", 0, {}, "40 requests succeeded, no rule failed, the threshold passed"],
    [
      "a violation",
      1,
      { violations: { "no-done": 2, comment: 1 } },
      "violations under load: `no-done` 2 times, `comment` 1 time",
    ],
    ["violations counted as none", 0, { violations: { "no-done": 0 } }, "no rule failed"],
    [
      "a canary that failed",
      1,
      { canary: canaryWith("failed") },
      "rules checked during the load: the canary says failed",
    ],
    ["a canary that tested too little", 3, { canary: canaryWith("incomplete") }, "the canary says incomplete"],
    [
      "a canary that tested too little in a load that was judged",
      0,
      { canary: canaryWith("incomplete"), ...judgedAs(9, "passed") },
      "warning: rules checked during the load: the canary says incomplete; 40 requests succeeded",
    ],
    [
      "one in a load that ended early",
      3,
      { canary: canaryWith("incomplete"), ...judgedAs(0, "passed") },
      "the canary says incomplete",
    ],
    [
      "one in a load in which no rule passed",
      3,
      { canary: canaryWith("incomplete"), ...judgedAs(9, "not-tested") },
      "the canary says incomplete",
    ],
    [
      "one in a load that failed a threshold",
      4,
      { canary: canaryWith("incomplete"), ...judgedAs(9, "passed"), thresholds: [missed] },
      "missed: `ok-rate >= 0.99` (50 %)",
    ],
    ["a canary with a bug", 70, { canary: canaryWith("harness-error") }, "the canary says harness-error"],
    [
      "a canary that left conversations",
      6,
      { canary: canaryWith("cleanup-incomplete") },
      "the canary says cleanup-incomplete",
    ],
    [
      "an interruption by SIGINT",
      130,
      { interrupted: "SIGINT" },
      "interrupted by SIGINT; the requests until then are stored: 40 requests succeeded",
    ],
    [
      "an interruption before any request",
      130,
      { interrupted: "SIGINT", okCount: 0 },
      "SIGINT before any request succeeded",
    ],
    [
      "a canary that tested nothing, in a load that was not sent",
      3,
      { incomplete: [invalid], canary: { ...canaryWith("incomplete"), exchanges: 0 } },
      "no verdict: the generator was busy",
    ],
    [
      "an interruption of a load that violates the contract",
      130,
      { interrupted: "SIGINT", okCount: 1, violations: { "no-done": 2 } },
      "1 request succeeded; violations under load: `no-done` 2 times",
    ],
    ["an invalid run", 3, { incomplete: [invalid] }, "no verdict: the generator was busy"],
    [
      "a mistake in the known failures",
      1,
      { knownFailureMistakes: ["known.txt, line 3: it has expired"] },
      "1 mistake in the known failures, such as: known.txt, line 3: it has expired",
    ],
    ["a known failure that no longer fails", 1, knownAs("fixed"), "1 known failure no longer fails: `r`"],
    [
      "a known failure",
      0,
      knownAs("known-failure"),
      "40 requests succeeded, no rule failed, 1 known failure, the threshold passed",
    ],
    ["a missed threshold", 4, { thresholds: [missed] }, "missed: `ok-rate >= 0.99` (50 %)"],
    ["an undecided threshold", 3, { thresholds: [unknown] }, "the samples leave `poll p99 < 5` undecided; run longer"],
    ["one failed and one undecided", 4, { thresholds: [missed, unknown] }, "missed"],
    ["a warning", 0, { thresholds: [warned] }, "warning: `first-match p50 < 8` (9.0 ms) was missed; 40 requests"],
    ["a run that was ended early", 3, { endedEarly: "it was spared" }, "no verdict: it was spared"],
    [
      "one that was ended early and failed a threshold",
      4,
      { endedEarly: "it was spared", thresholds: [missed] },
      "; it was spared",
    ],
    ["a regression", 4, { comparison: compared("regressed") }, "comparison regressed"],
    [
      "the knee",
      0,
      { knee: { ratePerSecond: 9, sentence: "the target sustained 9 a second" } },
      "threshold passed; the target sustained 9 a second",
    ],
    [
      "the knee of a target that failed a threshold",
      4,
      { thresholds: [missed], knee: { ratePerSecond: 9, sentence: "the target sustained 9 a second" } },
      "(50 %); the target sustained 9 a second",
    ],
    ["an improvement", 0, { comparison: compared("improved") }, "comparison improved"],
    ["no decision if none is required", 0, { comparison: compared("inconclusive") }, "comparison inconclusive"],
    ["no decision", 5, { comparison: compared("inconclusive"), decide: true }, "no decision although one was required"],
    ["a decision", 0, { comparison: compared("unchanged"), decide: true }, "comparison unchanged"],
    ["conversations that were not removed", 6, { cleanUp: left }, "1 of 2 conversations are left on the target"],
  ])("%s gives %d", (...[, exitCode, facts, words]) => {
    const conclusion = concludeLoad({ ...green, ...facts });
    expect([conclusion.exitCode, conclusion.summary]).toEqual([exitCode, expect.stringContaining(words)]);
  });
});

test.each<[string, Partial<LoadFacts>]>([
  ["a missed threshold", { thresholds: [missed] }],
  ["a regression", { comparison: compared("regressed") }],
  ["no decision", { comparison: compared("inconclusive"), decide: true }],
])("an invalid run does not report %s", (_name, facts) => {
  const conclusion = concludeLoad({ ...green, ...facts, incomplete: [invalid] });
  expect([conclusion.outcome, conclusion.incomplete]).toEqual(["incomplete", [invalid]]);
});

describe("a late generator", () => {
  const late = { incomplete: [invalid], lateness: "requests were sent 8.0 ms after their plan" };
  const decisive = { ...missed, decisive: true } as const;
  test("does not hide failures that it does not explain", () => {
    const { exitCode, summary, incomplete, warnings } = concludeLoad({
      ...green,
      ...late,
      thresholds: [decisive],
      saturation,
    });
    expect([exitCode, incomplete]).toEqual([4, []]);
    expect(warnings).toEqual([
      "the target caused the failures, but no other figure is valid: requests were sent 8.0 ms after their plan",
    ]);
    expect(summary).toBe(`missed: \`ok-rate >= 0.99\` (50 %); ${warnings?.[0]}`);
  });

  test("does not hide violations", () => {
    const facts = { ...green, ...late, thresholds: [decisive], violations: { "no-done": 1 } };
    expect(concludeLoad(facts).exitCode).toBe(1);
  });

  test("leaves times and comparisons undecided", () => {
    const slow = { threshold: "first-match p95 < 8", limitMs: 8, valueMs: 90, ok: false };
    const facts = { ...green, ...late, thresholds: [slow, decisive], comparison: compared("regressed") };
    const { exitCode, summary } = concludeLoad(facts);
    expect([exitCode, summary.includes("first-match"), summary.includes("regressed")]).toEqual([4, false, false]);
  });
});

test("a canary that tested too little does not hide a regression", () => {
  const facts = { canary: canaryWith("incomplete"), comparison: compared("regressed") };
  expect(concludeLoad({ ...green, ...facts }).exitCode).toBe(4);
});
