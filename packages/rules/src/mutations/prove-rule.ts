import type { Mutation, Edit } from "./mutation.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

/** How many edits of one mutation are tried before it counts as one without power. */
export const maxTries = 64;

/** What became of one mutation: the edit that made the rule speak, or what evidence would have made it. */
export type MutationTrial =
  | { readonly mutation: string; readonly confirmed: { readonly edit: Edit } }
  | {
      readonly mutation: string;
      readonly confirmed?: undefined;
      readonly needs: string;
      readonly isOptional: boolean;
      /** Edits that were tried, none of which made the rule speak. */
      readonly tried: number;
    };

/** Tries the edits of every mutation of a rule; `speaks` says whether the rule fails, or loses its witness, once an edit is made. */
export const proveRule = (
  mutations: readonly Mutation[],
  evidence: ProofEvidence,
  speaks: (edit: Edit, mutation: Mutation) => boolean,
): readonly MutationTrial[] => mutations.map((mutation) => proveMutation(mutation, evidence, speaks));

function proveMutation(
  mutation: Mutation,
  evidence: ProofEvidence,
  speaks: (edit: Edit, mutation: Mutation) => boolean,
): MutationTrial {
  const { name, needs, isOptional, edits } = mutation;
  let tried = 0;
  for (const edit of edits(evidence)) {
    if (tried === maxTries) {
      break;
    }
    tried += 1;
    if (speaks(edit, mutation)) {
      return { mutation: name, confirmed: { edit } };
    }
  }
  return { mutation: name, needs, isOptional: isOptional === true, tried };
}
