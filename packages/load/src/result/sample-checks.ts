import { type LoadArm, type LoadInterval, loadOutcomes, percentileMinimum, type TrustCheck } from "@assay/results";
import { fisherPValue } from "../statistics/fisher.ts";
import { theilSen } from "../statistics/theil-sen.ts";
import type { PercentileName } from "./load-metrics.ts";
import type { ArmOutcomes, LoadTally } from "./load-tally.ts";
import { isNeutral } from "./sample-latencies.ts";
import type { TrustChecker, TrustFacts } from "./trust-facts.ts";

const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;

const leastIntervals = 10;
const leastOk = 5;
const mostPoints = 600;
/** Medians that fall by more than this share over the measured phase, beyond doubt, were still warming up. */
const flatShare = 0.2;
const flatConfidence = 0.999;

const mediansOf = (intervals: readonly LoadInterval[], arm: LoadArm) => {
  const measured = intervals.filter(
    (interval) => interval.phase === "measure" && interval.arm === arm && interval.ok >= leastOk,
  );
  const step = Math.ceil(measured.length / mostPoints);
  return measured
    .filter((_interval, index) => index % step === 0)
    .flatMap(({ fromMs, p50Ms }) => (p50Ms === undefined ? [] : [{ x: fromMs, y: p50Ms }]));
};

/** How much the median changes from the first interval to the last as a share of their middle, and the upper end of that. */
const trendOf = (points: readonly { readonly x: number; readonly y: number }[]) => {
  const { estimate, high } = theilSen(points, flatConfidence);
  const spanMs = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const sorted = points.map(({ y }) => y).sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return { change: (estimate * spanMs) / middle, atMost: (high * spanMs) / middle };
};

/**
 * Medians of the intervals do not fall over the measured phase. Rising ones do not make a run invalid: a target that becomes
 * slower the longer the load lasts is a finding, and calling it no result would hide it.
 */
export const checkFlat: TrustChecker = ({ plan, tally }): TrustCheck => {
  const check = "warm-up-is-flat";
  if (plan.shape !== "steady" && plan.shape !== "soak") {
    return { check, sentence: `with the shape ${plan.shape} the rate moves, so the medians may` };
  }
  const arms = (["a", "b"] as const).map((arm) => mediansOf(tally.intervals, arm));
  const trends = arms
    .filter((points) => points.length >= leastIntervals)
    .map(trendOf)
    .filter(({ change }) => Number.isFinite(change))
    .sort((a, b) => a.atMost - b.atMost);
  const [steepest] = trends;
  if (steepest === undefined) {
    return { check, sentence: `fewer than ${leastIntervals} intervals have samples enough for a trend` };
  }
  const ok = !(steepest.change < -flatShare && steepest.atMost < 0);
  const direction = steepest.change < 0 ? "fell" : "rose";
  const found = `the medians of the intervals ${direction} by ${percent(Math.abs(steepest.change))} over the measured phase`;
  return {
    check,
    ok,
    value: steepest.change,
    limit: -flatShare,
    unit: "fraction",
    sentence: ok ? found : `${found}: the target was still warming up; use a longer warm-up`,
  };
};

const alikeAlpha = 0.001;

const shareOf = ({ outcomes }: ArmOutcomes) => {
  const tried = loadOutcomes.filter((outcome) => !isNeutral(outcome));
  const total = tried.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  return { hits: total - (outcomes.ok ?? 0), total };
};

/**
 * Both arms of a comparison fail about equally often, since what fails is left out of the latencies. When the comparison itself
 * says that failures regressed, that is its verdict and the run stays valid.
 */
export const checkArms: TrustChecker = ({ tally, plan, comparison }): TrustCheck => {
  const check = "arms-end-alike";
  const [a, b] = tally.arms.map(shareOf);
  if (plan.targets.b === undefined) {
    return { check, sentence: "there is one target" };
  }
  if (a === undefined) {
    return { check, sentence: "how each of the two targets fared is not known apart" };
  }
  if (b === undefined) {
    return { check, ok: false, sentence: "one of the two targets was never asked; run longer" };
  }
  const value = fisherPValue(a, b);
  const found = `of ${a.total} requests to the base ${a.hits} failed, of ${b.total} to the head ${b.hits}`;
  const isJudged = comparison?.failures?.verdict === "regressed";
  const ok = value >= alikeAlpha || isJudged;
  return {
    check,
    ok,
    value,
    limit: alikeAlpha,
    unit: "fraction",
    sentence: ok ? found : `${found}: latencies of what is left cannot be compared; find out why one of them fails`,
  };
};

/** What is stored is the whole run. */
export const checkCompleted: TrustChecker = ({ gaps }): TrustCheck => ({
  check: "completed",
  ok: gaps.length === 0,
  sentence: gaps.length === 0 ? "the run came to its planned end" : gaps.join("; "),
});

const isPercentile = (name: string | undefined): name is PercentileName =>
  name !== undefined && Object.hasOwn(percentileMinimum, name);

interface Shortage {
  readonly threshold: string;
  /** Samples of its metric, of the arm that has fewer. */
  readonly count: number;
  readonly needed: number;
}

const shortageOf = (threshold: string, { metrics }: LoadTally): Shortage => {
  const [name = "", statistic] = threshold.split(" ");
  const counts = metrics.filter(({ metric }) => metric === name).map(({ count, later }) => count + (later?.count ?? 0));
  const needed = isPercentile(statistic) ? percentileMinimum[statistic] : 1;
  return { threshold, count: counts.length === 0 ? 0 : Math.min(...counts), needed };
};

/** The thresholds that could not be judged for want of samples; one that was missed, or a regression, settles the matter without them. */
const shortages = ({ thresholds: all, tally, comparison }: TrustFacts): readonly Shortage[] => {
  const thresholds = all.filter(({ severity }) => severity !== "warn");
  return thresholds.some(({ ok }) => ok === false) || comparison?.verdict === "regressed"
    ? []
    : thresholds
        .filter(({ ok }) => ok === undefined)
        .map(({ threshold }) => shortageOf(threshold, tally))
        .filter(({ count, needed }) => count < needed);
};

/** Whether something was answered, or was waited for so long that it misses a threshold, whenever it would have come. */
const isTried = ({ tally, thresholds }: TrustFacts): boolean =>
  Object.values(tally.outcomes).some((counts) =>
    loadOutcomes.some((name) => !isNeutral(name) && (counts[name] ?? 0) > 0),
  ) || thresholds.some(({ ok, severity }) => ok === false && severity !== "warn");

/** Something was asked and answered, and often enough for each threshold. */
export const checkEnough: TrustChecker = (facts): TrustCheck => {
  const check = "enough-samples";
  const [short] = shortages(facts);
  if (!isTried(facts)) {
    const next = facts.gaps.length === 0 ? "; run longer" : "";
    return { check, ok: false, value: 0, limit: 1, unit: "count", sentence: `nothing was measured${next}` };
  }
  if (short !== undefined) {
    const { threshold, count, needed } = short;
    const sentence = `\`${threshold}\` cannot be judged: its metric has ${count} samples and needs ${needed}; run longer, or choose a metric of this scenario`;
    return { check, ok: false, value: count, limit: needed, unit: "count", sentence };
  }
  const value = Math.max(0, ...Object.values(facts.tally.outcomes).map((counts) => counts.ok ?? 0));
  return { check, ok: true, value, limit: 1, unit: "count", sentence: `${value} samples went well` };
};
