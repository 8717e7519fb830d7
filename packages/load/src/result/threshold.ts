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
import { type CensoredValues, sizeOfCensored } from "../statistics/censored.ts";
import { decideQuantile } from "../statistics/decide-quantile.ts";
import { latencyKey, type PercentileName } from "./load-metrics.ts";
import type { LoadTally } from "./load-tally.ts";
import { arrivalKinds, isLaterThanSeen, isNeutral, isNeverSent } from "./sample-latencies.ts";

const statistics = ["p50", "p95", "p99", "mean", "max"] as const;
type Statistic = (typeof statistics)[number];

/** What follows when a threshold is missed: the run fails, it warns, or the run ends at once and fails. */
export type ThresholdSeverity = "fail" | NonNullable<LoadThreshold["severity"]>;

/** A limit that can be judged: on a latency, or on the share of requests that went well. */
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

/** A limit on the share of requests that went well. */
export interface RateThreshold extends ThresholdBase {
  readonly kind: "ok-rate";
  readonly isStrict: boolean;
  readonly limitFraction: number;
}

const example = "such as `first-match p95 < 800`, `poll p50 <= 1.5s` or `ok-rate >= 99%`";
const latencyForm = /^([a-z-]+) (p50|p95|p99|mean|max) (<=?) (\d+(?:\.\d+)?) ?(ms|s)?$/u;
const rateForm = /^ok-rate (>=?) (\d+(?:\.\d+)?) ?(%)?$/u;

const bad = (text: string, why: string): HarnessError =>
  new HarnessError("bad-threshold", `the threshold \`${text.slice(0, 80)}\` cannot be judged: ${why}`);

const unknownMetric = (text: string, name: string): HarnessError => {
  const near = nearestName(name, loadMetricNames);
  const hint = near === undefined ? "" : ` (did you mean \`${near}\`?)`;
  return bad(text, `there is no metric \`${name.slice(0, 80)}\`${hint}; there are ${loadMetricNames.join(", ")}`);
};

type Found = readonly string[];

const rateOf = (base: ThresholdBase, [, sign, digits, percent]: Found): RateThreshold => {
  const limitFraction = Number(digits) / (percent === "%" ? 100 : 1);
  if (limitFraction > 1) {
    throw bad(base.text, "a share is at most 1, or 100%");
  }
  const isStrict = sign === ">";
  if (isStrict && limitFraction === 1) {
    throw bad(base.text, "no share is above 1, so no run could keep it; write `ok-rate >= 1`");
  }
  return { ...base, kind: "ok-rate", isStrict, limitFraction };
};

/** How many of these there will be is not known before the run has ended, so nothing about them is decided earlier. */
const decidedAtTheEnd: ReadonlySet<LoadMetricName> = new Set<LoadMetricName>(["poll", "delete", "start-lag"]);

/** Whether a plan says how many values a metric will have. */
export const hasPlannedCount = (metric: LoadMetricName): boolean => !decidedAtTheEnd.has(metric);

