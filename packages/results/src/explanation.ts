import type { MutationProof, RuleVerdict } from "./verdict.ts";

/** The first exchange that a mutation changed, as visible text from the first byte that differs. */
export interface ShownEdit {
  readonly exchange: string;
  readonly url: string;
  /** The received and the altered status. Absent if they are equal. */
  readonly status?: { readonly sent: number; readonly instead: number };
  /** Offset in the body. Absent if the bodies are equal. */
  readonly offset?: number;
  readonly sent: string;
  readonly instead: string;
}

/** A mutation kind of a rule, with the altered bytes that made the rule fail. */
export interface ExplainedMutation extends MutationProof {
  readonly edit?: ShownEdit;
}

/** The verdict on a rule in a run, and the mutations that make it fail. */
export interface Explanation {
  readonly verdict: RuleVerdict;
  readonly mutations: readonly ExplainedMutation[];
}
