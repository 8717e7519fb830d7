import type { QuestionPoll } from "@assay/results";

/**
 * The polls in an order that may have been the true one: what was answered before another was sent stands before it, and of
 * polls that overlap those stand together that show one state. Takes the square of their number at worst.
 */
export function pollOrder(polls: readonly QuestionPoll[]): readonly QuestionPoll[] {
  const waiting = [...polls].sort(
    (one, other) => one.answeredMicros - other.answeredMicros || one.sentMicros - other.sentMicros,
  );
  const ordered: QuestionPoll[] = [];
  for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
    const { answeredMicros } = first;
    // Every question begins so.
    const state = ordered.at(-1)?.state ?? "processing";
    const same = waiting.findIndex((poll) => poll.state === state && poll.sentMicros <= answeredMicros);
    ordered.push(...waiting.splice(Math.max(0, same), 1));
  }
  return ordered;
}
