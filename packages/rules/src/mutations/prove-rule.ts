import type { Mutation, Edit } from "./mutation.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

/** Maximum number of edits tried for one mutation. */
export const maxTries = 64;

/** The result of one mutation: the edit that the rule detected, or the evidence that is needed. */
export type MutationTrial =
  | { readonly mutation: string; readonly confirmed: { readonly edit: Edit } }
  | {
      readonly mutation: string;
      readonly confirmed?: undefined;
      readonly needs: string;
      readonly isOptional: boolean;
      /** Number of edits tried, none of which the rule detected. */
      readonly tried: number;
    };

/**
 * Tries the edits of every mutation of a rule. `isDetected` reports whether the rule fails, or loses observations,
 * after an edit.
 */
export const proveRule = (
  mutations: readonly Mutation[],
  evidence: ProofEvidence,
  isDetected: (edit: Edit, mutation: Mutation) => boolean,
): readonly MutationTrial[] => mutations.map((mutation) => proveMutation(mutation, evidence, isDetected));

function proveMutation(
  mutation: Mutation,
  evidence: ProofEvidence,
  isDetected: (edit: Edit, mutation: Mutation) => boolean,
): MutationTrial {
  const { name, needs, isOptional, edits } = mutation;
  let tried = 0;
  for (const edit of edits(evidence)) {
    if (tried === maxTries) {
      break;
    }
    tried += 1;
    if (isDetected(edit, mutation)) {
      return { mutation: name, confirmed: { edit } };
    }
  }
  return { mutation: name, needs, isOptional: isOptional === true, tried };
}
