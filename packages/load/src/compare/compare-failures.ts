import type { ComparisonVerdict, FailureComparison } from "@assay/results";
import { fisherPValue } from "../statistics/fisher.ts";
import type { FailureCount } from "./paired-blocks.ts";

/** Inputs of the comparison of failures. */
export interface FailureFacts {
  readonly base: FailureCount;
  readonly head: FailureCount;
  /** Probability of a wrong verdict. */
  readonly alpha: number;
  /** P-value of the hypothesis that both sides are worse equally often, with a block or run as the unit. 1 for too few units. */
  readonly agreementPValue: number;
}

/** Failures come in clumps. Below this value, many clumps hit the same side. */
const agreementAlpha = 0.01;

export const sumFailures = (counts: readonly FailureCount[]): FailureCount => ({
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  total: counts.reduce((sum, { total }) => sum + total, 0),
});

/** Returns the share of failures, or 0 if nothing was sent. */
export const computeFailureShare = ({ failed, total }: FailureCount): number => (total === 0 ? 0 : failed / total);

const judgeFailures = ({ base, head, alpha, agreementPValue }: FailureFacts, pValue: number): ComparisonVerdict => {
  if (pValue > alpha) {
    return "unchanged";
  }
  if (agreementPValue > agreementAlpha) {
    return "inconclusive";
  }
  return computeFailureShare(head) > computeFailureShare(base) ? "regressed" : "improved";
};

/**
 * Compares the shares of failed requests. A difference counts if Fisher's exact test finds it significant and the
 * blocks or runs agree. If one block or run has nearly all failures, the result is inconclusive, because one outage may
 * hit either side.
 */
export const compareFailures = (facts: FailureFacts): FailureComparison => {
  const { base, head } = facts;
  const pValue = fisherPValue({ hits: head.failed, total: head.total }, { hits: base.failed, total: base.total });
  return {
    baseFailed: base.failed,
    baseTotal: base.total,
    headFailed: head.failed,
    headTotal: head.total,
    pValue,
    verdict: judgeFailures(facts, pValue),
  };
};
