import type { Arm, Edit } from "./arm.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

/** How many edits of one arm are tried before it counts as one without power. */
export const maxTries = 64;

/** What became of one arm: the edit that made the rule speak, or what evidence would have made it. */
export type ArmProof =
  | { readonly arm: string; readonly proven: { readonly edit: Edit } }
  | {
      readonly arm: string;
      readonly proven?: undefined;
      readonly needs: string;
      readonly isOptional: boolean;
      /** Edits that were tried, none of which made the rule speak. */
      readonly tried: number;
    };

/** Tries the edits of every arm of a rule; `speaks` says whether the rule fails, or loses its witness, once an edit is made. */
export const proveRule = (
  arms: readonly Arm[],
  evidence: ProofEvidence,
  speaks: (edit: Edit, arm: Arm) => boolean,
): readonly ArmProof[] => arms.map((arm) => proveArm(arm, evidence, speaks));

function proveArm(arm: Arm, evidence: ProofEvidence, speaks: (edit: Edit, arm: Arm) => boolean): ArmProof {
  const { name, needs, isOptional, edits } = arm;
  let tried = 0;
  for (const edit of edits(evidence)) {
    if (tried === maxTries) {
      break;
    }
    tried += 1;
    if (speaks(edit, arm)) {
      return { arm: name, proven: { edit } };
    }
  }
  return { arm: name, needs, isOptional: isOptional === true, tried };
}
