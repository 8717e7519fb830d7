import { defined, HarnessError, nearestName } from "@assay/contract";
import {
  type LoadMetric,
  type LoadMetricName,
  loadMetricNames,
  type LoadOutcome,
  loadOutcomes,
  type LoadResult,
  type LoadThreshold,
  percentileMinimum,
} from "@assay/results";
import { type CensoredValues, splitCensored, countValues } from "../statistics/censored.ts";
import { decideQuantile } from "../statistics/decide-quantile.ts";
import { createLatencyKey, type PercentileName } from "./load-metrics.ts";
import type { LoadTally } from "./load-tally.ts";
import { isNeutral, isNeverSent } from "./sample-latencies.ts";

const statistics = ["p50", "p95", "p99", "mean", "max"] as const;
type Statistic = (typeof statistics)[number];

/** The consequence of a missed threshold: the run fails, warns, or ends immediately and fails. */
export type ThresholdSeverity = "fail" | NonNullable<LoadThreshold["severity"]>;

/** A limit on a latency or on the share of successful requests. */
export type Threshold = LatencyThreshold | RateThreshold;

interface ThresholdBase {
  readonly text: string;
  readonly severity: ThresholdSeverity;
}

/** A limit on a latency. */
export interface LatencyThreshold extends ThresholdBase {
  readonly kind: "latency";
  readonly metric: LoadMetricName;
  readonly statistic: Statistic;
  readonly isStrict: boolean;
  readonly limitMs: number;
}

/** A limit on the share of successful requests. */
export interface RateThreshold extends ThresholdBase {
  readonly kind: "ok-rate";
  readonly isStrict: boolean;
  readonly limitFraction: number;
}

const exampleThresholds = "such as `first-match p95 < 800`, `poll p50 <= 1.5s` or `ok-rate >= 99%`";
const latencyPattern = /^([a-z-]+) (p50|p95|p99|mean|max) (<=?) (\d+(?:\.\d+)?) ?(ms|s)?$/u;
const ratePattern = /^ok-rate (>=?) (\d+(?:\.\d+)?) ?(%)?$/u;

const createInvalidThresholdError = (text: string, reason: string): HarnessError =>
  new HarnessError("bad-threshold", `the threshold \`${text.slice(0, 80)}\` cannot be judged: ${reason}`);

const createUnknownMetricError = (text: string, name: string): HarnessError => {
  const suggestion = nearestName(name, loadMetricNames);
  const hint = suggestion === undefined ? "" : ` (did you mean \`${suggestion}\`?)`;
  return createInvalidThresholdError(
    text,
    `there is no metric \`${name.slice(0, 80)}\`${hint}; there are ${loadMetricNames.join(", ")}`,
  );
};

type MatchGroups = readonly string[];

const parseRate = (base: ThresholdBase, [, sign, digits, percent]: MatchGroups): RateThreshold => {
  const limitFraction = Number(digits) / (percent === "%" ? 100 : 1);
  if (limitFraction > 1) {
    throw createInvalidThresholdError(base.text, "a share is at most 1, or 100%");
  }
  const isStrict = sign === ">";
  if (isStrict && limitFraction === 1) {
    throw createInvalidThresholdError(base.text, "no share is above 1, so no run could meet it; write `ok-rate >= 1`");
  }
  return { ...base, kind: "ok-rate", isStrict, limitFraction };
};

/** Metrics whose number of values is unknown until the run has ended, so that their thresholds cannot end it. */
const metricsOfUnknownCount: ReadonlySet<LoadMetricName> = new Set<LoadMetricName>(["poll", "delete", "start-lag"]);

/** Reports whether a plan determines the number of values of a metric. */
export const hasPlannedCount = (metric: LoadMetricName): boolean => !metricsOfUnknownCount.has(metric);

const parseLatency = (
  base: ThresholdBase,
  [, name = "", statisticName, sign, digits, unit]: MatchGroups,
): LatencyThreshold => {
  const { text, severity } = base;
  const metric = loadMetricNames.find((known) => known === name);
  const statistic = statistics.find((known) => known === statisticName);
  if (metric === undefined || statistic === undefined) {
    throw createUnknownMetricError(text, name);
  }
  const isStrict = sign === "<";
  const limitMs = Number(digits) * (unit === "s" ? 1000 : 1);
  if (isStrict && limitMs === 0) {
    throw createInvalidThresholdError(text, "no time is below 0, so no run could meet it; set the maximum time");
  }
  if (severity === "abort" && metricsOfUnknownCount.has(metric)) {
    throw createInvalidThresholdError(
      text,
      `the number of samples of ${metric} is unknown until the run has ended, so it cannot end one`,
    );
  }
  return {
    ...base,
    kind: "latency",
    metric,
    statistic,
    isStrict,
    limitMs,
  };
};

