import { histogramQuantile, type LoadMetric, type TrustCheck } from "@assay/results";
import { percentileMinimum } from "./load-metrics.ts";
import { fastestMedian, type TrustChecker, type TrustFacts } from "./trust-facts.ts";

const leastLagLimitMs = 5;
const lagShare = 0.1;
/** A clock that was set back by more than this makes latencies look shorter. */
const earlyMs = -5;
const cpuLimit = 0.85;
const timerLimitMs = 20;

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const percent = (fraction: number): string => `${(fraction * 100).toFixed(0)} %`;
const slower = "use a lower rate, a stronger machine or several machines";

/** No arrival was left out for want of virtual users: what is never sent is never measured. */
export const checkDropped: TrustChecker = ({ droppedIterations }): TrustCheck => {
  if (droppedIterations === undefined) {
    return {
      check: "dropped-iterations",
      sentence: "k6 did not end in order, so it could not say how many it dropped",
    };
  }
  const ok = droppedIterations === 0;
  const base = { check: "dropped-iterations", ok, value: droppedIterations, limit: 0, unit: "count" } as const;
  return {
    ...base,
    sentence: ok
      ? "k6 started everything that was to be started"
      : `k6 did not start ${droppedIterations} of the planned iterations, because no virtual user was free; raise the expected time of an iteration or the number of virtual users, or ${slower}`,
  };
};

/** Which percentile of the lag is judged: the highest that the run has samples enough to report, so that one hiccup does not void a short run. */
const judgedFraction = (count: number): number => {
  if (count >= percentileMinimum.p99) {
    return 0.99;
  }
  return count >= percentileMinimum.p95 ? 0.95 : 0.9;
};

const judgedLag = ({ tally }: TrustFacts): { readonly valueMs: number; readonly fraction: number } | undefined => {
  const lags = tally.histograms.filter(({ metric, phase }) => metric === "start-lag" && phase === "measure");
  const fraction = judgedFraction(Math.min(...lags.map(({ count }) => count)));
  const values = lags.flatMap((lag) => histogramQuantile(lag, fraction) ?? []);
  return values.length === 0 ? undefined : { valueMs: Math.max(...values) / 1000, fraction };
};

const setBack = (leastLagMs: number): TrustCheck => ({
  check: "start-lag",
  ok: false,
  value: leastLagMs,
  limit: earlyMs,
  unit: "ms",
  sentence: `a request left ${ms(-leastLagMs)} before its plan: the clock of this machine was set during the run; repeat it`,
});

const medianClause = (base: LoadMetric | undefined): string =>
  base?.p50 === undefined ? "" : `; the median of ${base.metric} is ${ms(base.p50.value)}`;

/** Requests left when they were planned: the 99th percentile of the lag, the 95th below 500 requests, the 90th below 100. */
export const checkStartLag: TrustChecker = (facts): TrustCheck => {
  const lag = judgedLag(facts);
  if (lag === undefined) {
    return { check: "start-lag", sentence: "nothing was sent, or k6 did not say how late" };
  }
  const { leastLagMs = 0 } = facts.tally;
  if (leastLagMs < earlyMs) {
    return setBack(leastLagMs);
  }
  const base = fastestMedian(facts, ["first-match", "poll", "first-event", "stream", "create"]);
  const limit = Math.max((base?.p50?.value ?? 0) * lagShare, leastLagLimitMs);
  const ok = lag.valueMs <= limit;
  const found = `requests were sent ${ms(lag.valueMs)} after their plan (${lag.fraction * 100}th percentile)`;
  const measured = medianClause(base);
  const sentence = ok
    ? `${found}${measured}`
    : `${found}, more than ${ms(limit)}${measured}; the generator could not keep up: ${slower}`;
  return { check: "start-lag", ok, value: lag.valueMs, limit, unit: "ms", sentence };
};

/** The generator had processor time to spare; of several processes the busiest counts. */
export const checkCpu: TrustChecker = ({ generators }): TrustCheck => {
  const shares = generators
    .filter(({ wallSeconds, cores }) => wallSeconds > 0 && cores > 0)
    .map(({ cpuSeconds, wallSeconds, cores }) => cpuSeconds / (wallSeconds * cores));
  if (shares.length === 0) {
    return { check: "generator-cpu", sentence: "k6 did not say how much processor time it used" };
  }
  const value = Math.max(...shares);
  const ok = value <= cpuLimit;
  const found = `k6 used ${percent(value)} of its cores`;
  return {
    check: "generator-cpu",
    ok,
    value,
    limit: cpuLimit,
    unit: "fraction",
    sentence: ok ? found : `${found}, more than ${percent(cpuLimit)}: its own work is in the figures; ${slower}`,
  };
};

/** Timers inside the generator fired on time; of several processes the latest counts. */
export const checkTimer: TrustChecker = ({ generators }): TrustCheck => {
  if (generators.length === 0) {
    return { check: "generator-timer", sentence: "k6 did not say how late its timers were" };
  }
  const value = Math.max(...generators.map(({ timerLagP99Ms }) => timerLagP99Ms));
  const ok = value <= timerLimitMs;
  const found = `timers of k6 fired at most ${ms(value)} late (99th percentile)`;
  return {
    check: "generator-timer",
    ok,
    value,
    limit: timerLimitMs,
    unit: "ms",
    sentence: ok
      ? found
      : `${found}, more than ${ms(timerLimitMs)}: the machine was busy with something else; ${slower}`,
  };
};
