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
import { defined } from "@assay/contract";
import { signTestPValue } from "../statistics/binomial.ts";
import { benjaminiHochberg, bonferroniConfidence } from "../statistics/corrections.ts";
import { median } from "../statistics/quantile.ts";
import { hodgesLehmann, signedRankPValue } from "../statistics/signed-rank.ts";
import { familyAlpha, minPairs, presets } from "./presets.ts";
import { compareFailures, computeFailureShare, sumFailures } from "./compare-failures.ts";
import { summarizeComparison } from "./comparison-summary.ts";
import { combineVerdicts } from "./overall-verdict.ts";
import type { BlockFigures } from "./block-figures.ts";
import { groupIntoPairs } from "./paired-blocks.ts";
import type { MeasuredPair, PairedBlocks } from "./paired-blocks.ts";
import { describeMinTimes, countCensoredTimes, readPairedLogs, selectPairedMetrics } from "./paired-metrics.ts";
import type { LogBounds, PairedLogs } from "./paired-metrics.ts";
import { combineBounds, judgeShift, betweenPollsReason, censoredReason } from "./judge-shift.ts";
import type { BoundedShift } from "./judge-shift.ts";

/** Returns the confidence of one interval if the metrics and the failures share `familyAlpha`. */
export const computePairedConfidence = (metrics: number): number => bonferroniConfidence(familyAlpha, metrics + 1);

const computeGeometricMedian = (logs: readonly number[]): number => Math.exp(median(Float64Array.from(logs).sort()));

const subtract = (minuends: readonly number[], subtrahends: readonly number[]): readonly number[] =>
  minuends.map((value, index) => value - (subtrahends[index] ?? Number.NaN));

/** Returns the logarithms of the observed times, and of the lower bounds of censored times. */
const computeObservedLogs = ({ earliest, latest }: LogBounds): readonly number[] =>
  latest.map((log, index) => (Number.isFinite(log) ? log : (earliest[index] ?? Number.NaN)));

/** Estimates the shift. The interval is valid regardless of the censored times. */
const estimateShift = ({ base, head }: PairedLogs, confidence: number): BoundedShift => {
  const observedShift = hodgesLehmann(subtract(computeObservedLogs(head), computeObservedLogs(base)), confidence);
  if (base.earliest === base.latest && head.earliest === head.latest) {
    return { shift: observedShift, irreducibleHalfWidth: 0 };
  }
  const lowest = hodgesLehmann(subtract(head.earliest, base.latest), confidence);
  const highest = hodgesLehmann(subtract(head.latest, base.earliest), confidence);
  return combineBounds({ lowest, observed: observedShift, highest });
};

const isMedianCensored = (logs: readonly number[]): boolean =>
  logs.length > 0 && !Number.isFinite(computeGeometricMedian(logs));

const countNotBegun = (pairs: readonly MeasuredPair[]): number =>
  pairs.reduce((sum, { head }) => sum + head.notBegun, 0);

/** Advice if there are pairs but their blocks have too few times for a metric. */
const longerBlocksAdvice = "blocks must be longer, which takes a longer run";

/** Judges one metric. `metrics` is the number of metrics compared together. */
export const judgePaired = (
  metric: ComparedMetric,
  pairs: readonly MeasuredPair[],
  {
    preset,
    metrics,
    logs = readPairedLogs(metric, pairs),
  }: { readonly preset: ComparisonPreset; readonly metrics: number; readonly logs?: PairedLogs },
): MetricComparison => {
  const confidence = computePairedConfidence(metrics);
  const censored = countCensoredTimes(metric, pairs);
  const { verdict, ...comparison } = judgeShift({
    metric,
    ...estimateShift(logs, confidence),
    undecidedReason: censored === undefined ? betweenPollsReason : censoredReason,
    base: computeGeometricMedian(computeObservedLogs(logs.base)),
    head: computeGeometricMedian(computeObservedLogs(logs.head)),
    headNotBegun: countNotBegun(pairs),
    confidence,
    margin: presets[preset].margins[metric] ?? Number.POSITIVE_INFINITY,
    units: logs.head.latest.length,
    minUnits: minPairs,
    unitName: `complete pairs of blocks${describeMinTimes(metric)}`,
    ...defined({ alternativeAdvice: logs.head.latest.length < pairs.length ? longerBlocksAdvice : undefined }),
  });
  return {
    ...comparison,
    verdict,
    ...(isMedianCensored(logs.base.latest) ? { baseIsCensored: true } : {}),
    ...(isMedianCensored(logs.head.latest) ? { headIsCensored: true } : {}),
    ...defined({ censored }),
  };
};

