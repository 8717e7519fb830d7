import { defined } from "@assay/contract";
import type { ComparedMetric, ComparisonPreset } from "@assay/results";

/** Size and margins of a paired comparison. */
export interface ComparisonDesign {
  /** Measured pairs of blocks. */
  readonly pairs: number;
  readonly requestsPerBlock: number;
  /** Pairs that run first and are not measured. */
  readonly warmupPairs: number;
  /** Smallest relevant change, as a fraction. A metric without a margin gets no verdict. */
  readonly margins: Readonly<Partial<Record<ComparedMetric, number>>>;
}

/** Minimum number of measured pairs of blocks, or of runs per side, for any verdict but inconclusive. */
export const minPairs = 12;
export const minRuns = 10;

/** Probability of a wrong verdict, shared by all metrics of one comparison and its failures. */
export const familyAlpha = 0.01;

const buildMargins = (typical: number, p95: number, p99?: number): ComparisonDesign["margins"] => ({
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

/** The presets. `quick` is a smoke test: it detects only big changes and has no verdict on the 99th percentile. */
export const presets: Readonly<Record<ComparisonPreset, ComparisonDesign>> = {
  quick: { pairs: 12, requestsPerBlock: 200, warmupPairs: 2, margins: buildMargins(0.15, 0.3) },
  standard: { pairs: 30, requestsPerBlock: 200, warmupPairs: 2, margins: buildMargins(0.05, 0.1, 0.25) },
  thorough: { pairs: 30, requestsPerBlock: 1000, warmupPairs: 2, margins: buildMargins(0.05, 0.1, 0.2) },
};
