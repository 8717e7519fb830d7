import type { LoadMetric, LoadResult } from "@assay/results";
import { describe, expect, test } from "vitest";
import { judgeThresholds, okRateOf, parseThreshold, scriptThresholds } from "./threshold.ts";

const latency = { kind: "latency", metric: "first-match", statistic: "p95", isStrict: true, limitMs: 800 };

describe("a threshold that is written as", () => {
  test.each<[string, object]>([
    ["first-match p95 < 800", { ...latency, text: "first-match p95 < 800" }],
    ["  first-match   p95<800ms ", { ...latency, text: "first-match p95 < 800ms" }],
    ["first-match p95 <= 0.8 s", { ...latency, isStrict: false, text: "first-match p95 <= 0.8 s" }],
    ["terminal-upper max < 60s", { metric: "terminal-upper", statistic: "max", limitMs: 60_000 }],
    ["ok-rate >= 0.99", { kind: "ok-rate", isStrict: false, limitFraction: 0.99 }],
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
    ["ok-rate < 0.99", "write a metric"],
    ["x".repeat(5000), "write a metric"],
  ])("`%s` is refused in one sentence", (text, words) => {
    expect(() => parseThreshold(text)).toThrow(
      expect.objectContaining({ code: "bad-threshold", message: expect.stringContaining(words) }),
    );
  });
});

const metric = (changes: Partial<LoadMetric> = {}): LoadMetric => ({
  metric: "first-match",
  arm: "a",
  count: 100,
  meanMs: 20,
  minMs: 1,
  maxMs: 90,
  p95: { value: 80, low: 70, high: 90 },
  ...changes,
});
const judge = (text: string, metrics: readonly LoadMetric[], outcomes: LoadResult["outcomes"] = {}) =>
  judgeThresholds([parseThreshold(text)], { metrics, outcomes })[0];

describe("judging", () => {
  test.each<[string, boolean]>([
    ["first-match p95 < 80", false],
    ["first-match p95 <= 80", true],
    ["first-match p95 < 80.1", true],
    ["first-match mean < 21", true],
    ["first-match max < 90", false],
  ])("%s: %s", (text, ok) => {
    expect(judge(text, [metric()])?.ok).toBe(ok);
  });

  test.each<[string, readonly LoadMetric[]]>([
    ["without samples", []],
    ["of other metrics alone", [metric({ metric: "poll" })]],
    ["of two targets when one has too few", [metric(), (({ p95: _p95, ...rest }) => rest)(metric({ arm: "b" }))]],
  ])("a percentile %s is not judged", (_name, metrics) => {
    expect(judge("first-match p95 < 80", metrics)).toEqual({ threshold: "first-match p95 < 80", limitMs: 80 });
  });

  test("of two targets the slower one decides", () => {
    const slow = metric({ arm: "b", p95: { value: 95 } });
    expect(judge("first-match p95 < 90", [metric(), slow])).toMatchObject({ ok: false, valueMs: 95 });
  });

  test.each<[string, LoadResult["outcomes"], number | undefined]>([
    ["nothing tried", { stream: { canceled: 3, "held-back": 2, "over-budget": 1, limit: 1 } }, undefined],
    ["all well", { stream: { ok: 10, canceled: 5 } }, 1],
    ["a tenth failed", { stream: { ok: 9, timeout: 1 } }, 0.9],
    ["the worst kind counts", { call: { ok: 100 }, conversation: { ok: 1, unfinished: 1 } }, 0.5],
    ["violations count as failures", { stream: { ok: 1, violation: 3 } }, 0.25],
  ])("the share that went well: %s", (_name, outcomes, share) => {
    expect(okRateOf(outcomes)).toBe(share);
    expect(judge("ok-rate >= 0.9", [], outcomes)?.ok).toBe(share === undefined ? undefined : share >= 0.9);
  });
});

test("thresholds of a script of the user's own are kept, the shipped ones are judged anew", () => {
  const given = {
    "stream_ok{phase:measure} rate>=0.99": false,
    "dropped_iterations count==0": false,
    "mine p(95)<5": false,
  };
  expect(scriptThresholds(given)).toEqual([{ threshold: "k6: mine p(95)<5", ok: false }]);
});
