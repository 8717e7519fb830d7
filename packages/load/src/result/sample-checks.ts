import { loadSides, type LoadSide } from "@assay/contract";
import { type LoadInterval, loadOutcomes, percentileMinimum, type TrustCheck } from "@assay/results";
import { fisherPValue } from "../statistics/fisher.ts";
import { theilSen } from "../statistics/theil-sen.ts";
import type { PercentileName } from "./load-metrics.ts";
import type { SideOutcomes, LoadTally } from "./load-tally.ts";
import { isNeutral } from "./sample-latencies.ts";
import type { TrustChecker, TrustFacts } from "./trust-facts.ts";

const formatPercent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;

const minIntervals = 10;
const minSuccesses = 5;
const maxPoints = 600;
/** If medians fall by more than this share over the measured phase, the target was still warming up. */
const maxDropFraction = 0.2;
const trendConfidence = 0.999;

const listMedians = (intervals: readonly LoadInterval[], side: LoadSide) => {
  const measuredIntervals = intervals.filter(
    (interval) => interval.phase === "measure" && interval.side === side && interval.ok >= minSuccesses,
  );
  const step = Math.ceil(measuredIntervals.length / maxPoints);
  return measuredIntervals
    .filter((_interval, index) => index % step === 0)
    .flatMap(({ fromMs, p50Ms }) => (p50Ms === undefined ? [] : [{ x: fromMs, y: p50Ms }]));
};

/** Estimates how much the median changes from the first to the last interval, as a fraction of the middle value. */
const estimateTrend = (points: readonly { readonly x: number; readonly y: number }[]) => {
  const { estimate, high } = theilSen(points, trendConfidence);
  const spanMs = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const sorted = points.map(({ y }) => y).sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return { change: (estimate * spanMs) / middle, maxChange: (high * spanMs) / middle };
};

/**
 * Checks that the medians of the intervals do not fall over the measured phase. Rising medians do not invalidate a run:
 * a target that slows down under load is a result.
 */
export const checkWarmup: TrustChecker = ({ plan, tally }): TrustCheck => {
  const check = "warm-up-is-flat";
  if (plan.shape !== "steady" && plan.shape !== "soak") {
    return { check, sentence: `with the shape ${plan.shape} the rate changes, so the medians may too` };
  }
  const sides = loadSides.map((side) => listMedians(tally.intervals, side));
  const trends = sides
    .filter((points) => points.length >= minIntervals)
    .map(estimateTrend)
    .filter(({ change }) => Number.isFinite(change))
    .sort((a, b) => a.maxChange - b.maxChange);
  const [steepestTrend] = trends;
  if (steepestTrend === undefined) {
    return { check, sentence: `fewer than ${minIntervals} intervals have enough samples for a trend` };
  }
  const ok = !(steepestTrend.change < -maxDropFraction && steepestTrend.maxChange < 0);
  const direction = steepestTrend.change < 0 ? "fell" : "rose";
  const measurement = `the medians of the intervals ${direction} by ${formatPercent(Math.abs(steepestTrend.change))} over the measured phase`;
  return {
    check,
    ok,
    value: steepestTrend.change,
    limit: -maxDropFraction,
    unit: "fraction",
    sentence: ok ? measurement : `${measurement}: the target was still warming up; use a longer warm-up`,
  };
};

const balanceAlpha = 0.001;

const countFailures = ({ outcomes }: SideOutcomes) => {
  const tried = loadOutcomes.filter((outcome) => !isNeutral(outcome));
  const total = tried.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  return { hits: total - (outcomes.ok ?? 0), total };
};

/**
 * Checks that both sides of a comparison fail about equally often, since failures have no latency. If the comparison
 * itself finds regressed failures, the run stays valid.
 */
