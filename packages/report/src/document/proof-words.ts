import type { ProvenArm } from "@assay/results";

/** Whether altered responses made a rule fail in one way, one clause: the mutation that did, or what it needs. */
export function proofSentence({ proven, needs = "", isOptional, tried = 0 }: ProvenArm): string {
  if (proven !== undefined) {
    const place = proven.offset === undefined ? "" : `, byte ${proven.offset}`;
    return `confirmed: if the target had ${proven.what} (exchange ${proven.exchange}${place}), the rule would have failed`;
  }
  const why = tried === 0 ? "no response could show it" : `none of ${tried} altered responses shows it`;
  return isOptional === true ? `not required: ${why}; needs ${needs}` : `not confirmed: ${why}; needs ${needs}`;
}
