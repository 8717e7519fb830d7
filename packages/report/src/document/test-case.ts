import type { JunitKind } from "@assay/results";

/**
 * A test case of JUnit and CTRF. All texts are visibly escaped and cut.
 */
export interface TestCase {
  /** Such as `assay.run` and `stream.search`. */
  readonly suite: string;
  readonly name: string;
  /** `failure` and `error` fail; `warning` passed and has a message. */
  readonly kind: JunitKind;
  /** The standing of the rule, or the outcome of the run. */
  readonly standing: string;
  /** Why it did not just pass, one sentence. */
  readonly message?: string;
  /** Number of findings of a rule that failed or warned. */
  readonly findings?: number;
  /** The kind of failure: a basis or an outcome. */
  readonly type?: string;
  /** Properties of a case that passed: names and values. */
  readonly properties?: readonly (readonly [name: string, value: string])[];
  /** All details, one line each. */
  readonly details?: readonly string[];
}

/** The test cases of one run, and facts about the run. */
export interface CaseList {
  readonly id: string;
  readonly startedAt: string;
  readonly target: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly exitCode: number;
  /** Sum of the durations of its requests. */
  readonly durationMs: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly TestCase[];
}
