import type { LoadSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAt, conversationAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { findKnee } from "./knee.ts";
import { selectIntervalWidthMs } from "./load-tally.ts";
import { tallySamples } from "./load-tally.ts";

const tallyOf = (samples: readonly LoadSample[], plan = planWith()) => tallySamples(plan, [{ epochMs: 1000, samples }]);
const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_n, at) => make(at));

describe("the tally", () => {
  test("latencies count from the planned sending, in the measured phase only, also of streams that failed after their first match", () => {
    const { metrics } = tallyOf([
      streamAt(0, { phase: "warmup" }),
      streamAt(1000),
      streamAt(1100, { firstMatchMs: 1150, endMs: 1200 }),
      failedAt(1200, "timeout"),
      failedAt(1300, "violation", { firstMatchMs: 1335, codes: { "no-done": 1 } }),
    ]);
    const means = Object.fromEntries(metrics.map(({ metric, count, meanMs }) => [metric, [count, meanMs]]));
    expect(means).toEqual({
      headers: [2, 5],
      "first-event": [2, 6],
      "first-match": [3, 35],
      stream: [2, 70],
      "start-lag": [4, 0.25],
    });
  });

  test("a conversation gives both ends of its bracket, its calls their own latencies", () => {
    const { metrics } = tallyOf([
      callAt(0, "create"),
      callAt(250, "poll"),
      callAt(500, "delete"),
      conversationAt(0),
      (({ lastOpenMs: _none, ...rest }) => rest)(conversationAt(100)),
      conversationAt(200, { outcome: "unfinished" }),
    ]);
    expect(metrics.map(({ metric, count, minMs, maxMs }) => [metric, count, minMs, maxMs])).toEqual([
      ["create", 1, 4, 4],
      ["poll", 1, 4, 4],
      ["delete", 1, 4, 4],
      ["terminal-lower", 2, 0.5, 500],
      ["terminal-upper", 2, 750, 750],
      ["start-lag", 1, 0.5, 0.5],
    ]);
  });

  test("percentiles need 20, 100 and 500 samples", () => {
    const given = [19, 20, 99, 100, 499, 500].map((count) => {
      const [metric] = tallyOf(times(count, (at) => streamAt(at, { headersMs: at + at / 10 }))).metrics;
      return [metric?.p50?.value, metric?.p95?.value, metric?.p99?.value];
    });
    expect(given).toEqual([
      [undefined, undefined, undefined],
      [0.9, undefined, undefined],
      [4.9, undefined, undefined],
      [4.9, 9.4, undefined],
      [24.9, 47.4, undefined],
      [24.9, 47.4, 49.4],
    ]);
  });

  test("a percentile has an interval if there are enough samples for one", () => {
    const [metric] = tallyOf(times(100, (at) => streamAt(at, { headersMs: at + at }))).metrics;
    expect([metric?.p50, metric?.p95]).toEqual([
      { value: 49, low: 39, high: 60 },
      { value: 94, low: 89, high: 99 },
    ]);
  });

  test("violations of all phases count, also one without a code", () => {
    const { violations } = tallyOf([
      failedAt(0, "violation", { phase: "warmup", codes: { "no-done": 2 } }),
      failedAt(1, "violation"),
      callAt(2, "poll", { outcome: "violation", codes: { "illegal-transition": 1 } }),
    ]);
    expect(violations).toEqual({ "no-done": 2, unnamed: 1, "illegal-transition": 1 });
  });

  test("warm-up pairs are ignored, whatever the phase of their samples", () => {
    const plan = planWith({ blocks: { pairs: 2, warmupPairs: 1, requestsPerBlock: 1, gapRequests: 0, seed: 1 } });
    expect(tallyOf([streamAt(0, { pair: 0 }), streamAt(1, { pair: 1 })], plan).outcomes).toEqual({ stream: { ok: 1 } });
  });

  test("outcomes are counted by kind, arrivals by side", () => {
    const { outcomes, sides } = tallyOf([streamAt(0), failedAt(1, "timeout", { side: "head" }), callAt(2, "poll")]);
    expect(outcomes).toEqual({ stream: { ok: 1, timeout: 1 }, call: { ok: 1 } });
    expect(sides).toEqual([
      { side: "base", outcomes: { ok: 1 } },
      { side: "head", outcomes: { timeout: 1 } },
    ]);
  });
});

