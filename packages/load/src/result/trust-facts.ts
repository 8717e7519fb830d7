import type {
  Comparison,
  GeneratorFacts,
  LoadMetric,
  LoadMetricName,
  LoadPlan,
  LoadThreshold,
  Saturation,
  TrustCheck,
} from "@assay/results";
import type { LoadTally } from "./load-tally.ts";

/** Inputs of the trust checks. */
export interface TrustFacts {
  readonly plan: LoadPlan;
  readonly tally: LoadTally;
  /** Arrivals that the generator dropped; undefined if unknown. */
  readonly droppedIterations?: number;
  /** Dropped arrivals for which the target left no virtual user free. */
  readonly notBegun?: number;
  /** One for each process that reported it. */
  readonly generators: readonly GeneratorFacts[];
  /** Reasons the stored files are incomplete, as sentences. */
  readonly missingData: readonly string[];
  readonly thresholds: readonly LoadThreshold[];
  readonly comparison?: Comparison;
  /** Why arrivals could not begin; undefined if all could. */
  readonly saturation?: Saturation;
}

export type TrustChecker = (facts: TrustFacts) => TrustCheck;

/** Finds the first measured metric of `names`, on the side with the lower median. */
export const findFastestMetric = (facts: TrustFacts, names: readonly LoadMetricName[]): LoadMetric | undefined =>
  names
    .map((name) =>
      facts.tally.metrics
        .filter(({ metric, p50 }) => metric === name && p50 !== undefined)
        .sort((a, b) => (a.p50?.value ?? 0) - (b.p50?.value ?? 0))
        .at(0),
    )
    .find((metric) => metric !== undefined);
