import type {
  ComparedMetric,
  Comparison,
  ComparisonPreset,
  FailureComparison,
  LoadPlan,
  LoadSample,
  MetricComparison,
  QueryComparison,
} from "@assay/results";
import { comparedMetrics } from "@assay/results";
import { signTestPValue } from "../statistics/binomial.ts";
import { benjaminiHochberg, bonferroniConfidence } from "../statistics/corrections.ts";
import { median, quantile } from "../statistics/quantile.ts";
import { hodgesLehmann, signedRankPValue } from "../statistics/signed-rank.ts";
import { familyAlpha, fewestPairs, presets } from "./presets.ts";
import { compareFailures, failureShare, totalOf } from "./compare-failures.ts";
import { comparisonSummary } from "./comparison-summary.ts";
import { overallVerdict } from "./overall-verdict.ts";
import { pairedBlocks } from "./paired-blocks.ts";
import type { BlockLatencies, MeasuredPair, PairedBlocks } from "./paired-blocks.ts";
import { judgeShift } from "./judge-shift.ts";

/** Natural logarithms of a metric in milliseconds, by pair. */
interface PairedLogs {
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

/** Fewer pairs than this cannot reach a small p-value whatever they show. */
const fewestPairsOfQuery = 6;
const falseDiscoveryRate = 0.05;

const logMedian = ({ byQuery }: BlockLatencies, query: number): number =>
  Math.log(median(byQuery[query] ?? new Float64Array()));

/**
 * How each query moved, least likely by chance first. Exploratory: by Benjamini and Hochberg at 5 %, without a margin, and no
 * part of any verdict. Queries that both arms answered in fewer than 6 pairs are left out.
 */
const compareQueries = ({ queries, pairs }: PairedBlocks): readonly QueryComparison[] => {
  const rows = queries
    .map((query, index) => ({
      query,
      differences: pairs
        .map(({ base, head }) => logMedian(head, index) - logMedian(base, index))
        .filter(Number.isFinite),
    }))
    .filter(({ differences }) => differences.length >= fewestPairsOfQuery)
    .map(({ query, differences }) => ({
      query,
      change: Math.expm1(hodgesLehmann(differences, 0.95).estimate),
      pValue: signedRankPValue(differences),
    }));
  const found = benjaminiHochberg(
    rows.map(({ pValue }) => pValue),
    falseDiscoveryRate,
  );
  return rows
    .map((row, index) => ({ ...row, worthALook: found[index] === true }))
    .toSorted((one, other) => one.pValue - other.pValue || Math.abs(other.change) - Math.abs(one.change));
};

/** What a paired comparison needs. */
export interface PairedComparison {
  /** Of the whole run, in any order; warm-up included or not. */
  readonly samples: Iterable<LoadSample>;
  readonly plan: LoadPlan;
  /** Decides the margins; how many pairs and requests there were follows from the plan and the samples. */
  readonly preset: ComparisonPreset;
  /** How people call arm `a` and arm `b`. */
  readonly base: string;
  readonly head: string;
}

const failuresOf = ({ failures }: PairedBlocks, alpha: number): FailureComparison => {
  const shares = failures.map(({ base, head }) => failureShare(head) - failureShare(base));
  return compareFailures({
    base: totalOf(failures.map(({ base }) => base)),
    head: totalOf(failures.map(({ head }) => head)),
    alpha,
    agreement:
      failures.length < fewestPairs
        ? 1
        : signTestPValue(shares.filter((share) => share > 0).length, shares.filter((share) => share < 0).length),
  });
};

const obstacles = (plan: LoadPlan, blocks: PairedBlocks): readonly string[] => {
  if (plan.blocks === undefined) {
    return ["the run was not made of alternating blocks on two targets; start it against a second target."];
  }
  return blocks.failures.length === 0
    ? ["no stream was recorded after the warm-up pairs; let the run last longer, with a scenario that reads streams."]
    : [];
};

/**
 * Compares the two targets of one run whose blocks alternate. Per metric the logarithms of both arms are subtracted within each
 * pair, so that what both arms share of the weather cancels; the middle of the differences and its interval decide. A pair counts
 * only when both of its blocks are complete; with fewer than 12 such pairs every metric is inconclusive.
 */
export const comparePaired = ({ samples, plan, preset, base, head }: PairedComparison): Comparison => {
  const blocks = pairedBlocks(samples, plan);
  const incomparable = obstacles(plan, blocks);
  const metrics =
    incomparable.length > 0
      ? []
      : pairedMetricsOf(preset).map((metric) => judgePaired(metric, pairedLogs(metric, blocks.pairs), preset));
  const failures = failuresOf(blocks, 1 - pairedConfidence(preset));
  const parts = { metrics, failures, incomparable };
  const verdict = overallVerdict(parts);
  return {
    design: "paired",
    preset,
    base,
    head,
    verdict,
    summary: comparisonSummary(verdict, { ...parts, unit: "pairs of blocks" }),
    ...parts,
    queries: compareQueries(blocks),
  };
};
