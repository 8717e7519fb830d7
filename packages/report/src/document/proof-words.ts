import type { ProvenArm } from "@assay/results";

/** Whether a rule could have failed in one way, one clause: the edit that made it fail, or what was lacking. */
export function proofSentence({ proven, needs = "", isOptional, tried = 0 }: ProvenArm): string {
  if (proven !== undefined) {
    const place = proven.offset === undefined ? "" : `, byte ${proven.offset}`;
    return `proven: had the target ${proven.what} (exchange ${proven.exchange}${place}), the rule would not have held`;
  }
  const why = tried === 0 ? "nothing that came could show it" : `no edit of what came shows it (${tried} tried)`;
  return isOptional === true
    ? `not needed here: ${why}; it takes ${needs}`
    : `no power here: ${why}; it takes ${needs}`;
}
