import type { ConversationRow } from "./conversation-row.ts";
import { subjectOf } from "./conversation-row.ts";
import { copiedSubject, seeState } from "./subject.ts";
import type { Subject } from "./subject.ts";
import type { Epochs } from "./write-log.ts";

/**
 * Puts reads that do not tell their epoch where they belong. Two reads can only be held against each other if no follow-up
 * may lie between them, so both lie in one gap between follow-ups; one that overlaps a follow-up belongs to either side and
 * is held against nothing. As long as the known follow-ups explain the numbers of questions that other reads showed, the gap
 * after the n-th one is the epoch with n + 1 questions; else the gaps are epochs of their own, with negative numbers.
 */
export function settledSubjects(
  { subjects, uncounted }: ConversationRow,
  epochs: Epochs,
): ReadonlyMap<number, Subject> {
  if (uncounted.length === 0) {
    return subjects;
  }
  const settled = new Map(Array.from(subjects, ([epoch, subject]) => [epoch, copiedSubject(subject)]));
  const { accepted } = epochs;
  const areExplained = accepted !== undefined && [...subjects.keys()].every((questions) => questions <= accepted + 1);
  for (const { state, witness } of uncounted) {
    const before = epochs.before(witness);
    if (before !== undefined) {
      seeState(subjectOf(settled, areExplained ? before + 1 : -before - 1), state, witness);
    }
  }
  return settled;
}