/** Fewer pairs cannot reach a small p-value. */
const minPairsPerQuery = 6;
const falseDiscoveryRate = 0.05;

/** Returns the log of the median, or its lower bound if most times were not observed. */
const logMedian = ({ firstMatchByQuery }: BlockFigures, query: number): number => {
  const { earliest, latest } = firstMatchByQuery[query] ?? { earliest: new Float64Array(), latest: new Float64Array() };
  const log = Math.log(median(latest));
  return Number.isFinite(log) ? log : Math.log(median(earliest));
};

/**
 * Compares the queries, smallest p-value first. Exploratory: Benjamini-Hochberg at 5 %, without a margin, and not part
 * of any verdict. Omits queries that both sides answered in fewer than 6 pairs.
 */
const compareQueries = ({ queries, pairs }: PairedBlocks): readonly QueryComparison[] => {
  const rows = queries
    .map((query, index) => ({
      query,
      differences: pairs
        .map(({ base, head }) => logMedian(head, index) - logMedian(base, index))
        .filter(Number.isFinite),
    }))
    .filter(({ differences }) => differences.length >= minPairsPerQuery)
    .map(({ query, differences }) => ({
      query,
      change: Math.expm1(hodgesLehmann(differences, 0.95).estimate),
      pValue: signedRankPValue(differences),
    }));
  const discoveries = benjaminiHochberg(
    rows.map(({ pValue }) => pValue),
    falseDiscoveryRate,
  );
  return rows
    .map((row, index) => ({ ...row, worthALook: discoveries[index] === true }))
    .toSorted((first, second) => first.pValue - second.pValue || Math.abs(second.change) - Math.abs(first.change));
};

export interface PairedComparison {
  /** Samples of the whole run, in any order, with or without the warm-up. */
  readonly samples: Iterable<LoadSample>;
  readonly plan: LoadPlan;
  /** Sets the margins. The plan and the samples determine the number of pairs and requests. */
  readonly preset: ComparisonPreset;
  /** Names of the two sides. */
  readonly base: string;
  readonly head: string;
}

const comparePairFailures = ({ failures }: PairedBlocks, alpha: number): FailureComparison => {
  const shares = failures.map(({ base, head }) => computeFailureShare(head) - computeFailureShare(base));
  return compareFailures({
    base: sumFailures(failures.map(({ base }) => base)),
    head: sumFailures(failures.map(({ head }) => head)),
    alpha,
    agreementPValue:
      failures.length < minPairs
        ? 1
        : signTestPValue(shares.filter((share) => share > 0).length, shares.filter((share) => share < 0).length),
  });
};

const findIncomparable = (plan: LoadPlan, blocks: PairedBlocks): readonly string[] => {
  if (plan.blocks === undefined) {
    return ["the run was not made of alternating blocks on two targets; run it again with --against."];
  }
  return blocks.failures.length === 0 ? ["nothing was recorded after the warm-up pairs; let the run last longer."] : [];
};

/**
 * Compares the two targets of one run with alternating blocks. For each metric, the logarithms of both sides are
 * subtracted within each pair, so that influences on both sides cancel out. The median of the differences and its
 * interval decide. Times between two polls have a lower and an upper bound, and the interval covers both. A pair counts
 * only if both of its blocks are complete. With fewer than 12 complete pairs, every metric is inconclusive.
 */
export const comparePaired = ({ samples, plan, preset, base, head }: PairedComparison): Comparison => {
  const blocks = groupIntoPairs(samples, plan);
  const incomparable = findIncomparable(plan, blocks);
  const names = incomparable.length > 0 ? [] : selectPairedMetrics(preset, blocks.kinds);
  const family = { preset, metrics: names.length };
  const metrics = names.map((metric) => judgePaired(metric, blocks.pairs, family));
  const failures = comparePairFailures(blocks, 1 - computePairedConfidence(names.length));
  const parts = { metrics, failures, incomparable };
  const verdict = combineVerdicts(parts);
  return {
    design: "paired",
    preset,
    base,
    head,
    verdict,
    summary: summarizeComparison(verdict, { ...parts, unit: "pairs of blocks" }),
    ...parts,
    queries: compareQueries(blocks),
  };
};
