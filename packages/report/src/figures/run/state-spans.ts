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

/** A stretch of time in which polls showed one state. */
export interface StateSpan {
  readonly state: string;
  readonly polls: number;
  /**
   * Whether the state was there all the time between the two instants, from the first answer to the last sending, unless it
   * was left and taken up again unseen. If not, the poll that was answered first saw it at some moment between them.
   */
  readonly isCertain: boolean;
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** The states that the polls of a question showed one after the other; what lies between two spans is not known. */
export function stateSpans(polls: readonly QuestionPoll[]): readonly StateSpan[] {
  const runs: QuestionPoll[][] = [];
  for (const poll of pollOrder(polls)) {
    const run = runs.at(-1);
    if (run?.[0]?.state === poll.state) {
      run.push(poll);
    } else {
      runs.push([poll]);
    }
  }
  return runs.flatMap((run) => {
    const [first] = run.toSorted(byAnswer);
    return first === undefined ? [] : spanOf(first, run);
  });
}

/** Of polls that were answered at once, the one that was sent last tells most. */
const byAnswer = (one: QuestionPoll, other: QuestionPoll): number =>
  one.answeredMicros - other.answeredMicros || other.sentMicros - one.sentMicros;

function spanOf({ state, sentMicros, answeredMicros }: QuestionPoll, run: readonly QuestionPoll[]): StateSpan {
  const lastSent = run.reduce((most, poll) => Math.max(most, poll.sentMicros), 0);
  return answeredMicros <= lastSent
    ? { state, polls: run.length, isCertain: true, fromMicros: answeredMicros, toMicros: lastSent }
    : { state, polls: run.length, isCertain: false, fromMicros: sentMicros, toMicros: answeredMicros };
}
