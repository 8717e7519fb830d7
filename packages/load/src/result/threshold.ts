import { HarnessError, nearestName } from "@assay/contract";
import {
  type LoadMetric,
  type LoadMetricName,
  loadMetricNames,
  loadOutcomes,
  type LoadResult,
  type LoadThreshold,
} from "@assay/results";
import { isNeutral } from "./sample-latencies.ts";

const statistics = ["p50", "p95", "p99", "mean", "max"] as const;
type Statistic = (typeof statistics)[number];

/** A limit that can be judged: on a latency, or on the share of requests that went well. */
export type Threshold =
  | {
      readonly kind: "latency";
      readonly text: string;
      readonly metric: LoadMetricName;
      readonly statistic: Statistic;
      readonly isStrict: boolean;
      readonly limitMs: number;
    }
  | { readonly kind: "ok-rate"; readonly text: string; readonly isStrict: boolean; readonly limitFraction: number };

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

const rateOf = (text: string, [, sign, digits, percent]: readonly string[]): Threshold => {
  const limitFraction = Number(digits) / (percent === "%" ? 100 : 1);
  if (limitFraction > 1) {
    throw bad(text, "a share is at most 1, or 100%");
  }
  return { kind: "ok-rate", text, isStrict: sign === ">", limitFraction };
};

const latencyOf = (text: string, [, name = "", wanted, sign, digits, unit]: readonly string[]): Threshold => {
  const metric = loadMetricNames.find((known) => known === name);
  const statistic = statistics.find((known) => known === wanted);
  if (metric === undefined || statistic === undefined) {
    throw unknownMetric(text, name);
  }
  return {
    kind: "latency",
    text,
    metric,
    statistic,
    isStrict: sign === "<",
    limitMs: Number(digits) * (unit === "s" ? 1000 : 1),
  };
};

/**
 * Reads a threshold: a metric, one of p50, p95, p99, mean and max, `<` or `<=`, and a number of ms (default) or s; or `ok-rate`,
 * `>` or `>=`, and a share, as a fraction or with %. Spaces do not matter. Fails with `bad-threshold` in one sentence.
 */
export const parseThreshold = (given: string): Threshold => {
  const text = given
    .replaceAll(/([<>]=?)/gu, " $1 ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const rate = rateForm.exec(text);
  if (rate !== null) {
    return rateOf(text, rate);
  }
  const latency = latencyForm.exec(text);
  if (latency !== null) {
    return latencyOf(text, latency);
  }
  throw bad(given, `write a metric, p50, p95, p99, mean or max, < or <=, and milliseconds, ${example}`);
};

/** The share that is demanded of every run whose shape does not look for the limit of the target. */
export const defaultOkRate: Threshold = parseThreshold("ok-rate >= 0.99");

const statisticOf = (metric: LoadMetric, statistic: Statistic): number | undefined => {
  if (statistic === "mean") {
    return metric.meanMs;
  }
  return statistic === "max" ? metric.maxMs : metric[statistic]?.value;
};

const latencyValue = (threshold: Extract<Threshold, { kind: "latency" }>, metrics: readonly LoadMetric[]) => {
  const values = metrics
    .filter(({ metric }) => metric === threshold.metric)
    .map((metric) => statisticOf(metric, threshold.statistic));
  // With two arms the slower one decides; where one has too few samples, nothing is decided.
  return values.length === 0 || values.includes(undefined)
    ? undefined
    : Math.max(...values.filter((value) => value !== undefined));
};

/** The lowest share of what went well among what was tried, over kinds of samples; undefined where nothing was tried. */
export const okRateOf = (outcomes: LoadResult["outcomes"]): number | undefined => {
  const rates = Object.values(outcomes).flatMap((counts) => {
    const ok = counts.ok ?? 0;
    const tried = loadOutcomes.reduce((sum, name) => sum + (isNeutral(name) ? 0 : (counts[name] ?? 0)), 0);
    return tried === 0 ? [] : [ok / tried];
  });
  return rates.length === 0 ? undefined : Math.min(...rates);
};

const judgeLatency = (threshold: Extract<Threshold, { kind: "latency" }>, metrics: readonly LoadMetric[]) => {
  const { text, limitMs, isStrict } = threshold;
  const valueMs = latencyValue(threshold, metrics);
  return valueMs === undefined
    ? { threshold: text, limitMs }
    : { threshold: text, limitMs, valueMs, ok: isStrict ? valueMs < limitMs : valueMs <= limitMs };
};

const judgeRate = (threshold: Extract<Threshold, { kind: "ok-rate" }>, outcomes: LoadResult["outcomes"]) => {
  const { text, limitFraction, isStrict } = threshold;
  const valueFraction = okRateOf(outcomes);
  return valueFraction === undefined
    ? { threshold: text, limitFraction }
    : {
        threshold: text,
        limitFraction,
        valueFraction,
        ok: isStrict ? valueFraction > limitFraction : valueFraction >= limitFraction,
      };
};

/**
 * Judges thresholds by the values found, not by their intervals. `ok` is absent where a metric has no samples, or too few for the
 * percentile. With two arms the slower one decides.
 */
export const judgeThresholds = (
  thresholds: readonly Threshold[],
  { metrics, outcomes }: Pick<LoadResult, "metrics" | "outcomes">,
): readonly LoadThreshold[] =>
  thresholds.map((threshold) =>
    threshold.kind === "latency" ? judgeLatency(threshold, metrics) : judgeRate(threshold, outcomes),
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
