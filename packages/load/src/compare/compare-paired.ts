import type {
  Comparison,
  ComparisonPreset,
  FailureComparison,
  LoadPlan,
  LoadSample,
  QueryComparison,
} from "@assay/results";
import { signTestPValue } from "../statistics/binomial.ts";
import { fewestPairs } from "./presets.ts";
import { compareFailures, failureShare, totalOf } from "./compare-failures.ts";
import { comparisonSummary } from "./comparison-summary.ts";
import { overallVerdict } from "./overall-verdict.ts";
import { pairedBlocks } from "./paired-blocks.ts";
import type { PairedBlocks, BlockLatencies } from "./paired-blocks.ts";
import { judgePaired, pairedConfidence, pairedLogs, pairedMetricsOf } from "./paired-metrics.ts";
import { benjaminiHochberg } from "../statistics/corrections.ts";
import { median } from "../statistics/quantile.ts";
import { hodgesLehmann, signedRankPValue } from "../statistics/signed-rank.ts";

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
