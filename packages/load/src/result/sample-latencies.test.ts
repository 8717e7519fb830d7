import { defined } from "@assay/contract";
import type { LoadMetricName, LoadSample, StreamSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAt, conversationAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { tallySamples } from "./load-tally.ts";
import { findLastEndMs, forEachLatency, type SampleLatency } from "./sample-latencies.ts";

/** The run ended a minute after its zero. */
const endMs = 60_000;
/** One latency of a sample in milliseconds; undefined if it has none. */
const latencyOf = (sample: LoadSample, metric: LoadMetricName) => {
  const found: SampleLatency[] = [];
  forEachLatency(sample, endMs, (latency) => found.push(latency));
  const latency = found.find((one) => one.metric === metric);
  return latency && { value: latency.value / 1000, isCensored: latency.isCensored };
};
const exact = (value: number) => ({ value, isCensored: false });
const censored = (value: number) => ({ value, isCensored: true });
const { firstMatchMs: _match, ...matchless } = streamAt(1000);

describe("the first match of a stream", () => {
  test.each<[string, LoadSample, object | undefined]>([
    ["that went well", streamAt(1000), exact(20)],
    ["that went well without any", matchless, undefined],
    ["that timed out before it", failedAt(1000, "timeout", { endMs: 31_000 }), censored(30_000)],
    ["that timed out after it", failedAt(1000, "timeout", { firstMatchMs: 5000, endMs: 31_000 }), exact(4000)],
    ["that the end of the run cut off", failedAt(1000, "canceled", { endMs: 43_000 }), censored(42_000)],
    ["that the death of the target cut off", failedAt(1000, "transport", { endMs: 1700 }), censored(700)],
    ["that could not begin", failedAt(1000, "not-begun", { sendMs: 1000, endMs: 1000 }), censored(59_000)],
    ["that was held back", failedAt(1000, "held-back", { sendMs: 1000, endMs: 1000 }), censored(59_000)],
    ["that was answered by an error", failedAt(1000, "bad-status"), undefined],
    ["that was refused", failedAt(1000, "refused"), undefined],
    ["that came in a stream of wrong form", streamAt(1000, { outcome: "violation", ended: "done" }), exact(20)],
    ["that came before it broke off", streamAt(1000, { outcome: "violation", ended: "eof" }), exact(20)],
    ["that came in one of a file of an earlier version", streamAt(1000, { outcome: "violation" }), exact(20)],
    ["that never came in one of wrong form", { ...matchless, outcome: "violation", ended: "done" }, undefined],
    ["that never came before it broke off", { ...matchless, outcome: "violation", ended: "eof" }, undefined],
    [
      "that had not come in one of wrong form when it timed out",
      failedAt(1000, "violation", { ended: "timeout", endMs: 31_000 }),
      censored(30_000),
    ],
    ["that was planned and not begun as the run ended", failedAt(endMs, "not-begun", { endMs }), censored(0)],
  ])("%s", (...[, sample, latency]) => {
    expect(latencyOf(sample, "first-match")).toEqual(latency);
  });
});

test.each<[string, StreamSample["ended"], object | undefined]>([
  ["with `done`", "done", exact(40)],
  ["without `done`", "eof", undefined],
  ["at its deadline", "timeout", censored(40)],
  ["nobody knows how", undefined, undefined],
])("the end of a stream of wrong form that ended %s", (_how, ended, latency) => {
  const sample = streamAt(1000, { outcome: "violation", ...defined({ ended }) });
  expect(latencyOf(sample, "stream")).toEqual(latency);
});

test.each<[string, LoadSample, "create" | "poll" | "terminal-upper" | "terminal-lower", object | undefined]>([
  ["a call that timed out", callAt(0, "poll", { outcome: "timeout", endMs: 900 }), "poll", censored(900)],
  ["a call of another kind", callAt(0, "poll"), "create", undefined],
  [
    "a conversation at its deadline",
    conversationAt(0, { outcome: "unfinished", endMs: 9000 }),
    "terminal-upper",
    censored(9000),
  ],
  ["one that could not begin", conversationAt(10_000, { outcome: "not-begun" }), "terminal-lower", censored(50_000)],
  ["one over the budget", conversationAt(10_000, { outcome: "over-budget" }), "terminal-upper", undefined],
])("%s", (...[, sample, metric, latency]) => {
  expect(latencyOf(sample, metric)).toEqual(latency);
});

test("a run ends with the last of its samples", () => {
  expect([findLastEndMs([streamAt(0), streamAt(500)]), findLastEndMs([])]).toEqual([540, 0]);
});

describe("figures of a target whose first match takes 42 s, in a load of a minute", () => {
  const started = Array.from({ length: 120 }, (_none, at) => at * 500);
  const slow = started.map((planMs) =>
    planMs + 42_000 <= endMs
      ? streamAt(planMs, { firstMatchMs: planMs + 42_000, endMs: planMs + 42_001 })
      : failedAt(planMs, "canceled", { endMs }),
  );
  const matchOf = (samples: readonly LoadSample[]) =>
    tallySamples(planWith(), [{ epochMs: 0, samples }]).metrics.find(({ metric }) => metric === "first-match");

  test("are those of all streams, not only of the finished ones", () => {
    expect(matchOf(slow)).toMatchObject({
      count: 37,
      censored: { count: 83, longestMs: 41_500 },
      p50: { value: 42_000 },
      p95: { value: 42_000 },
    });
  });

  test("have the longest wait if no stream finished", () => {
    const never = started.map((planMs) => failedAt(planMs, "canceled", { endMs }));
    expect(matchOf(never)).toMatchObject({
      count: 0,
      maxMs: 60_000,
      censored: { count: 120, longestMs: 60_000 },
      p50: { value: 30_000, isCensored: true },
      p95: { value: 57_000, isCensored: true },
    });
  });
});
