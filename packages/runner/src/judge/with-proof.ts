import type { RuleId } from "@assay/contract";
import { isRuleId } from "@assay/contract";
import type { MutationProof, RuleVerdict } from "@assay/results";
import type { MutationTrial } from "@assay/rules";

/** Proofs of rules, without their evidence. */
export type ProofsByRule = ReadonlyMap<RuleId, readonly MutationProof[]>;

/** Describes the results of mutations as they appear in verdicts. */
export const describeProofs = (trials: ReadonlyMap<RuleId, readonly MutationTrial[]>): ProofsByRule =>
  new Map([...trials].map(([rule, trialsOfRule]) => [rule, trialsOfRule.map(toMutationProof)]));

/** Adds the proof to a verdict. A rule that passed is changed to not tested if it did not fail on one of its mutations. */
export function addProof(verdict: RuleVerdict, proofs: ProofsByRule): RuleVerdict {
  const proof = isRuleId(verdict.rule) ? proofs.get(verdict.rule) : undefined;
  if (proof === undefined) {
    return verdict;
  }
  const unconfirmed = proof.find(({ confirmed, isOptional }) => confirmed === undefined && isOptional !== true);
  return unconfirmed === undefined
    ? { ...verdict, proof }
    : { ...verdict, proof, verdict: { outcome: "not-tested", reason: describeMissingProof(unconfirmed) } };
}

function toMutationProof(proof: MutationTrial): MutationProof {
  if (proof.confirmed === undefined) {
    const { mutation, needs, isOptional, tried } = proof;
    return { mutation, needs, tried, ...(isOptional ? { isOptional } : {}) };
  }
  const { effect, replacements, offset } = proof.confirmed.edit;
  return {
    mutation: proof.mutation,
    confirmed: { what: effect, exchange: replacements[0].record.id, ...(offset === undefined ? {} : { offset }) },
  };
}

const describeMissingProof = ({ mutation, needs = "", tried = 0 }: MutationProof): string =>
  tried === 0
    ? `no response could show a target that ${mutation}; needs ${needs}`
    : `a target that ${mutation} would have passed as well; needs ${needs}`;
