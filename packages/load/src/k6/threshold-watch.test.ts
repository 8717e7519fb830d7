import type { LoadPlan, LoadSample, StreamSample } from "@assay/results";
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

/** The number of samples after which the run ends, and the reason; empty if it does not end. */
const endOf = (text: string, samples: readonly LoadSample[], given: LoadPlan = plan) => {
  const watch = createThresholdWatch([parseThreshold(text, "abort")], given);
  const ends = samples.map((sample) => watch.add(sample));
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

  test("with one sentence that has the counts", () => {
    expect(endOf("first-match p95 < 800", times(200, slow))?.why).toBe(
      "the run was ended after 2.7 s, because `first-match p95 < 800` can no longer be met: 19 of at most 202 samples are over it",
    );
  });

  test("when arrivals that could not begin have waited for longer than the limit", () => {
    // The 27th comes 800 ms after the 19th was to come.
    expect(endOf("first-match p95 < 800", times(50, notBegun))?.after).toBe(27);
  });

  test("of two targets by the slow one", () => {
    const blocks = { pairs: 10, warmupPairs: 0, requestsPerBlock: 20, gapRequests: 0, seed: 1 };
    const paired = planWith({ blocks, targets: { base: "http://a", head: "http://b" } });
    const both = times(400, (at) => ({
      ...(at % 2 === 0 ? fast(at) : slow(at)),
      side: at % 2 === 0 ? "base" : "head",
    }));
    expect(endOf("first-match p95 < 800", both, paired)?.after).toBe(2 * 19);
  });
});

/** Why a run ends that has seen some samples, while others are under way since their plan. */
const endUnderWay = (text: string, seen: readonly LoadSample[], underWay: readonly LoadSample[]) => {
  const watch = createThresholdWatch([parseThreshold(text, "abort")], plan);
  const ended = seen.map((sample) => watch.add(sample)).find((sentence) => sentence !== undefined);
  return ended ?? watch.checkUnderWay(underWay);
};
const open = (at: number, changes: Partial<StreamSample> = {}): LoadSample =>
  failedAt(at * 100, "canceled", { sendMs: at * 100, endMs: 5000, ...changes });

describe("unfinished requests end a run", () => {
  test.each<[string, string, readonly LoadSample[], readonly LoadSample[]]>([
    ["when too many wait for longer than the limit", "first-match p95 < 800", [], times(19, open)],
    ["together with what has ended", "first-match p95 < 800", times(10, slow), times(19, open).slice(10)],
    ["when the first one does, for the largest", "first-match max < 800", times(9, fast), [open(9)]],
    ["when all have waited for more than all may", "first-match mean < 100", [], times(19, open)],
    ["by the end of the stream, whose first match has come", "stream max < 800", [], [open(1, { firstMatchMs: 120 })]],
  ])("%s", (...[, text, seen, underWay]) => {
    expect(endUnderWay(text, seen, underWay)).toContain("still under way");
  });

  test("with one sentence that has their number", () => {
    expect(endUnderWay("first-match p95 < 800", times(10, slow), times(19, open).slice(10))).toBe(
      "the run was ended after 5.0 s, because `first-match p95 < 800` can no longer be met: 19 of at most 202 samples are over it, 9 of them still under way",
    );
  });
});

describe("unfinished requests do not end a run", () => {
  test.each<[string, string, readonly LoadSample[], readonly LoadSample[]]>([
    ["while too few wait", "first-match p95 < 800", [], times(18, open)],
    ["while they wait no longer than the limit", "first-match p95 < 6s", [], times(40, open)],
    ["when its first match has come", "first-match max < 800", [], [open(1, { firstMatchMs: 120 })]],
    ["in the warm-up", "first-match max < 800", [], [open(1, { phase: "warmup" })]],
    ["when the generator sent it late", "first-match max < 800", [], [open(1, { sendMs: 900 })]],
    ["when others were sent late", "first-match max < 800", times(50, late), [open(1)]],
    ["where it may still go well", "ok-rate >= 0.99", [], times(200, open)],
  ])("%s", (...[, text, seen, underWay]) => {
    expect(endUnderWay(text, seen, underWay)).toBeUndefined();
  });

  test("twice: it is forgotten again", () => {
    const watch = createThresholdWatch([parseThreshold("first-match p95 < 800", "abort")], plan);
    const looks = times(5, () => open(0)).map(() => watch.checkUnderWay(times(18, open)));
    expect([...looks, watch.add(slow(30))]).toEqual([...looks.map(() => undefined), undefined]);
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
    expect(times(50, slow).map((sample) => watch.add(sample))).toEqual(times(50, slow).map(() => undefined));
  });
});

test("a threshold that ended a run is missed by the samples until then and with any that could have followed", () => {
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
