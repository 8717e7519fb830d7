import { defined } from "@assay/contract";
import type { ComparedMetric, ComparisonPreset } from "@assay/results";

/** How much is asked in a paired comparison, and which change counts. */
export interface ComparisonDesign {
  /** Pairs of blocks that are measured. */
  readonly pairs: number;
  readonly requestsPerBlock: number;
  /** Pairs before them that count for nothing. */
  readonly warmupPairs: number;
  /** Smallest change that counts, as a fraction; a metric without one gets no verdict. */
  readonly margins: Readonly<Partial<Record<ComparedMetric, number>>>;
}

/** Fewest measured pairs of blocks, or runs a side, for any verdict but inconclusive. */
export const fewestPairs = 12;
export const fewestRuns = 10;

/** Chance of a wrong verdict that all metrics of one comparison and its failures share. */
export const familyAlpha = 0.01;

const marginsOf = (typical: number, p95: number, p99?: number): ComparisonDesign["margins"] => ({
  "first-match by query": typical,
  "first-match p50": typical,
  "first-match p95": p95,
  ...defined({ "first-match p99": p99 }),
  "terminal p50": typical,
  "terminal p95": p95,
  "poll p50": typical,
  "poll p95": p95,
  throughput: typical,
});

/** What each preset asks and decides. `quick` is a smoke test: it sees only big changes and says nothing of the 99th percentile. */
export const presets: Readonly<Record<ComparisonPreset, ComparisonDesign>> = {
  quick: { pairs: 12, requestsPerBlock: 200, warmupPairs: 2, margins: marginsOf(0.15, 0.3) },
  standard: { pairs: 30, requestsPerBlock: 200, warmupPairs: 2, margins: marginsOf(0.05, 0.1, 0.25) },
  thorough: { pairs: 30, requestsPerBlock: 1000, warmupPairs: 2, margins: marginsOf(0.05, 0.1, 0.2) },
};
