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
import { familyAlpha, fewestPairs, presets } from "./presets.ts";
import { compareFailures, failureShare, totalOf } from "./compare-failures.ts";
import { comparisonSummary } from "./comparison-summary.ts";
import { overallVerdict } from "./overall-verdict.ts";
import type { BlockFigures } from "./block-figures.ts";
import { pairedBlocks } from "./paired-blocks.ts";
import type { MeasuredPair, PairedBlocks } from "./paired-blocks.ts";
import { enoughFor, laterOf, pairedLogs, pairedMetricsOf } from "./paired-metrics.ts";
import type { LogBounds, PairedLogs } from "./paired-metrics.ts";
import { boundedShift, judgeShift, openBetweenPolls, openWhereLater } from "./judge-shift.ts";
import type { BoundedShift } from "./judge-shift.ts";

/** Confidence of one interval, when so many metrics and the failures share `familyAlpha`. */
export const pairedConfidence = (metrics: number): number => bonferroniConfidence(familyAlpha, metrics + 1);

const middle = (logs: readonly number[]): number => Math.exp(median(Float64Array.from(logs).sort()));

const minus = (some: readonly number[], others: readonly number[]): readonly number[] =>
  some.map((one, index) => one - (others[index] ?? Number.NaN));

/** As it was seen to be over; where it was not, at least so late. */
const seenOf = ({ earliest, latest }: LogBounds): readonly number[] =>
  latest.map((log, index) => (Number.isFinite(log) ? log : (earliest[index] ?? Number.NaN)));

/** The interval that holds whatever the times were that nobody saw. */
const shiftOf = ({ base, head }: PairedLogs, confidence: number): BoundedShift => {
  const seen = hodgesLehmann(minus(seenOf(head), seenOf(base)), confidence);
  if (base.earliest === base.latest && head.earliest === head.latest) {
    return { shift: seen, openHalfWidth: 0 };
  }
  const least = hodgesLehmann(minus(head.earliest, base.latest), confidence);
  const most = hodgesLehmann(minus(head.latest, base.earliest), confidence);
  return boundedShift({ least, seen, most });
};

const isOpen = (logs: readonly number[]): boolean => logs.length > 0 && !Number.isFinite(middle(logs));

const notBegunIn = (pairs: readonly MeasuredPair[]): number => pairs.reduce((sum, { head }) => sum + head.notBegun, 0);

/** Where there are pairs, and their blocks have too few times for a metric. */
const longerBlocks = "blocks have to be longer, which takes a longer run";

/** Judges one metric of several. `logs`: where they are known already. */
export const judgePaired = (
  metric: ComparedMetric,
  pairs: readonly MeasuredPair[],
  {
    preset,
    metrics,
    logs = pairedLogs(metric, pairs),
  }: { readonly preset: ComparisonPreset; readonly metrics: number; readonly logs?: PairedLogs },
): MetricComparison => {
  const confidence = pairedConfidence(metrics);
  const later = laterOf(metric, pairs);
  const { verdict, ...judged } = judgeShift({
    metric,
    ...shiftOf(logs, confidence),
    openReason: later === undefined ? openBetweenPolls : openWhereLater,
    base: middle(seenOf(logs.base)),
    head: middle(seenOf(logs.head)),
    headNotBegun: notBegunIn(pairs),
    confidence,
    margin: presets[preset].margins[metric] ?? Number.POSITIVE_INFINITY,
    units: logs.head.latest.length,
    fewestUnits: fewestPairs,
    unitName: `complete pairs of blocks${enoughFor(metric)}`,
    ...defined({ insteadOfMore: logs.head.latest.length < pairs.length ? longerBlocks : undefined }),
  });
  return {
    ...judged,
    verdict,
    ...(isOpen(logs.base.latest) ? { baseIsLater: true } : {}),
    ...(isOpen(logs.head.latest) ? { headIsLater: true } : {}),
    ...defined({ later }),
  };
};

/** Fewer pairs than this cannot reach a small p-value whatever they show. */
const fewestPairsOfQuery = 6;
const falseDiscoveryRate = 0.05;

/** As seen; where most were not seen to come, at least. */
const logMedian = ({ byQuery }: BlockFigures, query: number): number => {
  const { earliest, latest } = byQuery[query] ?? { earliest: new Float64Array(), latest: new Float64Array() };
  const log = Math.log(median(latest));
  return Number.isFinite(log) ? log : Math.log(median(earliest));
};

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
  return blocks.failures.length === 0 ? ["nothing was recorded after the warm-up pairs; let the run last longer."] : [];
};

/**
 * Compares the two targets of one run whose blocks alternate. Per metric the logarithms of both arms are subtracted within each
 * pair, so that what both arms share of the weather cancels; the middle of the differences and its interval decide. Times that lie
 * between two polls are taken at their least and at their most, and the interval holds both. A pair counts
 * only when both of its blocks are complete; with fewer than 12 such pairs every metric is inconclusive.
 */
export const comparePaired = ({ samples, plan, preset, base, head }: PairedComparison): Comparison => {
  const blocks = pairedBlocks(samples, plan);
  const incomparable = obstacles(plan, blocks);
  const names = incomparable.length > 0 ? [] : pairedMetricsOf(preset, blocks.kinds);
  const family = { preset, metrics: names.length };
  const metrics = names.map((metric) => judgePaired(metric, blocks.pairs, family));
  const failures = failuresOf(blocks, 1 - pairedConfidence(names.length));
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
