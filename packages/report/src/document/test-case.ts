import type { JunitKind } from "@assay/results";

/**
 * One row of a report for tools that know test cases only. All texts are visibly escaped and cut. JUnit and CTRF are two
 * spellings of a list of these.
 */
export interface TestCase {
  /** Such as `assay.run` and `stream.search`. */
  readonly suite: string;
  readonly name: string;
  /** `error` is red as `failure` is; `warning` did well and has something to say. */
  readonly kind: JunitKind;
  /** The standing of the rule, or the outcome of the run: what the kind was made of. */
  readonly standing: string;
  /** One sentence: why it is not simply passed. */
  readonly message?: string;
  /** How many findings a rule has that is violated or warns. */
  readonly findings?: number;
  /** What kind of failure it is: a basis, an outcome. */
  readonly type?: string;
  /** What is known of a case that did well: names and values. */
  readonly properties?: readonly (readonly [name: string, value: string])[];
  /** Lines with everything that is known. */
  readonly details?: readonly string[];
}

/** The cases of one run, with what is true of all of them. */
export interface CaseList {
  readonly id: string;
  readonly startedAt: string;
  readonly target: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly exitCode: number;
  /** Milliseconds that its requests took, added up. */
  readonly durationMs: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly TestCase[];
}
