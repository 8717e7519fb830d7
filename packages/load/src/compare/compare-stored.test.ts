import { defined } from "@assay/contract";
import type { ConversationLoad, LoadMetric } from "@assay/results";
import { describe, expect, test } from "vitest";
import { compareStored } from "./compare-stored.ts";
import type { StoredRun } from "./stored-run.ts";
import { runsAlternate } from "./compare-stored.ts";
import { storedRunOf } from "./testing/simulate-stored.ts";

const options = { base: "v1", head: "v2" } as const;
const minute = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

/** Runs that alternate with those of the other side: even minutes, or odd ones. */
const runs = (count: number, side: 0 | 1, factor = 1): readonly StoredRun[] =>
  Array.from({ length: count }, (_run, index) =>
    storedRunOf(
      `${side === 0 ? "base" : "head"}-${index}`,
      minute(2 * index + side),
      Float64Array.from(
        { length: 600 },
        (_, request) => factor * (100 + ((request * 37) % 101) + ((index * 7 + side * 3) % 5) / 10),
      ),
    ),
  );

const verdictsOf = (base: readonly StoredRun[], head: readonly StoredRun[]) =>
  Object.fromEntries(compareStored(base, head, options).metrics.map(({ metric, verdict }) => [metric, verdict]));

describe("stored runs", () => {
  test.each([
    { name: "alike are unchanged", factor: 1, verdict: "unchanged" },
    { name: "20 % slower are regressed", factor: 1.2, verdict: "regressed" },
    { name: "20 % faster are improved", factor: 0.8, verdict: "improved" },
  ])("$name", ({ factor, verdict }) => {
    const comparison = compareStored(runs(10, 0), runs(10, 1, factor), options);
    expect(comparison).toMatchObject({
      design: "stored",
      preset: "standard",
      base: "v1",
      head: "v2",
      verdict,
      incomparable: [],
    });
    expect(comparison.metrics.map(({ metric }) => metric)).toEqual([
      "first-match p50",
      "first-match p95",
      "first-match p99",
      "throughput",
    ]);
    expect(comparison.metrics[0]).toMatchObject({ verdict, units: 10, margin: 0.05 });
    expect(comparison.metrics[0]?.change).toBeCloseTo(factor - 1, 2);
  });

  test.each([
    { base: 1, head: 1, needed: 9 },
    { base: 9, head: 30, needed: 1 },
    { base: 30, head: 9, needed: 1 },
  ])("$base against $head are inconclusive, however slow", ({ base, head, needed }) => {
    const comparison = compareStored(runs(base, 0), runs(head, 1, 5), options);
    expect(comparison.verdict).toBe("inconclusive");
    expect(new Set(comparison.metrics.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
    expect(comparison.metrics[0]).toMatchObject({
      unitsNeeded: needed,
      note: expect.stringContaining("a verdict needs at least 10"),
    });
    expect(comparison.failures?.verdict).not.toBe("regressed");
  });

  test("quick gives no verdict on the 99th percentile", () => {
    const { metrics } = compareStored(runs(10, 0), runs(10, 1), { ...options, preset: "quick" });
    expect(metrics.map(({ metric }) => metric)).not.toContain("first-match p99");
  });

  test("that did not alternate have doubled margins for times, and the summary reports it", () => {
    const later = runs(10, 1).map((run, index) => ({ ...run, run: { ...run.run, startedAt: minute(1000 + index) } }));
    const { metrics, summary } = compareStored(runs(10, 0), later, options);
    expect(metrics.map(({ metric, margin }) => [metric, margin])).toEqual([
      ["first-match p50", 0.1],
      ["first-match p95", 0.2],
      ["first-match p99", 0.5],
      ["throughput", 0.05],
    ]);
    expect(summary).toContain("the margins of times are doubled");
    expect(runsAlternate(runs(10, 0), runs(10, 1))).toBe(true);
    expect(runsAlternate(runs(10, 0), later)).toBe(false);
  });

  test("with an invalid start time count as not alternating", () => {
    const [first, ...others] = runs(10, 0);
    expect(runsAlternate([{ ...first!, run: { ...first!.run, startedAt: "yesterday" } }, ...others], runs(10, 1))).toBe(
      false,
    );
  });

  test("a percentile counts only the runs that have it", () => {
    const head = runs(10, 1).map((run, index) => ({
      ...run,
      metrics: run.metrics.map(({ p99, ...rest }): LoadMetric =>
        index === 0 || p99 === undefined ? rest : { ...rest, p99 },
      ),
    }));
    expect(compareStored(runs(10, 0), head, options).metrics[2]).toMatchObject({
      metric: "first-match p99",
      verdict: "inconclusive",
      units: 9,
    });
  });

  test("throughput that falls is regressed, and throughput that rises is improved", () => {
    const with80Percent = (side: 0 | 1) =>
      runs(10, side).map((run) => ({ ...run, outcomes: { stream: { ok: 480, timeout: 120 } } }));
    expect(verdictsOf(runs(10, 0), with80Percent(1))["throughput"]).toBe("regressed");
    expect(verdictsOf(with80Percent(0), runs(10, 1))["throughput"]).toBe("improved");
    const { base, head } = compareStored(runs(10, 0), with80Percent(1), options).metrics[3]!;
    expect([base, head]).toEqual([expect.closeTo(20, 9), expect.closeTo(16, 9)]);
  });
});

describe("failures of stored runs", () => {
  const failing = (side: 0 | 1, failed: (index: number) => number) =>
    runs(10, side).map((run, index) => ({
      ...run,
      outcomes: { stream: { ok: 600 - failed(index), transport: failed(index) } },
    }));

  test.each([
    { name: "in all runs of the head are regressed", failed: (index: number) => 5 + (index % 3), verdict: "regressed" },
    {
      name: "in one run of the head are inconclusive",
      failed: (index: number) => (index === 4 ? 60 : 0),
      verdict: "inconclusive",
    },
    { name: "nowhere are unchanged", failed: () => 0, verdict: "unchanged" },
  ])("$name", ({ failed, verdict }) => {
    expect(compareStored(runs(10, 0), failing(1, failed), options).failures?.verdict).toBe(verdict);
  });

  test("in all of nine runs are too few runs for a verdict", () => {
    const head = failing(1, (index) => 5 + index).slice(1);
    expect(compareStored(runs(10, 0), head, options).failures?.verdict).toBe("inconclusive");
  });

  test("count streams without a match beyond the share that every run has", () => {
    const matchless = (side: 0 | 1, lost: number) =>
      runs(10, side).map((run) => ({
        ...run,
        metrics: run.metrics.map((metric) => ({ ...metric, count: metric.count - lost })),
      }));
    expect(compareStored(matchless(0, 60), matchless(1, 60), options).failures).toMatchObject({
      baseFailed: 0,
      headFailed: 0,
    });
    expect(compareStored(matchless(0, 60), matchless(1, 120), options).failures).toMatchObject({
      baseFailed: 0,
      headFailed: 600,
      verdict: "regressed",
    });
  });
});

describe("conversations", () => {
  const conversation = (side: 0 | 1, { lower, upper }: { lower: number; upper: number }): readonly StoredRun[] =>
    runs(10, side).map((run, index) => ({
      ...run,
      outcomes: { conversation: { ok: 60 } },
      metrics: (["terminal-lower", "terminal-upper", "poll"] as const).map((metric): LoadMetric => {
        const value = { "terminal-lower": lower, "terminal-upper": upper, poll: 20 }[metric] * (1 + index / 1000);
        return { metric, side: "base", count: 60, meanMs: value, minMs: value, maxMs: value, p50: { value } };
      }),
    }));

  test.each([
    { name: "slower even at its lower bound is regressed", head: { lower: 2500, upper: 2520 }, verdict: "regressed" },
    { name: "sooner even at its upper bound is improved", head: { lower: 1980, upper: 2000 }, verdict: "improved" },
    {
      name: "alike, with polls close together, is unchanged",
      head: { lower: 2230, upper: 2250 },
      verdict: "unchanged",
    },
    {
      name: "seen slower, but perhaps equal, is inconclusive",
      head: { lower: 2200, upper: 2700 },
      verdict: "inconclusive",
    },
    {
      name: "slower at the lower end only is inconclusive",
      head: { lower: 2249, upper: 2450 },
      verdict: "inconclusive",
    },
  ])("time to terminal: $name", ({ head, verdict }) => {
    const { metrics } = compareStored(conversation(0, { lower: 2230, upper: 2250 }), conversation(1, head), options);
    expect(metrics.map(({ metric }) => metric)).toEqual(["terminal p50", "poll p50", "throughput"]);
    expect(metrics[0]?.verdict).toBe(verdict);
  });

  test.each([
    { name: "as far apart as half a second", lower: 1750 },
    { name: "so far apart that the first one saw the end", lower: 0 },
  ])("polls $name hide smaller changes: equal times are inconclusive, and the reason is given", ({ lower }) => {
    const alike = { lower, upper: 2250 };
    const { metrics } = compareStored(conversation(0, alike), conversation(1, alike), options);
    expect(metrics[0]).toMatchObject({ verdict: "inconclusive", note: expect.stringContaining("poll more often") });
    expect(metrics[0]).not.toHaveProperty("unitsNeeded");
  });
});

describe("censored times", () => {
  const withCensored = (side: 0 | 1, p50: { value: number; isCensored?: true }): readonly StoredRun[] =>
    runs(10, side).map((run) => ({
      ...run,
      metrics: run.metrics.map((metric): LoadMetric => ({ ...metric, p50, censored: { count: 9, longestMs: 60_000 } })),
    }));

  test("after all times of the base are regressed, with a lower bound as the value", () => {
    const [judged] = compareStored(runs(10, 0), withCensored(1, { value: 60_000, isCensored: true }), options).metrics;
    expect(judged).toMatchObject({ verdict: "regressed", head: 60_000, headIsCensored: true });
    expect(judged?.censored).toEqual({ base: { censored: 0, of: 6000 }, head: { censored: 90, of: 6090 } });
    expect(judged).not.toHaveProperty("high");
  });

  test("are no improvement, however soon measuring stopped", () => {
    const [judged] = compareStored(runs(10, 0), withCensored(1, { value: 1, isCensored: true }), options).metrics;
    expect(judged).toMatchObject({ verdict: "inconclusive", note: expect.stringContaining("had not arrived") });
  });

  test("mean that a head which could not begin all its arrivals has not improved", () => {
    const faster = runs(10, 1, 0.5).map((run) => ({ ...run, outcomes: { stream: { ok: 599, "not-begun": 1 } } }));
    const [judged] = compareStored(runs(10, 0), faster, options).metrics;
    expect(judged).toMatchObject({ verdict: "inconclusive", note: expect.stringContaining("cannot keep up") });
  });
});

describe("runs that cannot be compared", () => {
  const changed = (change: (run: StoredRun) => StoredRun) =>
    runs(10, 1).map((run, index) => (index === 3 ? change(run) : run));
  const plan = (part: Partial<StoredRun["plan"]>) => (run: StoredRun) => ({ ...run, plan: { ...run.plan, ...part } });
  const polling = (pollIntervalMs: number, pollers?: number): ConversationLoad => ({
    interface: "current",
    pollIntervalMs,
    ...defined({ pollers }),
    deadlineMs: 1000,
    questions: [],
    marker: "m",
    budget: 1,
  });

  test.each([
    {
      name: "another scenario",
      head: changed(plan({ scenario: "mixed" })),
      says: "the scenario differs: search-first-match in run base-0, mixed in run head-3.",
    },
    {
      name: "another digest",
      head: changed((run) => ({ ...run, run: { ...run.run, scenarioSha256: "ef".repeat(32) } })),
      says: "the digest of the scenario differs: abababababab in run base-0, efefefefefef in run head-3.",
    },
    {
      name: "another shape",
      head: changed(plan({ shape: "spike" })),
      says: "the shape of the load differs: steady in run base-0, spike in run head-3.",
    },
    {
      name: "another rate",
      head: changed(plan({ ratePerSecond: 40 })),
      says: "the arrival rate differs: 20 a second in run base-0, 40 a second in run head-3.",
    },
    {
      name: "another duration",
      head: changed(plan({ durationMs: 60_000 })),
      says: "the duration differs: 30 s in run base-0, 60 s in run head-3.",
    },
    {
      name: "other queries",
      head: changed(plan({ queries: [{ name: "one", text: "x" }] })),
      says: "the list of queries differs: 50 (q0, q1, q2, ...) in run base-0, 1 (one) in run head-3.",
    },
    {
      name: "another poll interval",
      head: changed(plan({ conversation: polling(500) })),
      says: "the poll interval differs: 0 ms in run base-0, 500 ms in run head-3.",
    },
    {
      name: "another number of pollers",
      head: changed(plan({ conversation: polling(500, 2) })),
      says: "the number of pollers differs: 1 a conversation in run base-0, 2 a conversation in run head-3.",
    },
    {
      name: "another environment",
      head: changed((run) => ({ ...run, environment: { ...run.environment, fingerprint: "00", cores: 8 } })),
      says: "the environment differs: 2 x Simulated with k6 2.2.0, fingerprint cdcdcdcdcdcd, in run base-0, 8 x Simulated with k6 2.2.0, fingerprint 00, in run head-3.",
    },
    {
      name: "an invalid run",
      head: changed((run) => ({ ...run, trust: { valid: false } })),
      says: "run head-3 is invalid: its report says why its figures cannot be trusted; repeat it.",
    },
    {
      name: "an invalid run that was read from a folder",
      head: changed((run) => ({ ...run, trust: { valid: false }, folder: "reports/runs/after-7" })),
      says: "run head-3 (reports/runs/after-7) is invalid: its report says why its figures cannot be trusted; repeat it.",
    },
    {
      name: "an invalid run in a folder that has its id",
      head: changed((run) => ({ ...run, trust: { valid: false }, folder: "reports/runs/head-3" })),
      says: "run head-3 is invalid: its report says why its figures cannot be trusted; repeat it.",
    },
    {
      name: "another rate in a run that was read from a folder",
      head: changed((run) => ({ ...plan({ ratePerSecond: 7 })(run), folder: "after-7" })),
      says: "the arrival rate differs: 20 a second in run base-0, 7 a second in run head-3 (after-7).",
    },
    {
      name: "an incomplete run",
      head: changed((run) => ({ ...run, complete: false })),
      says: "run head-3 ended early; repeat it and let it end.",
    },
    {
      name: "a run on two targets",
      head: changed((run) => ({ ...run, run: { ...run.run, against: "http://127.0.0.1:3" } })),
      says: "run head-3 compares two targets by itself; read its own comparison, or take runs on one target.",
    },
    {
      name: "a run named twice",
      head: runs(10, 1).concat(runs(1, 1)),
      says: "run head-0 was passed more than once; pass each run once.",
    },
    { name: "no runs", head: [], says: "the head has no runs." },
  ])("$name", ({ head, says }) => {
    const comparison = compareStored(runs(10, 0), head, options);
    expect(comparison.incomparable).toContain(says);
    expect(comparison).toMatchObject({ verdict: "inconclusive", metrics: [] });
    expect(comparison.failures).toBeUndefined();
  });

  test("the marker of a run's questions and its targets may differ", () => {
    const head = changed((run) => ({
      ...run,
      run: { ...run.run, target: "http://127.0.0.1:9" },
      plan: { ...run.plan, targets: { base: "http://127.0.0.1:9" } },
    }));
    expect(compareStored(runs(10, 0), head, options).incomparable).toEqual([]);
  });
});
