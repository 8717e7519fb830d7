import type { LoadPlan } from "./load-plan.ts";
import type { GeneratorFacts } from "./load-result.ts";

/** What a scenario leaves behind when k6 ends in good order: `k6-summary.json`. */
export interface K6Summary {
  readonly assay: "k6-summary";
  readonly version: 1;
  readonly k6Version: string;
  readonly plan: LoadPlan;
  /** The share of the plan that this process made, as k6 prints its execution segment: `0:1` for all of it. Absent where it is not known. */
  readonly segment?: string;
  /** Of the script, lower-case hex; as the starter of k6 gave it, else empty. */
  readonly scenarioSha256: string;
  readonly testDurationMs: number;
  readonly droppedIterations: number;
  /** How many of these could not begin because as many virtual users were at work as the plan allows. Absent: none. */
  readonly notBegun?: number;
  readonly iterations: number;
  /** Highest number of virtual users at work. */
  readonly maxVus: number;
  /** Measured samples by kind and outcome, such as `stream ok`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Violations by code. */
  readonly violations: Readonly<Record<string, number>>;
  /** Permitted choices by code. */
  readonly observations: Readonly<Record<string, number>>;
  /** Absent where the file lacks some of the facts. */
  readonly generator?: GeneratorFacts;
  readonly thresholds: Readonly<Record<string, boolean>>;
}
