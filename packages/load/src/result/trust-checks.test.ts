import type { Comparison, LoadPlan, LoadSample, TrustCheck } from "@assay/results";
import { describe, expect, test } from "vitest";
import { failedAt, idleGenerator, planWith, streamAt } from "../testing/load-fixtures.ts";
import { type LoadTally, tallySamples } from "./load-tally.ts";
import { findSaturation } from "./saturation.ts";
import { judgeThresholds, parseThreshold } from "./threshold.ts";
import { checkTrust } from "./trust-checks.ts";
import type { TrustFacts } from "./trust-facts.ts";

const tallyOf = (samples: readonly LoadSample[], plan: LoadPlan = planWith()): LoadTally =>
  tallySamples(plan, [{ epochMs: 0, samples }]);
const streams = (count: number, change: (index: number) => Partial<LoadSample> = () => ({})): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, index) => Object.assign(streamAt(index * 100), change(index)));
/** Those that were sent so late, and timed out a minute after their plan. */
const neverAnswered = (count: number, lagMs: number): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, at) =>
    failedAt(at * 100, "timeout", { sendMs: at * 100 + lagMs, endMs: at * 100 + 60_000 }),
  );
const facts = (samples: readonly LoadSample[], changes: Partial<TrustFacts> = {}): TrustFacts => {
  const plan = changes.plan ?? planWith();
  return {
    plan,
    tally: tallyOf(samples, plan),
    droppedIterations: 0,
    generators: [idleGenerator],
    missingData: [],
    thresholds: [],
    ...changes,
  };
};
const checkOf = (given: TrustFacts, name: TrustCheck["check"]): TrustCheck | undefined =>
  checkTrust(given).checks.find(({ check }) => check === name);

const paired = planWith({ targets: { base: "http://a", head: "http://b" } });
const both = (base: readonly LoadSample[], head: readonly LoadSample[]): readonly LoadSample[] => [
  ...base,
  ...head.map((sample): LoadSample => ({ ...sample, side: "head" })),
];
const failing = (count: number): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, index) => failedAt(index * 100, "bad-status"));
const regressedFailures: Comparison = {
  design: "paired",
  base: "a",
  head: "b",
  verdict: "regressed",
  summary: "",
  metrics: [],
  queries: [],
  incomparable: [],
  failures: { baseFailed: 0, baseTotal: 60, headFailed: 30, headTotal: 60, pValue: 0, verdict: "regressed" },
};
const withLeft = (outcome: "not-begun" | "held-back" | "over-budget"): readonly LoadSample[] => [
  ...streams(30),
  failedAt(3000, outcome, { sendMs: 3000, endMs: 3000 }),
];
const saturation = { notBegun: 1, heldBack: 0, maxVus: 20, servedPerSecond: 1, sentence: "the target is saturated" };
const canceled = [failedAt(0, "canceled", { endMs: 900 })];
const missed = judgeThresholds([parseThreshold("first-match max < 800")], tallyOf(canceled));
const lateBy = (ms: number) => ({ sendMs: ms, firstMatchMs: ms + 20 });
const wobble = (index: number): number => (index * 7919) % 13;
/** First matches that move from 100 ms by `perSecond` each second. */
const drifting = (perSecond: number) =>
  streams(600, (index) => ({ firstMatchMs: index * 100 + 100 + (index / 10) * perSecond + wobble(index) }));

