import type { MutationProof, RuleVerdict } from "./verdict.ts";

/** What an edit changed in the first exchange that is another: bytes as visible text, from the first one that differs. */
export interface ShownEdit {
  readonly exchange: string;
  readonly url: string;
  /** Status that came, and in its place; absent where it stays. */
  readonly status?: { readonly sent: number; readonly instead: number };
  /** Offset in the body; absent where the bodies are the same. */
  readonly offset?: number;
  readonly sent: string;
  readonly instead: string;
}

/** A way to ignore the requirements of a rule, with the bytes of the edit that made the rule fail. */
export interface ExplainedMutation extends MutationProof {
  readonly edit?: ShownEdit;
}

/** Why a rule ended in a run as it did, and what would have made it fail. */
export interface Explanation {
  readonly verdict: RuleVerdict;
  readonly mutations: readonly ExplainedMutation[];
}
