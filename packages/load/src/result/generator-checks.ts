import {
  histogramQuantile,
  type LoadMetric,
  type LoadOutcome,
  percentileMinimum,
  type TrustCheck,
} from "@assay/results";
import { quantileBounds } from "../statistics/censored.ts";
import { createLatencyKey } from "./load-metrics.ts";
import { arrivalKinds } from "./sample-latencies.ts";
import { findFastestMetric, type TrustChecker, type TrustFacts } from "./trust-facts.ts";

const minLagLimitMs = 5;
const maxLagFraction = 0.1;
/** A clock set back by more than this makes latencies look shorter. */
const minPlausibleLagMs = -5;
const maxCpuFraction = 0.85;
const maxTimerLagMs = 20;

const formatMs = (value: number): string => `${value.toFixed(1)} ms`;
const formatPercent = (fraction: number): string => `${(fraction * 100).toFixed(0)} %`;
const slowdownAdvice = "use a lower rate, a stronger machine or several machines";

/**
 * Checks that no arrival was dropped while a virtual user was free: an unsent request is not measured. `checkArrivalsBegun`
 * covers arrivals for which all virtual users of the plan were busy.
 */
export const checkDroppedIterations: TrustChecker = ({ droppedIterations, notBegun = 0 }): TrustCheck => {
  if (droppedIterations === undefined) {
    return {
      check: "dropped-iterations",
      sentence: "k6 did not end normally, so the number of dropped iterations is unknown",
    };
  }
  const value = Math.max(0, droppedIterations - notBegun);
  const ok = value === 0;
  const base = { check: "dropped-iterations", ok, value, limit: 0, unit: "count" } as const;
  const startedSentence =
    notBegun === 0
      ? "k6 started all planned iterations"
      : `k6 started all but ${notBegun} arrivals, for which all virtual users of the plan were busy`;
  return {
    ...base,
    sentence: ok
      ? startedSentence
      : `k6 did not start ${value} of the planned iterations, although virtual users of the plan were free; ${slowdownAdvice}`,
  };
};

const countArrivals = ({ tally }: TrustFacts, outcome: LoadOutcome): number =>
  arrivalKinds.reduce((sum, kind) => sum + (tally.outcomes[kind]?.[outcome] ?? 0), 0);

/**
 * Checks that no limit of the plan stopped arrivals: its questions, or its virtual users, unless the target became
 * slower and occupied them. The response of the target to these arrivals is unknown.
 */
export const checkArrivalsBegun: TrustChecker = (facts): TrustCheck => {
  const { saturation, plan } = facts;
  const notBegun = countArrivals(facts, "not-begun");
  const overBudget = countArrivals(facts, "over-budget");
  const isLimitedByPlan = notBegun > 0 && (saturation === undefined || saturation.limitedBy !== undefined);
  const base = {
    check: "arrivals-begun",
    value: (isLimitedByPlan ? notBegun : 0) + overBudget,
    limit: 0,
    unit: "count",
  } as const;
  const sentences = [
    ...(isLimitedByPlan
      ? [
          saturation?.sentence ??
            `${notBegun} arrivals could not begin, because all ${plan.maxVus} virtual users were busy, and nothing shows that the target took longer than before; raise --max-vus`,
        ]
      : []),
    ...(overBudget > 0
      ? [
          `${overBudget} conversations could not begin, because the plan allows no more questions; allow more by --questions`,
        ]
      : []),
  ];
  if (sentences.length > 0) {
    return { ...base, ok: false, sentence: sentences.join("; ") };
  }
  return {
    ...base,
    ok: true,
    sentence:
      notBegun === 0
        ? "no limit of the plan kept arrivals from beginning"
        : `${notBegun} arrivals could not begin, because the target took longer than before`,
  };
};

/** Returns the percentile of the lag to judge: the highest with enough samples, so that one hiccup does not invalidate a short run. */
const findHighestJudgedFraction = (count: number): number => {
  if (count >= percentileMinimum.p99) {
    return 0.99;
  }
  return count >= percentileMinimum.p95 ? 0.95 : 0.9;
};

/** The lag at one percentile, and its limit. */
interface JudgedLag {
  readonly fraction: number;
  readonly valueMs: number;
  readonly limitMs: number;
  /** The same percentile of the measured metric, if any. */
  readonly comparison?: { readonly metric: string; readonly valueMs: number };
}

/**
 * Returns the delay of the whole schedule. k6 begins its ramps only when all virtual users are ready, some milliseconds
 * after the reported start, so all arrivals are equally late. A steady rate has no delay.
 */
const scheduleDelayMs = ({ plan, tally }: TrustFacts): number =>
  plan.shape === "steady" || plan.shape === "soak" ? 0 : Math.max(0, tally.minLagMs ?? 0);

/**
 * Returns the lower bound of a quantile in milliseconds, with censored values at their lower bounds. A target that never
 * responds is as slow as the time for which it was observed. Returns 0 if there are no values.
 */
function lowerBoundMs({ tally }: TrustFacts, base: LoadMetric | undefined, fraction: number): number {
  const values = base === undefined ? undefined : tally.latencies.get(createLatencyKey(base.metric, base.side));
  return values === undefined ? 0 : (quantileBounds(values, fraction).low || 0) / 1000;
}

