import type { LoadPlan } from "./load-plan.ts";
import type { GeneratorFacts } from "./load-result.ts";

/** `k6-summary.json`, which a scenario writes when k6 ends normally. */
export interface K6Summary {
  readonly assay: "k6-summary";
  readonly version: 1;
  readonly k6Version: string;
  readonly plan: LoadPlan;
  /** The execution segment of this process, as k6 prints it: `0:1` is the whole plan. Absent if unknown. */
  readonly segment?: string;
  /** Digest of the script, in lower-case hex. Empty if Assay did not start k6. */
  readonly scenarioSha256: string;
  readonly testDurationMs: number;
  readonly droppedIterations: number;
  /** Number of dropped iterations that could not begin because all virtual users were busy. Default: 0. */
  readonly notBegun?: number;
  readonly iterations: number;
  /** Highest number of busy virtual users. */
  readonly maxVus: number;
  /** Measured samples by kind and outcome, such as `stream ok`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Violations by code. */
  readonly violations: Readonly<Record<string, number>>;
  /** Permitted choices by code. */
  readonly observations: Readonly<Record<string, number>>;
  /** Absent if the file lacks some of the facts. */
  readonly generator?: GeneratorFacts;
  readonly thresholds: Readonly<Record<string, boolean>>;
}