describe("intervals", () => {
  test.each([
    [60_000, 1000],
    [5 * 60_000 - 5000, 1000],
    [5 * 60_000, 10_000],
    [60 * 60_000 - 5000, 10_000],
    [60 * 60_000, 60_000],
  ])("a run of %d ms has intervals of %d ms", (durationMs, widthMs) => {
    expect(selectIntervalWidthMs(planWith({ durationMs }))).toBe(widthMs);
  });

  test("they begin with the first planned sending, and keep phases and sides apart", () => {
    const samples = [
      streamAt(5500, { phase: "warmup" }),
      streamAt(6499),
      streamAt(6500, { firstMatchMs: 6510 }),
      failedAt(6600, "timeout", { side: "head" }),
      failedAt(6700, "held-back"),
      callAt(6800, "poll"),
    ];
    expect(tallyOf(samples).intervals).toEqual([
      { fromMs: 0, toMs: 1000, phase: "warmup", side: "base", planned: 1, ok: 1, failed: 0, p50Ms: 20, p95Ms: 20 },
      { fromMs: 0, toMs: 1000, phase: "measure", side: "base", planned: 1, ok: 1, failed: 0, p50Ms: 20, p95Ms: 20 },
      // A held-back search is slower than the end of the run, one that timed out is slower than its deadline.
      {
        fromMs: 1000,
        toMs: 2000,
        phase: "measure",
        side: "base",
        planned: 2,
        ok: 1,
        failed: 0,
        p50Ms: 10,
        p95Ms: 104,
        censored: 1,
      },
      {
        fromMs: 1000,
        toMs: 2000,
        phase: "measure",
        side: "head",
        planned: 1,
        ok: 0,
        failed: 1,
        p50Ms: 40,
        p95Ms: 40,
        censored: 1,
      },
    ]);
  });

  test("samples of several processes are put on one clock", () => {
    const processes = [
      { epochMs: 2500, samples: [streamAt(0)] },
      { epochMs: 1000, samples: [streamAt(0)] },
    ];
    expect(tallySamples(planWith(), processes).intervals.map(({ fromMs }) => fromMs)).toEqual([0, 1000]);
  });
});

describe("the knee of a breakpoint", () => {
  const plan = planWith({ shape: "breakpoint", durationMs: 10_000, ratePerSecond: 100 });
  /** A step of a second for each latency, with 25 samples. */
  const steps = (latencies: readonly number[]): readonly LoadSample[] =>
    latencies.flatMap((latencyMs, step) =>
      times(25, (at) => streamAt(step * 1000 + at * 40, { firstMatchMs: step * 1000 + at * 40 + latencyMs })),
    );
  const knee = (samples: readonly LoadSample[], given = plan) => findKnee(given, [{ epochMs: 7, samples }]);
  const calm = [20, 21, 20, 22, 21, 25, 30, 39];

  test("is the last step before latencies double", () => {
    expect(knee(steps([...calm, 90, 400]))).toEqual({
      ratePerSecond: 80,
      sentence: expect.stringContaining("90.0 ms"),
    });
  });

  test("is higher than the highest rate if that is sustained", () => {
    expect(knee(steps([...calm, 39, 38]))).toEqual({
      ratePerSecond: 100,
      sentence: expect.stringContaining("is higher"),
    });
  });

  test("is the last step before something fails or is held back", () => {
    expect(knee([...steps([...calm, 39, 38]), failedAt(5500, "timeout")])).toMatchObject({ ratePerSecond: 50 });
    expect(knee([...steps([...calm, 39, 38]), failedAt(2500, "held-back")])).toMatchObject({ ratePerSecond: 20 });
  });

  test("is not given without samples enough, or for another shape", () => {
    expect(knee(steps([20, 20, 20]))).toBeUndefined();
    expect(knee(steps(calm), planWith())).toBeUndefined();
  });
});
