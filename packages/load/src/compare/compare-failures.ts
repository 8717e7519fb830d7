import type { ComparisonVerdict, FailureComparison } from "@assay/results";
import { fisherPValue } from "../statistics/fisher.ts";
import type { FailureCount } from "./paired-blocks.ts";

/** What judges whether failures differ. */
export interface FailureFacts {
  readonly base: FailureCount;
  readonly head: FailureCount;
  /** Chance of a wrong verdict. */
  readonly alpha: number;
  /** P-value that neither side is the worse one more often, with a block or run as the unit; 1 when there are too few. */
  readonly agreement: number;
}

/** Failures come in clumps, and only below this have many clumps hit the same side. */
const agreementAlpha = 0.01;

/** Adds counts up. */
export const totalOf = (counts: readonly FailureCount[]): FailureCount => ({
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  total: counts.reduce((sum, { total }) => sum + total, 0),
});

/** Share of failures; 0 where nothing was sent. */
export const failureShare = ({ failed, total }: FailureCount): number => (total === 0 ? 0 : failed / total);

const verdictOf = ({ base, head, alpha, agreement }: FailureFacts, pValue: number): ComparisonVerdict => {
  if (pValue > alpha) {
    return "unchanged";
  }
  if (agreement > agreementAlpha) {
    return "inconclusive";
  }
  return failureShare(head) > failureShare(base) ? "regressed" : "improved";
};

/**
 * Compares the shares of requests that failed. A difference counts when Fisher's exact test calls it no chance and the blocks or
 * runs agree about it; when one of them holds nearly all failures it is inconclusive, because one outage may hit either side.
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
    verdict: verdictOf(facts, pValue),
  };
};
