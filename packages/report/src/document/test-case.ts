import type { JunitKind } from "@assay/results";

/** A test case of JUnit and CTRF. All text is visibly escaped and truncated. */
export interface TestCase {
  /** The name of its group, such as `assay.run` or `stream.search`. */
  readonly suite: string;
  readonly name: string;
  /** Cases of the kinds `failure` and `error` fail. A `warning` passes and has a message. */
  readonly kind: JunitKind;
  /** The standing of the rule, or the outcome of the run. */
  readonly standing: string;
  /** The reason, in one sentence, if the kind is not `passed`. */
  readonly message?: string;
  /** Number of findings of a rule that failed or warned. */
  readonly findings?: number;
  /** The kind of failure: a basis or an outcome. */
  readonly type?: string;
  /** Names and values, such as the proof of a rule. */
  readonly properties?: readonly (readonly [name: string, value: string])[];
  /** The details, line by line. */
  readonly details?: readonly string[];
}

/** The test cases of one run, and facts about the run. */
export interface CaseList {
  readonly id: string;
  readonly startedAt: string;
  readonly target: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly exitCode: number;
  /** Total duration of its requests. */
  readonly durationMs: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly TestCase[];
}
