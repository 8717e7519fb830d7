import type { LoadSide } from "@assay/contract";
import { describeMeasurement, type LoadResult, type LoadSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { callAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { tallySamples } from "./load-tally.ts";
import { defaultOkRate, judgeThresholds, findLowestOkRate, parseThreshold, listScriptThresholds } from "./threshold.ts";

const latency = {
  kind: "latency",
  metric: "first-match",
  statistic: "p95",
  isStrict: true,
  limitMs: 800,
};

describe("a threshold that is written as", () => {
  test.each<[string, object]>([
    ["first-match p95 < 800", { ...latency, text: "first-match p95 < 800" }],
    ["  first-match   p95<800ms ", { ...latency, text: "first-match p95 < 800ms" }],
    ["first-match p95 <= 0.8 s", { ...latency, isStrict: false, text: "first-match p95 <= 0.8 s" }],
    ["terminal-upper max < 60s", { metric: "terminal-upper", statistic: "max", limitMs: 60_000 }],
    ["ok-rate >= 0.99", { kind: "ok-rate", isStrict: false, limitFraction: 0.99 }],
    ["ok-rate >= 100%", { kind: "ok-rate", isStrict: false, limitFraction: 1 }],
    ["start-lag max <= 0", { metric: "start-lag", isStrict: false, limitMs: 0 }],
    ["ok-rate>99.5%", { kind: "ok-rate", isStrict: true, limitFraction: 0.995 }],
  ])("`%s` is understood", (text, threshold) => {
    expect(parseThreshold(text)).toMatchObject(threshold);
  });

  test.each<[string, string]>([
    ["", "write a metric"],
    ["first-match p95", "write a metric"],
    ["first-match p95 > 800", "write a metric"],
    ["first-match p90 < 800", "write a metric"],
    ["first-match p95 < -5", "write a metric"],
    ["first-match p95 < 5 and more", "write a metric"],
    ["first-mach p95 < 800", "there is no metric `first-mach` (did you mean `first-match`?); there are headers, "],
    ["zzzzzzzzzzzzzzz p95 < 800", "there is no metric `zzzzzzzzzzzzzzz`; there are headers, "],
    ["ok-rate >= 99", "a share is at most 1, or 100%"],
    ["ok-rate > 1", "no share is above 1, so no run could meet it; write `ok-rate >= 1`"],
    ["ok-rate > 100%", "no share is above 1, so no run could meet it; write `ok-rate >= 1`"],
    ["first-match p95 < 0", "no time is below 0, so no run could meet it"],
    ["stream max < 0.0s", "no time is below 0, so no run could meet it"],
    ["ok-rate < 0.99", "write a metric"],
    ["x".repeat(5000), "write a metric"],
  ])("`%s` is refused in one sentence", (text, words) => {
    expect(() => parseThreshold(text)).toThrow(
      expect.objectContaining({ code: "bad-threshold", message: expect.stringContaining(words) }),
    );
  });
});

const limitMs = 80;
const ofSide = (side: LoadSide, seen: readonly number[], censored: readonly number[] = []): readonly LoadSample[] => [
  ...seen.map((ms, at) => streamAt(at, { side, firstMatchMs: at + ms, endMs: at + ms })),
  ...censored.map((ms, at) => failedAt(at, "timeout", { side, endMs: at + ms })),
];
const times = (count: number, ms: number): readonly number[] => Array.from({ length: count }, () => ms);
const judge = (text: string, samples: readonly LoadSample[]) =>
  judgeThresholds([parseThreshold(text)], tallySamples(planWith(), [{ epochMs: 0, samples }]))[0];

describe("a percentile", () => {
  test.each<[string, string, readonly number[], readonly number[], boolean | undefined]>([
    ["is kept by enough samples", "p95 < 80", [...times(95, 10), ...times(5, 99)], [], true],
    ["at its limit is not below it", "p95 < 80", times(100, 80), [], false],
    ["at its limit is not above it", "p95 <= 80", times(100, 80), [], true],
    ["is not called missed by what may be chance", "p95 < 80", [...times(92, 10), ...times(8, 99)], [], undefined],
    ["is missed by more than chance puts there", "p95 < 80", [...times(87, 10), ...times(13, 99)], [], false],
    ["of few samples is missed when nearly all are beyond", "p95 < 80", [...times(6, 10), ...times(44, 99)], [], false],
    ["of few samples is not kept, however fast", "p95 < 80", times(50, 1), [], undefined],
    ["of a few more is kept beyond doubt", "p95 < 80", times(90, 1), [], true],
    ["is missed by what did not come in time", "p95 < 80", [], times(50, 60_000), false],
    ["is kept with what was watched for too short a time", "p95 < 80", times(100, 10), times(5, 1), true],
    ["is estimated where that could decide", "p95 < 80", times(200, 10), times(20, 1), true],
    ["is not decided by requests that were not watched long enough", "p95 < 80", [], times(50, 1), undefined],
  ])("%s", (...[, text, seen, censored, ok]) => {
    expect(judge(`first-match ${text}`, ofSide("base", seen, censored))?.ok).toBe(ok);
  });

  test("reports how many are over the limit, and how many were not watched that long", () => {
    const threshold = judge("first-match p95 < 80", ofSide("base", times(6, 10), [...times(40, 99), ...times(4, 1)]));
    expect(threshold).toEqual({
      threshold: "first-match p95 < 80",
      limitMs,
      counts: { count: 50, over: 40, unknown: 4 },
      ok: false,
    });
    expect(describeMeasurement(threshold ?? { threshold: "" })).toBe(
      "at least 40 of 50 over it, 4 not watched that long",
    );
  });

  test("among unfinished requests is a lower bound", () => {
    const threshold = judge("first-match p50 < 80", ofSide("base", times(40, 10), times(80, 42_000)));
    expect(threshold).toMatchObject({ valueMs: 42_000, isCensored: true, ok: false });
    expect(describeMeasurement(threshold ?? { threshold: "" })).toBe("> 42.0 s; 80 of 120 over it");
  });

  test.each<[string, readonly LoadSample[]]>([
    ["without samples", []],
    ["of other metrics alone", [callAt(0, "poll")]],
  ])("%s is not decided", (_name, samples) => {
    expect(judge("first-match p95 < 80", samples)).toEqual({
      threshold: "first-match p95 < 80",
      limitMs,
    });
  });

  test.each<[string, readonly number[], boolean | undefined]>([
    ["misses", times(100, 99), false],
    ["has too few", times(10, 1), undefined],
    ["keeps it more narrowly", times(100, 79), true],
  ])("of two targets is that of the target that %s", (_name, seen, ok) => {
    expect(judge("first-match p95 < 80", [...ofSide("base", times(100, 1)), ...ofSide("head", seen)])?.ok).toBe(ok);
  });
});

describe("mean and largest value", () => {
  test.each<[string, readonly number[], readonly number[], boolean | undefined]>([
    ["mean < 21", [10, 30], [], true],
    ["mean < 20", [10, 30], [], false],
    ["max < 30", [10, 30], [], false],
    ["max <= 30", [10, 30], [], true],
    ["max < 80", [10], [99], false],
    ["max < 80", [10, 99], [5], false],
    ["max < 80", [10], [5], undefined],
    ["mean < 80", [10], [300], false],
    ["mean < 80", [10], [20], undefined],
  ])("%s of %j, and slower than %j: %s", (...[text, seen, censored, ok]) => {
    expect(judge(`first-match ${text}`, ofSide("base", seen, censored))?.ok).toBe(ok);
  });
});

describe("the share that went well", () => {
  test.each<[string, LoadResult["outcomes"], number | undefined]>([
    ["nothing tried", { stream: { canceled: 3, limit: 1 } }, undefined],
    [
      "what could not begin did not go well",
      { stream: { ok: 3, "not-begun": 6, "held-back": 2, "over-budget": 1 } },
      0.25,
    ],
    ["nothing could begin", { stream: { "not-begun": 9 } }, 0],
    ["all well", { stream: { ok: 10, canceled: 5 } }, 1],
    ["a tenth failed", { stream: { ok: 9, timeout: 1 } }, 0.9],
    ["the worst kind counts", { call: { ok: 100 }, conversation: { ok: 1, unfinished: 1 } }, 0.5],
    ["violations count as failures", { stream: { ok: 1, violation: 3 } }, 0.25],
  ])("the share that went well: %s", (_name, outcomes, share) => {
    expect(findLowestOkRate(outcomes)?.share).toBe(share);
    const [judged] = judgeThresholds([parseThreshold("ok-rate >= 0.9")], {
      metrics: [],
      latencies: new Map(),
      targetFailuresByKind: {},
      outcomes,
    });
    expect(judged?.ok).toBe(share === undefined ? undefined : share >= 0.9);
  });
});

test("arrivals that could not begin are not successes, for default and given thresholds, and are counted", () => {
  const outcomes = { stream: { ok: 90, "not-begun": 6, "held-back": 4 }, call: { ok: 9, timeout: 0 } };
  const judged = judgeThresholds([defaultOkRate, parseThreshold("ok-rate >= 0.99")], {
    metrics: [],
    latencies: new Map(),
    targetFailuresByKind: {},
    outcomes,
  });
  expect(judged.map(({ valueFraction, ok }) => [valueFraction, ok])).toEqual([
    [0.9, false],
    [0.9, false],
  ]);
  expect(judged.map(describeMeasurement)).toEqual([
    "90 %; 10 of 100 could not begin",
    "90 %; 10 of 100 could not begin",
  ]);
});

test("a threshold that ends a run is refused if its samples cannot be counted in advance", () => {
  expect(parseThreshold("first-match p95 < 800", "abort")).toMatchObject({ severity: "abort" });
  expect(() => parseThreshold("poll p95 < 800", "abort")).toThrow(/is unknown until the run has ended/u);
});

test("thresholds of a user's script are adopted, those of Assay's scripts are judged from samples", () => {
  const given = {
    "stream_ok{phase:measure} rate>=0.99": false,
    "dropped_iterations count==0": false,
    "mine p(95)<5": false,
  };
  expect(listScriptThresholds(given)).toEqual([{ threshold: "k6: mine p(95)<5", ok: false }]);
});