describe("each condition", () => {
  test.each<[TrustCheck["check"], boolean | undefined, string, TrustFacts]>([
    ["dropped-iterations", true, "nothing was dropped", facts(streams(30))],
    ["arrivals-begun", true, "all began", facts(streams(30))],
    [
      "arrivals-begun",
      true,
      "some could not, because the target took longer",
      facts(withLeft("not-begun"), { saturation }),
    ],
    ["arrivals-begun", true, "some were held back, because the target asked for fewer", facts(withLeft("held-back"))],
    [
      "arrivals-begun",
      false,
      "some could not for want of a virtual user",
      facts(withLeft("not-begun"), { saturation: { ...saturation, limitedBy: "max-vus" } }),
    ],
    ["arrivals-begun", false, "some could not, and no file says why", facts(withLeft("not-begun"))],
    ["arrivals-begun", false, "some could not for want of questions", facts(withLeft("over-budget"))],
    ["dropped-iterations", false, "one was dropped", facts(streams(30), { droppedIterations: 1 })],
    [
      "dropped-iterations",
      true,
      "the target held all virtual users",
      facts(streams(30), { droppedIterations: 3, notBegun: 3 }),
    ],
    [
      "dropped-iterations",
      false,
      "one of two was dropped although one was free",
      facts(streams(30), { droppedIterations: 2, notBegun: 1 }),
    ],
    [
      "dropped-iterations",
      undefined,
      "k6 could not say",
      (({ droppedIterations: _dropped, ...rest }) => rest)(facts(streams(30))),
    ],
    ["start-lag", true, "a quarter of a millisecond", facts(streams(600))],
    ["start-lag", true, "one straggler of 600", facts(streams(600, (index) => (index === 7 ? { sendMs: 800 } : {})))],
    ["start-lag", true, "one straggler of 60", facts(streams(60, (at) => (at === 7 ? { sendMs: 706 } : {})))],
    [
      "start-lag",
      false,
      "seven stragglers of 60",
      facts(streams(60, (at) => (at < 7 ? { sendMs: at * 100 + 6 } : {}))),
    ],
    [
      "start-lag",
      false,
      "six stragglers of 100",
      facts(streams(100, (at) => (at < 6 ? { sendMs: at * 100 + 6 } : {}))),
    ],
    [
      "start-lag",
      true,
      "6 ms of 100",
      facts(streams(60, (at) => ({ sendMs: at * 100 + 6, firstMatchMs: at * 100 + 100 }))),
    ],
    [
      "start-lag",
      true,
      "6 ms of 20 throughout a ramp, which k6 begins late",
      facts(
        streams(60, (at) => lateBy(at * 100 + 6)),
        { plan: planWith({ shape: "ramp" }) },
      ),
    ],
    ["start-lag", true, "6 ms of what never came", facts(neverAnswered(60, 6))],
    [
      "start-lag",
      true,
      "6 ms where most never came",
      facts([...neverAnswered(60, 6), ...streams(20, (at) => lateBy(at * 100 + 6))]),
    ],
    ["start-lag", false, "6 s of what was watched for 60", facts(neverAnswered(60, 6100))],
    [
      "start-lag",
      false,
      "6 ms of what broke off after 20",
      facts(neverAnswered(60, 6).map((sample) => ({ ...sample, outcome: "transport", endMs: sample.planMs + 20 }))),
    ],
    ["start-lag", false, "6 ms of 20", facts(streams(60, (at) => lateBy(at * 100 + 6)))],
    ["start-lag", false, "the clock was set", facts(streams(60, (at) => (at === 9 ? { sendMs: 700 } : {})))],
    ["start-lag", undefined, "nothing was sent", facts([failedAt(0, "held-back")])],
    ["generator-cpu", true, "85 %", facts([], { generators: [{ ...idleGenerator, cpuSeconds: 8.5, wallSeconds: 5 }] })],
    [
      "generator-cpu",
      false,
      "86 %",
      facts([], { generators: [{ ...idleGenerator, cpuSeconds: 8.6, wallSeconds: 5 }] }),
    ],
    [
      "generator-cpu",
      false,
      "one of two is busy",
      facts([], { generators: [idleGenerator, { ...idleGenerator, cpuSeconds: 120 }] }),
    ],
    ["generator-cpu", undefined, "not known", facts([], { generators: [] })],
    ["generator-timer", true, "20 ms", facts([], { generators: [{ ...idleGenerator, timerLagP99Ms: 20 }] })],
    ["generator-timer", false, "21 ms", facts([], { generators: [{ ...idleGenerator, timerLagP99Ms: 21 }] })],
    ["generator-timer", undefined, "not known", facts([], { generators: [] })],
    ["completed", true, "it is whole", facts(streams(3))],
    ["completed", false, "a part is missing", facts(streams(3), { missingData: ["k6 did not write summary"] })],
    ["enough-samples", true, "something went well", facts(streams(1))],
    ["enough-samples", true, "all failed, which is an answer", facts(failing(5))],
    ["enough-samples", true, "none ended, which misses a threshold", facts(canceled, { thresholds: missed })],
    ["enough-samples", false, "nothing at all", facts([])],
    ["enough-samples", false, "nothing was sent", facts([failedAt(0, "held-back"), failedAt(0, "canceled")])],
    ["warm-up-is-flat", true, "medians wobble", facts(drifting(0))],
    ["warm-up-is-flat", true, "medians rise", facts(drifting(2))],
    ["warm-up-is-flat", true, "medians fall by a tenth", facts(drifting(-0.15))],
    ["warm-up-is-flat", false, "medians fall by half", facts(drifting(-1))],
    ["warm-up-is-flat", undefined, "too short", facts(drifting(-1).slice(0, 90))],
    ["warm-up-is-flat", undefined, "the rate moves", facts(drifting(-1), { plan: planWith({ shape: "ramp" }) })],
    ["sides-end-alike", undefined, "one target", facts(streams(3))],
    ["sides-end-alike", true, "both well", facts(both(streams(60), streams(60)), { plan: paired })],
    [
      "sides-end-alike",
      true,
      "one failure",
      facts(both(streams(60), [...streams(59), ...failing(1)]), { plan: paired }),
    ],
    [
      "sides-end-alike",
      false,
      "half of one",
      facts(both([...streams(30), ...failing(30)], streams(60)), { plan: paired }),
    ],
    ["sides-end-alike", false, "one was never asked", facts(streams(60), { plan: paired })],
    [
      "sides-end-alike",
      true,
      "the comparison judged the failures",
      facts(both(streams(60), [...streams(30), ...failing(30)]), { plan: paired, comparison: regressedFailures }),
    ],
  ])("%s is %s when this holds: %s", (...[name, ok, , given]) => {
    expect(checkOf(given, name)?.ok).toBe(ok);
  });

  test("a run is valid when no condition is broken, and not when one is", () => {
    expect(checkTrust(facts(streams(30)))).toMatchObject({ valid: true });
    expect(checkTrust(facts(streams(30), { droppedIterations: 1 }))).toMatchObject({ valid: false });
  });

  test("every condition has one sentence", () => {
    const sentences = [facts([]), facts(streams(600)), facts(both(failing(9), streams(9)), { plan: paired })]
      .flatMap((given) => checkTrust(given).checks)
      .map(({ sentence }) => sentence);
    expect(sentences.filter((sentence) => sentence === "" || /\n|NaN|Infinity|undefined/u.test(sentence))).toEqual([]);
  });
});

