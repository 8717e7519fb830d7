import type { LoadPlan, LoadSample } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeThresholds, parseThreshold } from "../result/threshold.ts";
import { tallySamples } from "../result/load-tally.ts";
import { callAt, conversationAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { createThresholdWatch } from "./threshold-watch.ts";

/** 200 arrivals. */
const plan = planWith({ ratePerSecond: 10, durationMs: 20_000, warmupMs: 0 });
const slow = (at: number): LoadSample => streamAt(at * 100, { firstMatchMs: at * 100 + 900, endMs: at * 100 + 901 });
const fast = (at: number): LoadSample => streamAt(at * 100);
const timedOut = (at: number): LoadSample => failedAt(at * 100, "timeout", { endMs: at * 100 + 5000 });
const notBegun = (at: number): LoadSample => failedAt(at * 100, "not-begun", { sendMs: at * 100, endMs: at * 100 });
const late = (at: number): LoadSample => streamAt(at * 100, { sendMs: at * 100 + 890, firstMatchMs: at * 100 + 900 });
const times = (count: number, make: (at: number) => LoadSample): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, at) => make(at));

/** After how many samples the run ends, and why; none where it does not. */
const endOf = (text: string, samples: readonly LoadSample[], given: LoadPlan = plan) => {
  const watch = createThresholdWatch([parseThreshold(text, "abort")], given);
  const ends = samples.map((sample) => watch.see(sample));
  const at = ends.findIndex((sentence) => sentence !== undefined);
  return at < 0 ? undefined : { after: at + 1, why: ends[at] };
};

describe("a run ends", () => {
  test.each<[string, string, readonly LoadSample[], number]>([
    ["when more are late than a tenth of all arrivals", "first-match p95 < 800", times(200, slow), 19],
    ["likewise of what did not come at all", "first-match p95 < 800", times(200, timedOut), 19],
    ["for the median when far more than half are late", "first-match p50 < 800", times(200, slow), 119],
    ["for the largest with the first that is late", "first-match max < 800", [...times(9, fast), slow(9)], 10],
    ["for the mean when the sum is more than all may have", "first-match mean < 9", times(200, slow), 3],
    ["for the share when too many failed", "ok-rate >= 0.99", times(200, timedOut), 3],
    ["for conversations", "terminal-upper max < 700", [conversationAt(0)], 1],
  ])("%s", (...[, text, samples, after]) => {
    expect(endOf(text, samples)?.after).toBe(after);
  });

  test("with one sentence that says what was seen", () => {
    expect(endOf("first-match p95 < 800", times(200, slow))?.why).toBe(
      "the run was ended after 2.7 s, because `first-match p95 < 800` can no longer be kept: 19 of at most 202 samples are over it",
    );
  });

  test("when what could not begin has waited for longer than the limit", () => {
    // The 27th comes 800 ms after the 19th was to come.
    expect(endOf("first-match p95 < 800", times(50, notBegun))?.after).toBe(27);
  });

  test("of two targets by the one that is late", () => {
    const blocks = { pairs: 10, warmupPairs: 0, requestsPerBlock: 20, gapRequests: 0, seed: 1 };
    const paired = planWith({ blocks, targets: { a: "http://a", b: "http://b" } });
    const both = times(400, (at) => ({ ...(at % 2 === 0 ? fast(at) : slow(at)), arm: at % 2 === 0 ? "a" : "b" }));
    expect(endOf("first-match p95 < 800", both, paired)?.after).toBe(2 * 19);
  });
});

describe("a run goes on", () => {
  test.each<[string, string, readonly LoadSample[]]>([
    ["while all keep the limit", "first-match p95 < 800", times(200, fast)],
    ["while too few are late for a verdict", "first-match p95 < 800", [...times(180, fast), ...times(15, slow)]],
    ["for what is late in the warm-up", "first-match max < 8", times(50, (at) => ({ ...slow(at), phase: "warmup" }))],
    ["where the generator sent them late", "first-match p95 < 800", times(200, late)],
    ["where the generator sent them late and another was slow", "first-match max < 800", [...times(50, late), slow(1)]],
    ["for calls of another kind", "create max < 1", [callAt(0, "poll")]],
    ["where nothing may end it", "ok-rate >= 0.5", times(50, timedOut)],
  ])("%s", (...[, text, samples]) => {
    expect(endOf(text, samples)).toBeUndefined();
  });

  test("for thresholds that only fail or warn", () => {
    const watch = createThresholdWatch(
      [parseThreshold("first-match max < 1"), parseThreshold("first-match max < 1", "warn")],
      plan,
    );
    expect(times(50, slow).map((sample) => watch.see(sample))).toEqual(times(50, slow).map(() => undefined));
  });
});

test("what ended a run is missed, by what was seen until then and by all that might have followed", () => {
  const outcome = fc.constantFrom(fast, slow, timedOut);
  const text = fc.constantFrom(
    "first-match p50 < 800",
    "first-match p95 < 800",
    "first-match max < 800",
    "ok-rate > 0.9",
  );
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 202, maxLength: 202 }), text, (makes, threshold) => {
      const samples = makes.map((make, at) => make(at));
      const after = endOf(threshold, samples)?.after ?? samples.length + 1;
      const lengths = [samples.length, Math.min(after, samples.length)].filter((length) => length >= after);
      const judged = lengths.map(
        (length) =>
          judgeThresholds(
            [parseThreshold(threshold, "abort")],
            tallySamples(plan, [{ epochMs: 0, samples: samples.slice(0, length) }]),
          )[0]?.ok,
      );
      expect(judged).toEqual(lengths.map(() => false));
    }),
  );
});
