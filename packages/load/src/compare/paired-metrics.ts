import { type ComparedMetric, type ComparisonPreset, comparedMetrics, type MetricComparison } from "@assay/results";
import { bonferroniConfidence } from "../statistics/corrections.ts";
import { median, quantile } from "../statistics/quantile.ts";
import { hodgesLehmann } from "../statistics/signed-rank.ts";
import { presets, familyAlpha, fewestPairs } from "./presets.ts";
import { judgeShift } from "./judge-shift.ts";
import type { MeasuredPair } from "./paired-blocks.ts";

/** Natural logarithms of a metric in milliseconds, by pair. */
export interface PairedLogs {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

interface PairLog {
  readonly base: number;
  readonly head: number;
}

/** Fewest successful streams in each block, without which a metric of the block is no figure. */
const fewestSamples = {
  "first-match by query": 1,
  "first-match p50": 20,
  "first-match p95": 100,
  "first-match p99": 200,
} as const satisfies Partial<Record<ComparedMetric, number>>;
type PairedMetric = keyof typeof fewestSamples;

const isPaired = (metric: ComparedMetric): metric is PairedMetric => Object.hasOwn(fewestSamples, metric);

/** Metrics of a paired comparison that a preset decides about, the most telling first. */
export const pairedMetricsOf = (preset: ComparisonPreset): readonly PairedMetric[] =>
  comparedMetrics.filter(isPaired).filter((metric) => presets[preset].margins[metric] !== undefined);

/** Confidence of one interval, when all metrics of the preset and the failures share `familyAlpha`. */
export const pairedConfidence = (preset: ComparisonPreset): number =>
  bonferroniConfidence(familyAlpha, pairedMetricsOf(preset).length + 1);

const fractions = { "first-match p50": 0.5, "first-match p95": 0.95, "first-match p99": 0.99 } as const;

/** Mean over queries of the logarithms of their medians: a query counts only where both arms of the pair answered it. */
const byQueryLog = ({ base, head }: MeasuredPair): PairLog | undefined => {
  let baseSum = 0;
  let headSum = 0;
  let queries = 0;
  for (const [index, baseLatencies] of base.byQuery.entries()) {
    const headLatencies = head.byQuery[index];
    if (headLatencies === undefined || baseLatencies.length === 0 || headLatencies.length === 0) {
      continue;
    }
    baseSum += Math.log(median(baseLatencies));
    headSum += Math.log(median(headLatencies));
    queries += 1;
  }
  return queries === 0 ? undefined : { base: baseSum / queries, head: headSum / queries };
};

const pairLog = (metric: PairedMetric, pair: MeasuredPair): PairLog | undefined => {
  if (Math.min(pair.base.all.length, pair.head.all.length) < fewestSamples[metric]) {
    return undefined;
  }
  if (metric === "first-match by query") {
    return byQueryLog(pair);
  }
  const fraction = fractions[metric];
  return { base: Math.log(quantile(pair.base.all, fraction)), head: Math.log(quantile(pair.head.all, fraction)) };
};

/** One metric in all pairs that have enough samples for it. */
export const pairedLogs = (metric: PairedMetric, pairs: readonly MeasuredPair[]): PairedLogs => {
  const logs = pairs.map((pair) => pairLog(metric, pair)).filter((log) => log !== undefined);
  return { base: logs.map(({ base }) => base), head: logs.map(({ head }) => head) };
};

const middle = (logs: readonly number[]): number => Math.exp(median(Float64Array.from(logs).sort()));

const enough = (fewest: number): string => (fewest > 1 ? ` with at least ${fewest} matches timed on each side` : "");

/** Judges one metric from its logarithms. */
export const judgePaired = (metric: PairedMetric, logs: PairedLogs, preset: ComparisonPreset): MetricComparison => {
  const confidence = pairedConfidence(preset);
  return judgeShift({
    metric,
    shift: hodgesLehmann(
      logs.head.map((head, index) => head - (logs.base[index] ?? Number.NaN)),
      confidence,
    ),
    base: middle(logs.base),
    head: middle(logs.head),
    confidence,
    margin: presets[preset].margins[metric] ?? Number.POSITIVE_INFINITY,
    units: logs.head.length,
    fewestUnits: fewestPairs,
    unitName: `complete pairs of blocks${enough(fewestSamples[metric])}`,
  });
};