export const checkFailureBalance: TrustChecker = ({ tally, plan, comparison }): TrustCheck => {
  const check = "sides-end-alike";
  const [base, head] = tally.sides.map(countFailures);
  if (plan.targets.head === undefined) {
    return { check, sentence: "there is one target" };
  }
  if (base === undefined) {
    return { check, sentence: "no request of the measured phase was recorded" };
  }
  if (head === undefined) {
    return { check, ok: false, sentence: "one of the two targets received no request; run longer" };
  }
  const value = fisherPValue(base, head);
  const measurement = `${base.hits} of ${base.total} requests to the base failed, and ${head.hits} of ${head.total} to the head`;
  const isComparisonRegressed = comparison?.failures?.verdict === "regressed";
  const ok = value >= balanceAlpha || isComparisonRegressed;
  return {
    check,
    ok,
    value,
    limit: balanceAlpha,
    unit: "fraction",
    sentence: ok
      ? measurement
      : `${measurement}: the latencies of the other requests cannot be compared; find out why one target fails`,
  };
};

/** Checks that the stored files are complete. */
export const checkCompleted: TrustChecker = ({ missingData }): TrustCheck => ({
  check: "completed",
  ok: missingData.length === 0,
  sentence: missingData.length === 0 ? "the run reached its planned end" : missingData.join("; "),
});

const isPercentile = (name: string | undefined): name is PercentileName =>
  name !== undefined && Object.hasOwn(percentileMinimum, name);

interface Shortage {
  readonly threshold: string;
  /** Samples of its metric in the side with fewer. */
  readonly count: number;
  readonly minCount: number;
}

const findShortage = (threshold: string, { metrics }: LoadTally): Shortage => {
  const [name = "", statistic] = threshold.split(" ");
  const counts = metrics
    .filter(({ metric }) => metric === name)
    .map(({ count, censored }) => count + (censored?.count ?? 0));
  const minCount = isPercentile(statistic) ? percentileMinimum[statistic] : 1;
  return { threshold, count: counts.length === 0 ? 0 : Math.min(...counts), minCount };
};

/** Finds thresholds with too few samples. Returns none if a missed threshold or a regression already decides the run. */
const findShortages = ({ thresholds, tally, comparison }: TrustFacts): readonly Shortage[] => {
  const decisiveThresholds = thresholds.filter(({ severity }) => severity !== "warn");
  return decisiveThresholds.some(({ ok }) => ok === false) || comparison?.verdict === "regressed"
    ? []
    : decisiveThresholds
        .filter(({ ok }) => ok === undefined)
        .map(({ threshold }) => findShortage(threshold, tally))
        .filter(({ count, minCount }) => count < minCount);
};

/** Reports whether the target responded to any request, or the waiting time alone misses a threshold. */
const hasMeasured = ({ tally, thresholds }: TrustFacts): boolean =>
  Object.values(tally.outcomes).some((counts) =>
    loadOutcomes.some((name) => !isNeutral(name) && (counts[name] ?? 0) > 0),
  ) || thresholds.some(({ ok, severity }) => ok === false && severity !== "warn");

/** Checks that there are enough responses for each threshold. */
export const checkSampleCounts: TrustChecker = (facts): TrustCheck => {
  const check = "enough-samples";
  const [shortage] = findShortages(facts);
  if (!hasMeasured(facts)) {
    const advice = facts.missingData.length === 0 ? "; run longer" : "";
    return { check, ok: false, value: 0, limit: 1, unit: "count", sentence: `nothing was measured${advice}` };
  }
  if (shortage !== undefined) {
    const { threshold, count, minCount } = shortage;
    const sentence = `\`${threshold}\` cannot be judged: its metric has ${count} samples and needs ${minCount}; run longer, or choose a metric of this scenario`;
    return { check, ok: false, value: count, limit: minCount, unit: "count", sentence };
  }
  const value = Math.max(0, ...Object.values(facts.tally.outcomes).map((counts) => counts.ok ?? 0));
  return { check, ok: true, value, limit: 1, unit: "count", sentence: `${value} samples succeeded` };
};
