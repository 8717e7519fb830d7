import type { MutationProof } from "@assay/results";

/** Describes as a clause whether a mutation kind confirmed a pass: the mutation that made the rule fail, or what the mutation kind needs. */
export function describeProof({ confirmed, needs = "", isOptional, tried = 0 }: MutationProof): string {
  if (confirmed !== undefined) {
    const location = confirmed.offset === undefined ? "" : `, byte ${confirmed.offset}`;
    return `confirmed: if the target had ${confirmed.what} (exchange ${confirmed.exchange}${location}), the rule would have failed`;
  }
  const reason = tried === 0 ? "no response could show it" : `none of ${tried} altered responses shows it`;
  return isOptional === true ? `not required: ${reason}; needs ${needs}` : `not confirmed: ${reason}; needs ${needs}`;
}
