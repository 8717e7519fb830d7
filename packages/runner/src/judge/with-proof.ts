import type { RuleId } from "@assay/contract";
import { isRuleId } from "@assay/contract";
import type { ProvenArm, RuleVerdict } from "@assay/results";
import type { ArmProof } from "@assay/rules";

/** A verdict with its proof: a rule that holds and could not have failed here in one of its arms was not observed. */
export function withProof(verdict: RuleVerdict, proofs: ReadonlyMap<RuleId, readonly ArmProof[]>): RuleVerdict {
  const arms = isRuleId(verdict.rule) ? proofs.get(verdict.rule) : undefined;
  if (arms === undefined) {
    return verdict;
  }
  const proof = arms.map(provenArm);
  const lacking = proof.find(({ proven, isOptional }) => proven === undefined && isOptional !== true);
  return lacking === undefined
    ? { ...verdict, proof }
    : { ...verdict, proof, verdict: { outcome: "not-observed", reason: reasonOf(lacking) } };
}

function provenArm(proof: ArmProof): ProvenArm {
  if (proof.proven === undefined) {
    const { arm, needs, isOptional, tried } = proof;
    return { arm, needs, tried, ...(isOptional ? { isOptional } : {}) };
  }
  const { what, instead, offset } = proof.proven.edit;
  return {
    arm: proof.arm,
    proven: { what, exchange: instead[0].record.id, ...(offset === undefined ? {} : { offset }) },
  };
}

const reasonOf = ({ arm, needs = "", tried = 0 }: ProvenArm): string =>
  tried === 0
    ? `no response could show a target that ${arm}; needs ${needs}`
    : `a target that ${arm} would have passed as well; needs ${needs}`;
