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
const minOk = 5;
const maxPoints = 600;
/** If medians fall by more than this share over the measured phase, the target was still warming up. */
const flatShare = 0.2;
const flatConfidence = 0.999;

const listMedians = (intervals: readonly LoadInterval[], side: LoadSide) => {
  const measured = intervals.filter(
    (interval) => interval.phase === "measure" && interval.side === side && interval.ok >= minOk,
  );
  const step = Math.ceil(measured.length / maxPoints);
  return measured
    .filter((_interval, index) => index % step === 0)
    .flatMap(({ fromMs, p50Ms }) => (p50Ms === undefined ? [] : [{ x: fromMs, y: p50Ms }]));
};

/** Change of the median from the first to the last interval as a share of the middle value, and its upper bound. */
const estimateTrend = (points: readonly { readonly x: number; readonly y: number }[]) => {
  const { estimate, high } = theilSen(points, flatConfidence);
  const spanMs = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const sorted = points.map(({ y }) => y).sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return { change: (estimate * spanMs) / middle, atMost: (high * spanMs) / middle };
};

/**
 * Checks that the medians of the intervals do not fall over the measured phase. Rising medians do not invalidate a run:
 * a target that slows down under load is a result.
 */
export const checkFlat: TrustChecker = ({ plan, tally }): TrustCheck => {
  const check = "warm-up-is-flat";
  if (plan.shape !== "steady" && plan.shape !== "soak") {
    return { check, sentence: `with the shape ${plan.shape} the rate changes, so the medians may too` };
  }
  const sides = loadSides.map((side) => listMedians(tally.intervals, side));
  const trends = sides
    .filter((points) => points.length >= minIntervals)
    .map(estimateTrend)
    .filter(({ change }) => Number.isFinite(change))
    .sort((a, b) => a.atMost - b.atMost);
  const [steepest] = trends;
  if (steepest === undefined) {
    return { check, sentence: `fewer than ${minIntervals} intervals have enough samples for a trend` };
  }
  const ok = !(steepest.change < -flatShare && steepest.atMost < 0);
  const direction = steepest.change < 0 ? "fell" : "rose";
  const measurement = `the medians of the intervals ${direction} by ${formatPercent(Math.abs(steepest.change))} over the measured phase`;
  return {
    check,
    ok,
    value: steepest.change,
    limit: -flatShare,
    unit: "fraction",
    sentence: ok ? measurement : `${measurement}: the target was still warming up; use a longer warm-up`,
  };
};

const sidesAlpha = 0.001;

const countFailures = ({ outcomes }: SideOutcomes) => {
  const tried = loadOutcomes.filter((outcome) => !isNeutral(outcome));
  const total = tried.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  return { hits: total - (outcomes.ok ?? 0), total };
};

/**
 * Checks that both sides of a comparison fail about equally often, since failures have no latency. If the comparison
 * itself finds regressed failures, the run stays valid.
 */
export const checkSides: TrustChecker = ({ tally, plan, comparison }): TrustCheck => {
  const check = "sides-end-alike";
  const [base, head] = tally.sides.map(countFailures);
  if (plan.targets.head === undefined) {
    return { check, sentence: "there is one target" };
  }
  if (base === undefined) {
    return { check, sentence: "no request of the measured phase was recorded" };
  }
  if (head === undefined) {
    return { check, ok: false, sentence: "one of the two targets was never asked; run longer" };
  }
  const value = fisherPValue(base, head);
  const measurement = `of ${base.total} requests to the base ${base.hits} failed, of ${head.total} to the head ${head.hits}`;
  const isJudged = comparison?.failures?.verdict === "regressed";
  const ok = value >= sidesAlpha || isJudged;
  return {
    check,
    ok,
    value,
    limit: sidesAlpha,
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
  readonly needed: number;
}

const findShortage = (threshold: string, { metrics }: LoadTally): Shortage => {
  const [name = "", statistic] = threshold.split(" ");
  const counts = metrics
    .filter(({ metric }) => metric === name)
    .map(({ count, censored }) => count + (censored?.count ?? 0));
  const needed = isPercentile(statistic) ? percentileMinimum[statistic] : 1;
  return { threshold, count: counts.length === 0 ? 0 : Math.min(...counts), needed };
};

/** Finds thresholds with too few samples. Returns none if a missed threshold or a regression already decides the run. */
const findShortages = ({ thresholds: all, tally, comparison }: TrustFacts): readonly Shortage[] => {
  const thresholds = all.filter(({ severity }) => severity !== "warn");
  return thresholds.some(({ ok }) => ok === false) || comparison?.verdict === "regressed"
    ? []
    : thresholds
        .filter(({ ok }) => ok === undefined)
        .map(({ threshold }) => findShortage(threshold, tally))
        .filter(({ count, needed }) => count < needed);
};

/** Reports whether the target responded to something, or if the waiting time alone misses a threshold. */
const hasMeasured = ({ tally, thresholds }: TrustFacts): boolean =>
  Object.values(tally.outcomes).some((counts) =>
    loadOutcomes.some((name) => !isNeutral(name) && (counts[name] ?? 0) > 0),
  ) || thresholds.some(({ ok, severity }) => ok === false && severity !== "warn");

/** Checks that there are enough responses for each threshold. */
export const checkEnough: TrustChecker = (facts): TrustCheck => {
  const check = "enough-samples";
  const [shortage] = findShortages(facts);
  if (!hasMeasured(facts)) {
    const next = facts.missingData.length === 0 ? "; run longer" : "";
    return { check, ok: false, value: 0, limit: 1, unit: "count", sentence: `nothing was measured${next}` };
  }
  if (shortage !== undefined) {
    const { threshold, count, needed } = shortage;
    const sentence = `\`${threshold}\` cannot be judged: its metric has ${count} samples and needs ${needed}; run longer, or choose a metric of this scenario`;
    return { check, ok: false, value: count, limit: needed, unit: "count", sentence };
  }
  const value = Math.max(0, ...Object.values(facts.tally.outcomes).map((counts) => counts.ok ?? 0));
  return { check, ok: true, value, limit: 1, unit: "count", sentence: `${value} samples succeeded` };
};
