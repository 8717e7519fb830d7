import { alikeQueries, slotLatencies, weather } from "../../compare/testing/latency-model.ts";
import { type SeededRandom, seededRandom } from "../../compare/testing/seeded-random.ts";
import { type CensoredValue, splitCensored } from "../../statistics/censored.ts";
import { decideQuantile } from "../../statistics/decide-quantile.ts";
import { percentileMinimum } from "@assay/results";
import type { PercentileName } from "../load-metrics.ts";
import { percentileFraction } from "../threshold.ts";

/** Why samples do not finish. */
export const hindrances = {
  none: "every sample is watched to its end",
  "end of the run": "the run lasts three times the quantile, and cuts off what is under way",
  "broken connections": "a tenth of the samples is cut off at a random time",
  "both, and weather": "both, on a machine with the weather of the comparisons",
} as const;
export type Hindrance = keyof typeof hindrances;

/** One kind of runs. */
export interface ThresholdSetting {
  readonly percentile: PercentileName;
  readonly samples: number;
  readonly hindrance: Hindrance;
}

/** How often a threshold had each verdict, for one true quantile as a share of its limit. */
export interface ThresholdCalls {
  readonly ratio: number;
  readonly missed: number;
  readonly kept: number;
  readonly undecided: number;
}

export interface SimulatedThreshold extends ThresholdSetting {
  readonly trials: number;
  readonly calls: readonly ThresholdCalls[];
}

const costs = new Float64Array(0);

const latenciesOf = (count: number, logSlowdown: number, random: SeededRandom): Float64Array =>
  slotLatencies(count, logSlowdown, { model: alikeQueries, costs, random });

const manyForQuantile = 400_000;

/** The quantile of the model, from enough latencies to make its error negligible. */
const trueQuantiles = (): Readonly<Record<PercentileName, number>> => {
  const sorted = latenciesOf(manyForQuantile, 0, seededRandom(1)).sort();
  const at = (name: PercentileName): number =>
    sorted[Math.floor(percentileFraction(name) * sorted.length)] ?? Number.NaN;
  return { p50: at("p50"), p95: at("p95"), p99: at("p99") };
};

const slots = 6;

/** All latencies of a run; with slowdowns of the machine, in slots that share one. */
const runOf = (count: number, hasWeather: boolean, random: SeededRandom): Float64Array => {
  if (!hasWeather) {
    return latenciesOf(count, 0, random);
  }
  const slowdowns = weather(slots, random);
  const parts = [...slowdowns].flatMap((slowdown) => [...latenciesOf(Math.ceil(count / slots), slowdown, random)]);
  return Float64Array.from(parts.slice(0, count));
};

const brokenShare = 0.1;
const runLength = 3;

/** The time for which each sample is watched: to the end of the run, or until its connection breaks. */
const watchOf = ({ hindrance, samples }: ThresholdSetting, quantile: number, random: SeededRandom) => {
  const cutsEnd = hindrance === "end of the run" || hindrance === "both, and weather";
  const breaks = hindrance === "broken connections" || hindrance === "both, and weather";
  return (index: number): number => {
    const toEnd = cutsEnd ? runLength * quantile * (1 - index / samples) : Number.POSITIVE_INFINITY;
    const toBreak = breaks && random.even() < brokenShare ? random.even() * quantile : Number.POSITIVE_INFINITY;
    return Math.min(toEnd, toBreak);
  };
};

const seenOf = (latency: number, watch: number): CensoredValue =>
  latency <= watch ? { value: latency, isCensored: false } : { value: watch, isCensored: true };

/** Simulates runs of a setting, and judges each by limits of which the true quantile is each of these shares. */
export const simulateThreshold = (
  setting: ThresholdSetting,
  { ratios, trials, seed }: { readonly ratios: readonly number[]; readonly trials: number; readonly seed: number },
): SimulatedThreshold => {
  const { percentile, samples, hindrance } = setting;
  const random = seededRandom(seed);
  const quantile = trueQuantile[percentile];
  const counts = ratios.map((ratio) => ({ ratio, missed: 0, kept: 0, undecided: 0 }));
  for (let trial = 0; trial < trials; trial += 1) {
    const watch = watchOf(setting, quantile, random);
    const latencies = runOf(samples, hindrance === "both, and weather", random);
    const values = splitCensored([...latencies].map((latency, index) => seenOf(latency, watch(index))));
    for (const count of counts) {
      const { ok } = decideQuantile(values, {
        fraction: percentileFraction(percentile),
        limit: quantile / count.ratio,
        isStrict: true,
        minCount: percentileMinimum[percentile],
      });
      const call = ok === undefined ? "undecided" : ok ? "kept" : "missed";
      count[call] += 1;
    }
  }
  return { ...setting, trials, calls: counts };
};

const trueQuantile = trueQuantiles();