test("no advice contradicts that of another condition or of a saturated target", () => {
  const late = streams(60, (at) => ({ sendMs: at * 100 + 900, firstMatchMs: at * 100 + 901 }));
  const busy = { ...idleGenerator, cpuSeconds: 120, timerLagP99Ms: 50 };
  const broken = facts(late, {
    droppedIterations: 3,
    generators: [busy],
    missingData: ["k6 did not write summary"],
    thresholds: [{ threshold: "first-match p99 < 5000" }],
  });
  const advice = checkTrust(broken)
    .checks.filter(({ ok }) => ok === false)
    .map(({ sentence }) => sentence);
  expect(advice.length).toBeGreaterThanOrEqual(6);
  expect(advice.filter((sentence) => sentence.includes("lower rate")).length).toBeGreaterThanOrEqual(3);
  expect(advice.filter((sentence) => /higher rate|raise|shorter/u.test(sentence))).toEqual([]);
  const full = [streamAt(0), failedAt(100, "not-begun", { sendMs: 100, endMs: 100 })];
  const told = findSaturation(planWith(), [{ epochMs: 0, samples: full }], [])?.sentence;
  expect(told).toContain("raise --max-vus");
  expect(told).not.toMatch(/lower|stronger| rate/u);
});

describe("enough samples for the thresholds", () => {
  const judged = (samples: readonly LoadSample[], ...texts: readonly string[]): TrustCheck | undefined => {
    const thresholds = judgeThresholds(
      texts.map((text) => parseThreshold(text)),
      tallyOf(samples),
    );
    return checkOf(facts(samples, { thresholds }), "enough-samples");
  };

  test.each<[number, string, object]>([
    // So few leave a doubt, also when all of them are within the limit; a few more do not.
    [6, "first-match p50 < 5000", { ok: false, value: 6, limit: 20 }],
    [7, "first-match p50 < 5000", { ok: true, value: 7 }],
    [89, "first-match p95 < 5000", { ok: false, limit: 100 }],
    [90, "first-match p95 < 5000", { ok: true }],
    [458, "first-match p99 < 5000", { ok: false, limit: 500 }],
    [459, "first-match p99 < 5000", { ok: true }],
    [500, "poll max < 5000", { ok: false, value: 0, limit: 1 }],
  ])("%d samples for `%s`", (count, text, expected) => {
    expect(judged(streams(count), text)).toMatchObject(expected);
  });

  test("a threshold that is missed settles the matter for those that cannot be judged", () => {
    expect(judged(streams(30), "first-match p99 < 5000", "first-match p50 < 1")).toMatchObject({ ok: true });
  });
});