const latencyOf = (base: ThresholdBase, [, name = "", wanted, sign, digits, unit]: Found): LatencyThreshold => {
  const { text, severity } = base;
  const metric = loadMetricNames.find((known) => known === name);
  const statistic = statistics.find((known) => known === wanted);
  if (metric === undefined || statistic === undefined) {
    throw unknownMetric(text, name);
  }
  const isStrict = sign === "<";
  const limitMs = Number(digits) * (unit === "s" ? 1000 : 1);
  if (isStrict && limitMs === 0) {
    throw bad(text, "no time is below 0, so no run could keep it; give the longest that may pass");
  }
  if (severity === "abort" && decidedAtTheEnd.has(metric)) {
    throw bad(text, `how many samples of ${metric} there will be is not known while a run lasts, so it cannot end one`);
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
 * Reads a threshold: a metric, one of p50, p95, p99, mean and max, `<` or `<=`, and a number of ms (default) or s; or `ok-rate`,
 * `>` or `>=`, and a share, as a fraction or with %. Spaces do not matter. Fails with `bad-threshold` in one sentence, also for what
 * cannot end a run, and for what no run could keep.
 */
export const parseThreshold = (given: string, severity: ThresholdSeverity = "fail"): Threshold => {
  const text = given
    .replaceAll(/([<>]=?)/gu, " $1 ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const rate = rateForm.exec(text);
  if (rate !== null) {
    return rateOf({ text, severity }, rate);
  }
  const latency = latencyForm.exec(text);
  if (latency !== null) {
    return latencyOf({ text, severity }, latency);
  }
  throw bad(given, `write a metric, p50, p95, p99, mean or max, < or <=, and milliseconds, ${example}`);
};

/** The share that is demanded of every run whose shape does not look for the limit of the target. */
export const defaultOkRate: RateThreshold = {
  kind: "ok-rate",
  text: "ok-rate >= 0.99",
  severity: "fail",
  isStrict: false,
  limitFraction: 0.99,
};

const fractions = { p50: 0.5, p95: 0.95, p99: 0.99 } as const satisfies Record<PercentileName, number>;

/** The share of samples that a percentile has below it. */
export const percentFraction = (percentile: PercentileName): number => fractions[percentile];

const isPercentile = (statistic: Statistic): statistic is PercentileName => Object.hasOwn(fractions, statistic);

/** A threshold on one arm; `ok` is absent where it is not decided. */
type ArmJudgement = Pick<LoadThreshold, "valueMs" | "isLater" | "counts" | "ok">;

const isBeyond = ({ isStrict, limitMs }: LatencyThreshold, valueMs: number): boolean =>
  isStrict ? valueMs >= limitMs : valueMs > limitMs;

/** A figure that is exact, or at least so much. */
const figureOf = (metric: LoadMetric, statistic: Statistic): Pick<ArmJudgement, "valueMs" | "isLater"> => {
  if (isPercentile(statistic)) {
    const found = metric[statistic];
    return found === undefined ? {} : { valueMs: found.value, ...(found.isLater === true ? { isLater: true } : {}) };
  }
  const { meanMs, maxMs, count, later } = metric;
  if (later === undefined) {
    return { valueMs: statistic === "mean" ? meanMs : maxMs };
  }
  // What had not come takes longer than it was watched, and no mean is known.
  return statistic === "max" && maxMs >= later.longestMs && count > 0
    ? { valueMs: maxMs }
    : statistic === "max"
      ? { valueMs: later.longestMs, isLater: true }
      : {};
};

/** A mean is at least that with everything that is later ending at once. */
const leastMeanMs = ({ seen, later }: CensoredValues): number => {
  const sum = [seen, later].reduce((total, values) => values.reduce((part, value) => part + value, total), 0);
  return sum / Math.max(1, sizeOfCensored({ seen, later })) / 1000;
};

/** Mean and largest value of this run are no estimates: they are decided by what was seen, else not. */
const judgeFigure = (threshold: LatencyThreshold, metric: LoadMetric, values: CensoredValues): ArmJudgement => {
  const figure = figureOf(metric, threshold.statistic);
  const leastMs = threshold.statistic === "mean" ? leastMeanMs(values) : (figure.valueMs ?? 0);
  if (isBeyond(threshold, leastMs)) {
    return { ...figure, ok: false };
  }
  return metric.later === undefined ? { ...figure, ok: true } : figure;
};

/** With so large a share of the part above a percentile that had not come, the percentile of what came says too little. */
const mostUnseen = 0.1;

/** A stock k6 tells nothing but figures, of what came; that they keep a limit says little where much had not come. */
const judgeTold = (
  threshold: LatencyThreshold,
  figure: Pick<ArmJudgement, "valueMs" | "isLater">,
  laterShare: number,
): ArmJudgement => {
  if (figure.valueMs === undefined) {
    return figure;
  }
  if (isBeyond(threshold, figure.valueMs)) {
    return { ...figure, ok: false };
  }
  const above = isPercentile(threshold.statistic) ? 1 - fractions[threshold.statistic] : 0;
  return laterShare <= above * mostUnseen ? { ...figure, ok: true } : figure;
};

/** The largest share of arrivals of one kind that had not come. */
const laterShareOf = (outcomes: LoadResult["outcomes"]): number =>
  Math.max(
    0,
    ...arrivalKinds.map((kind) => {
      const counts = outcomes[kind] ?? {};
      const sum = (isCounted: (outcome: LoadOutcome) => boolean): number =>
        loadOutcomes.reduce((total, name) => total + (isCounted(name) ? (counts[name] ?? 0) : 0), 0);
      return (
        sum(isLaterThanSeen) /
        Math.max(
          1,
          sum(() => true),
        )
      );
    }),
  );

const judgeArm = (
  threshold: LatencyThreshold,
  metric: LoadMetric,
  { latencies, outcomes }: JudgedFigures,
): ArmJudgement => {
  const laterShare = laterShareOf(outcomes);
  const { statistic, limitMs, isStrict } = threshold;
  const figure = figureOf(metric, statistic);
  const values = latencies.get(latencyKey(metric.metric, metric.arm));
  if (values === undefined) {
    return judgeTold(threshold, figure, laterShare);
  }
  if (!isPercentile(statistic)) {
    return judgeFigure(threshold, metric, values);
  }
  const fewest = percentileMinimum[statistic];
  const limit = { fraction: fractions[statistic], limit: limitMs * 1000, isStrict, fewest };
  const { ok, ...counts } = decideQuantile(values, limit);
  return { ...figure, counts, ...defined({ ok }) };
};

const severityOf = ({ severity }: Threshold): Pick<LoadThreshold, "severity"> =>
  severity === "fail" ? {} : { severity };

/** Of two arms the one that decides: one that misses, else one that is not decided, else the slower one. */
const decisive = (arms: readonly ArmJudgement[]): ArmJudgement =>
  arms.find(({ ok }) => ok === false) ??
  arms.find(({ ok }) => ok === undefined) ??
  arms.toSorted((one, other) => (other.valueMs ?? 0) - (one.valueMs ?? 0))[0] ??
  {};

const judgeLatency = (threshold: LatencyThreshold, figures: JudgedFigures): LoadThreshold => {
  const arms = figures.metrics
    .filter(({ metric }) => metric === threshold.metric)
    .map((metric) => judgeArm(threshold, metric, figures));
  return { threshold: threshold.text, ...severityOf(threshold), limitMs: threshold.limitMs, ...decisive(arms) };
};

type OutcomeCounts = LoadResult["outcomes"][string];

const countOf = (counts: OutcomeCounts, isCounted: (outcome: LoadOutcome) => boolean): number =>
  loadOutcomes.reduce((sum, name) => sum + (isCounted(name) ? (counts[name] ?? 0) : 0), 0);

/** What was asked for: what was sent and had its time, and arrivals that could not begin. */
const triedOf = (counts: OutcomeCounts): number => countOf(counts, (name) => !isNeutral(name) || isNeverSent(name));

interface OkRate {
  readonly share: number;
  /** Arrivals that could not begin, and all that were tried. */
  readonly notBegun: number;
  readonly tried: number;
}

/**
 * The lowest share of what went well among what was tried, over kinds of samples; undefined where nothing was tried. An arrival that
 * could not begin did not go well, whoever kept it from beginning.
 */
export const okRateOf = (outcomes: LoadResult["outcomes"]): OkRate | undefined =>
  Object.values(outcomes)
    .map((counts) => ({ counts, tried: triedOf(counts) }))
    .filter(({ tried }) => tried > 0)
    .map(({ counts, tried }) => ({ share: (counts.ok ?? 0) / tried, notBegun: countOf(counts, isNeverSent), tried }))
    .toSorted((one, other) => one.share - other.share)[0];

/** The same, had all gone well but what no lateness of the generator explains. */
const bestOkRateOf = ({ outcomes, inexplicable = {} }: JudgedFigures): number =>
  Math.min(
    1,
    ...Object.entries(outcomes).flatMap(([kind, counts]) => {
      const tried = triedOf(counts);
      return tried === 0 ? [] : [1 - (inexplicable[kind] ?? 0) / tried];
    }),
  );

const judgeRate = (threshold: RateThreshold, figures: JudgedFigures): LoadThreshold => {
  const { text, limitFraction, isStrict } = threshold;
  const rate = okRateOf(figures.outcomes);
  const base = { threshold: text, ...severityOf(threshold), limitFraction };
  const isKept = (share: number): boolean => (isStrict ? share > limitFraction : share >= limitFraction);
  if (rate === undefined) {
    return base;
  }
  const { share, notBegun, tried } = rate;
  return {
    ...base,
    valueFraction: share,
    ...(notBegun === 0 ? {} : { notBegun: { count: notBegun, of: tried } }),
    ok: isKept(share),
    ...(isKept(bestOkRateOf(figures)) ? {} : { stands: true }),
  };
};

/** What thresholds are judged by. */
export type JudgedFigures = Pick<LoadTally, "metrics" | "outcomes" | "latencies" | "inexplicable">;

/**
 * Judges thresholds. A percentile is missed where more of its samples lie beyond the limit than chance would put there, see
 * `decideQuantile`; mean, largest value and the share that went well are those of the run itself. What had not come when nobody watched
 * any more counts as later than that. `ok` is absent where the samples leave it undecided. Of two arms the slower one decides.
 */
export const judgeThresholds = (thresholds: readonly Threshold[], figures: JudgedFigures): readonly LoadThreshold[] =>
  thresholds.map((threshold) =>
    threshold.kind === "latency" ? judgeLatency(threshold, figures) : judgeRate(threshold, figures),
  );

/** Thresholds of the shipped scenarios, by metric: each is judged here from the samples, with more to say than yes or no. */
const rejudged =
  /^(?:dropped_iterations|script_errors|start_lag|(?:stream|conversation)_violations|(?:stream|conversation|first_byte)_(?:ok|fine))\b/u;

/** With this, scripts only ask k6 to tell the measured phase apart. */
const alwaysHolds = "{phase:measure} max>=0";

/** The other thresholds of k6, which a script of the user's own may set, as k6 judged them. */
export const scriptThresholds = (thresholds: Readonly<Record<string, boolean>>): readonly LoadThreshold[] =>
  Object.entries(thresholds)
    .filter(([name]) => !rejudged.test(name) && !name.endsWith(alwaysHolds))
    .map(([name, ok]) => ({ threshold: `k6: ${name}`, ok }));
