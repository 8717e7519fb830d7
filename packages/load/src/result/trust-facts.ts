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

/** What the trust in a run is decided from. */
export interface TrustFacts {
  readonly plan: LoadPlan;
  readonly tally: LoadTally;
  /** Arrivals that the generator left out; undefined when k6 could not say. */
  readonly droppedIterations?: number;
  /** How many of these could not begin because the target held all virtual users. */
  readonly notBegun?: number;
  /** One for each process that said it. */
  readonly generators: readonly GeneratorFacts[];
  /** Why what is stored is not the whole run, one sentence each. */
  readonly gaps: readonly string[];
  readonly thresholds: readonly LoadThreshold[];
  readonly comparison?: Comparison;
  /** What kept arrivals from beginning; undefined where none was, or where no file says it. */
  readonly saturation?: Saturation;
}

/** Checks one condition. */
export type TrustChecker = (facts: TrustFacts) => TrustCheck;

/** The first of some metrics that was measured, on the arm where its median is lower. */
export const fastestMedian = (facts: TrustFacts, names: readonly LoadMetricName[]): LoadMetric | undefined =>
  names
    .map((name) =>
      facts.tally.metrics
        .filter(({ metric, p50 }) => metric === name && p50 !== undefined)
        .sort((a, b) => (a.p50?.value ?? 0) - (b.p50?.value ?? 0))
        .at(0),
    )
    .find((metric) => metric !== undefined);