/** Measures the lag at one percentile. It may be a tenth of the same percentile of the measured metric, since both start at the planned time. */
function measureLag(facts: TrustFacts, fraction: number, base: LoadMetric | undefined): JudgedLag | undefined {
  const { tally } = facts;
  const measuredHistograms = tally.histograms.filter(({ phase }) => phase === "measure");
  const lags = measuredHistograms.filter(({ metric }) => metric === "start-lag");
  const values = lags.flatMap((lag) => histogramQuantile(lag, fraction) ?? []);
  if (values.length === 0) {
    return undefined;
  }
  const valueMs = Math.max(0, Math.max(...values) / 1000 - scheduleDelayMs(facts));
  const histogram = measuredHistograms.find(({ metric, side }) => metric === base?.metric && side === base.side);
  const micros = histogram === undefined ? undefined : histogramQuantile(histogram, fraction);
  const limitMs = Math.max(
    ((micros ?? 0) / 1000) * maxLagFraction,
    lowerBoundMs(facts, base, fraction) * maxLagFraction,
    minLagLimitMs,
  );
  return {
    fraction,
    valueMs,
    limitMs,
    ...(histogram === undefined || micros === undefined
      ? {}
      : { comparison: { metric: histogram.metric, valueMs: micros / 1000 } }),
  };
}

/** Judges the median and the highest possible percentile, and returns the one closer to its limit or further beyond it. */
function judgeLag(facts: TrustFacts): JudgedLag | undefined {
  const base = findFastestMetric(facts, ["first-match", "poll", "first-event", "stream", "create"]);
  const counts = facts.tally.histograms
    .filter(({ metric, phase }) => metric === "start-lag" && phase === "measure")
    .map(({ count }) => count);
  return [findHighestJudgedFraction(Math.min(...counts)), 0.5]
    .map((fraction) => measureLag(facts, fraction, base))
    .filter((lag) => lag !== undefined)
    .toSorted((a, b) => b.valueMs / b.limitMs - a.valueMs / a.limitMs)[0];
}

const reportClockChange = (minLagMs: number): TrustCheck => ({
  check: "start-lag",
  ok: false,
  value: minLagMs,
  limit: minPlausibleLagMs,
  unit: "ms",
  sentence: `a request was sent ${formatMs(-minLagMs)} before its planned time: the clock of this machine was changed during the run; repeat it`,
});

const formatPercentileName = (fraction: number): string =>
  fraction === 0.5 ? "median" : `${fraction * 100}th percentile`;

/**
 * Checks that requests were sent on time: the median of the lag, and its 99th percentile (the 95th below 500 requests,
 * the 90th below 100).
 */
export const checkStartLag: TrustChecker = (facts): TrustCheck => {
  const lag = judgeLag(facts);
  if (lag === undefined) {
    return { check: "start-lag", sentence: "nothing was sent, so there is no lag" };
  }
  const { minLagMs = 0 } = facts.tally;
  if (minLagMs < minPlausibleLagMs) {
    return reportClockChange(minLagMs);
  }
  const { fraction, valueMs: value, limitMs: limit, comparison } = lag;
  const ok = value <= limit;
  const measurement = `requests were sent ${formatMs(value)} after their planned time (${formatPercentileName(fraction)})`;
  const suffix = comparison === undefined ? "" : `; that of ${comparison.metric} is ${formatMs(comparison.valueMs)}`;
  const sentence = ok
    ? `${measurement}${suffix}`
    : `${measurement}, more than ${formatMs(limit)}${suffix}; the generator could not keep up: ${slowdownAdvice}`;
  return { check: "start-lag", ok, value, limit, unit: "ms", sentence };
};

/** Checks that the generator had spare processor time. With several processes, uses the busiest. */
export const checkCpu: TrustChecker = ({ generators }): TrustCheck => {
  const shares = generators
    .filter(({ wallSeconds, cores }) => wallSeconds > 0 && cores > 0)
    .map(({ cpuSeconds, wallSeconds, cores }) => cpuSeconds / (wallSeconds * cores));
  if (shares.length === 0) {
    return { check: "generator-cpu", sentence: "k6 did not report its processor time" };
  }
  const value = Math.max(...shares);
  const ok = value <= maxCpuFraction;
  const measurement = `k6 used ${formatPercent(value)} of its cores`;
  return {
    check: "generator-cpu",
    ok,
    value,
    limit: maxCpuFraction,
    unit: "fraction",
    sentence: ok
      ? measurement
      : `${measurement}, more than ${formatPercent(maxCpuFraction)}: its own work distorts the figures; ${slowdownAdvice}`,
  };
};

/** Checks that timers in the generator fired on time. With several processes, uses the latest. */
export const checkTimer: TrustChecker = ({ generators }): TrustCheck => {
  if (generators.length === 0) {
    return { check: "generator-timer", sentence: "k6 did not report the lateness of its timers" };
  }
  const value = Math.max(...generators.map(({ timerLagP99Ms }) => timerLagP99Ms));
  const ok = value <= maxTimerLagMs;
  const measurement = `timers of k6 fired at most ${formatMs(value)} late (99th percentile)`;
  return {
    check: "generator-timer",
    ok,
    value,
    limit: maxTimerLagMs,
    unit: "ms",
    sentence: ok
      ? measurement
      : `${measurement}, more than ${formatMs(maxTimerLagMs)}: the machine was busy with something else; ${slowdownAdvice}`,
  };
};