/**
 * Parses a threshold: a metric, one of p50, p95, p99, mean and max, `<` or `<=`, and a number of ms (default) or s; or
 * `ok-rate`, `>` or `>=`, and a share as a fraction or with %. Spaces do not matter. Fails with `bad-threshold` in one
 * sentence, also for thresholds that cannot end a run or that no run could meet.
 */
export const parseThreshold = (input: string, severity: ThresholdSeverity = "fail"): Threshold => {
  const text = input
    .replaceAll(/([<>]=?)/gu, " $1 ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const rate = ratePattern.exec(text);
  if (rate !== null) {
    return parseRate({ text, severity }, rate);
  }
  const latency = latencyPattern.exec(text);
  if (latency !== null) {
    return parseLatency({ text, severity }, latency);
  }
  throw createInvalidThresholdError(
    input,
    `write a metric, p50, p95, p99, mean or max, < or <=, and milliseconds, ${exampleThresholds}`,
  );
};

/** The default limit on the share of successes, except for the shape `breakpoint`. */
export const defaultOkRate: RateThreshold = {
  kind: "ok-rate",
  text: "ok-rate >= 0.99",
  severity: "fail",
  isStrict: false,
  limitFraction: 0.99,
};

const fractions = { p50: 0.5, p95: 0.95, p99: 0.99 } as const satisfies Record<PercentileName, number>;

/** Returns the fraction of a percentile, such as 0.95. */
export const percentileFraction = (percentile: PercentileName): number => fractions[percentile];

const isPercentile = (statistic: Statistic): statistic is PercentileName => Object.hasOwn(fractions, statistic);

/** A threshold on one side. `ok` is absent if it is undecided. */
type SideJudgement = Pick<LoadThreshold, "valueMs" | "isCensored" | "counts" | "ok">;

const isOverLimit = ({ isStrict, limitMs }: LatencyThreshold, valueMs: number): boolean =>
  isStrict ? valueMs >= limitMs : valueMs > limitMs;

/** Reads the statistic of a metric, exact or as a lower bound. */
const readFigure = (metric: LoadMetric, statistic: Statistic): Pick<SideJudgement, "valueMs" | "isCensored"> => {
  if (isPercentile(statistic)) {
    const percentile = metric[statistic];
    return percentile === undefined
      ? {}
      : { valueMs: percentile.value, ...(percentile.isCensored === true ? { isCensored: true } : {}) };
  }
  const { meanMs, maxMs, count, censored } = metric;
  if (censored === undefined) {
    return { valueMs: statistic === "mean" ? meanMs : maxMs };
  }
  // Censored values are longer than the time for which they were observed, so there is no mean.
  return statistic === "max" && maxMs >= censored.longestMs && count > 0
    ? { valueMs: maxMs }
    : statistic === "max"
      ? { valueMs: censored.longestMs, isCensored: true }
      : {};
};

/** Returns a lower bound of the mean, with censored values at their lower bounds. */
const lowerBoundMeanMs = ({ observed, censored }: CensoredValues): number => {
  const sum = [observed, censored].reduce((total, values) => values.reduce((part, value) => part + value, total), 0);
  return sum / Math.max(1, countValues({ observed, censored })) / 1000;
};

/** The mean and the maximum describe this run and are not estimates, so only observed values are decisive. */
const judgeFigure = (threshold: LatencyThreshold, metric: LoadMetric, values: CensoredValues): SideJudgement => {
  const figure = readFigure(metric, threshold.statistic);
  const minMs = threshold.statistic === "mean" ? lowerBoundMeanMs(values) : (figure.valueMs ?? 0);
  if (isOverLimit(threshold, minMs)) {
    return { ...figure, ok: false };
  }
  return metric.censored === undefined ? { ...figure, ok: true } : figure;
};

const judgeSide = (
  threshold: LatencyThreshold,
  metric: LoadMetric,
  latencies: JudgedFigures["latencies"],
): SideJudgement => {
  const { statistic, limitMs, isStrict } = threshold;
  const values = latencies.get(createLatencyKey(metric.metric, metric.side)) ?? splitCensored([]);
  if (!isPercentile(statistic)) {
    return judgeFigure(threshold, metric, values);
  }
  const minCount = percentileMinimum[statistic];
  const limit = { fraction: fractions[statistic], limit: limitMs * 1000, isStrict, minCount };
  const { ok, ...counts } = decideQuantile(values, limit);
  return { ...readFigure(metric, statistic), counts, ...defined({ ok }) };
};

const toSeverityMember = ({ severity }: Threshold): Pick<LoadThreshold, "severity"> =>
  severity === "fail" ? {} : { severity };

/** Finds the side that decides: one that missed the limit, else an undecided one, else the slower one. */
const findDecidingSide = (sides: readonly SideJudgement[]): SideJudgement =>
  sides.find(({ ok }) => ok === false) ??
  sides.find(({ ok }) => ok === undefined) ??
  sides.toSorted((a, b) => (b.valueMs ?? 0) - (a.valueMs ?? 0))[0] ??
  {};

const judgeLatency = (threshold: LatencyThreshold, figures: JudgedFigures): LoadThreshold => {
  const sides = figures.metrics
    .filter(({ metric }) => metric === threshold.metric)
    .map((metric) => judgeSide(threshold, metric, figures.latencies));
  return {
    threshold: threshold.text,
    ...toSeverityMember(threshold),
    limitMs: threshold.limitMs,
    ...findDecidingSide(sides),
  };
};

type OutcomeCounts = LoadResult["outcomes"][string];

const countOutcomes = (counts: OutcomeCounts, isCounted: (outcome: LoadOutcome) => boolean): number =>
  loadOutcomes.reduce((sum, name) => sum + (isCounted(name) ? (counts[name] ?? 0) : 0), 0);

/** Counts the attempted requests: those that ended by themselves, and arrivals that could not begin. */
const countAttempts = (counts: OutcomeCounts): number =>
  countOutcomes(counts, (name) => !isNeutral(name) || isNeverSent(name));

interface OkRate {
  readonly share: number;
  /** Arrivals that could not begin. */
  readonly notBegun: number;
  readonly attempts: number;
}

/**
 * Returns the lowest share of successes among attempted requests of any kind, or undefined if there were none. An
 * arrival that could not begin is not a success, regardless of the reason.
 */
export const findLowestOkRate = (outcomes: LoadResult["outcomes"]): OkRate | undefined =>
  Object.values(outcomes)
    .map((counts) => ({ counts, attempts: countAttempts(counts) }))
    .filter(({ attempts }) => attempts > 0)
    .map(({ counts, attempts }) => ({
      share: (counts.ok ?? 0) / attempts,
      notBegun: countOutcomes(counts, isNeverSent),
      attempts,
    }))
    .toSorted((a, b) => a.share - b.share)[0];

/** Like `findLowestOkRate`, but as if all failures that a late generator may have caused had succeeded. */
const computeMaxPossibleOkRate = ({ outcomes, targetFailuresByKind }: JudgedFigures): number =>
  Math.min(
    1,
    ...Object.entries(outcomes).flatMap(([kind, counts]) => {
      const attempts = countAttempts(counts);
      return attempts === 0 ? [] : [1 - (targetFailuresByKind[kind] ?? 0) / attempts];
    }),
  );

const judgeRate = (threshold: RateThreshold, figures: JudgedFigures): LoadThreshold => {
  const { text, limitFraction, isStrict } = threshold;
  const rate = findLowestOkRate(figures.outcomes);
  const base = { threshold: text, ...toSeverityMember(threshold), limitFraction };
  const isMet = (share: number): boolean => (isStrict ? share > limitFraction : share >= limitFraction);
  if (rate === undefined) {
    return base;
  }
  const { share, notBegun, attempts } = rate;
  return {
    ...base,
    valueFraction: share,
    ...(notBegun === 0 ? {} : { notBegun: { count: notBegun, of: attempts } }),
    ok: isMet(share),
    ...(isMet(computeMaxPossibleOkRate(figures)) ? {} : { decisive: true }),
  };
};

/** The figures that `judgeThresholds` reads. */
export type JudgedFigures = Pick<LoadTally, "metrics" | "outcomes" | "latencies" | "targetFailuresByKind">;

/**
 * Judges thresholds. A percentile is missed if more of its samples are over the limit than chance explains, see
 * `decideQuantile`. Mean, maximum and the share of successes are those of the run itself. Censored values count as
 * above their lower bounds. `ok` is absent if the samples do not decide. If there are two sides, the slower one decides.
 */
export const judgeThresholds = (thresholds: readonly Threshold[], figures: JudgedFigures): readonly LoadThreshold[] =>
  thresholds.map((threshold) =>
    threshold.kind === "latency" ? judgeLatency(threshold, figures) : judgeRate(threshold, figures),
  );

/** Matches the k6 thresholds of the shipped scenarios. They are judged from the samples instead, in more detail. */
const shippedThreshold =
  /^(?:dropped_iterations|script_errors|start_lag|(?:stream|conversation)_violations|(?:stream|conversation)_(?:ok|fine))\b/u;

/** Returns all other k6 thresholds as k6 judged them. A user's script set them. */
export const listScriptThresholds = (thresholds: Readonly<Record<string, boolean>>): readonly LoadThreshold[] =>
  Object.entries(thresholds)
    .filter(([name]) => !shippedThreshold.test(name))
    .map(([name, ok]) => ({ threshold: `k6: ${name}`, ok }));
