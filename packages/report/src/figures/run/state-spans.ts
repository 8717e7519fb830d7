import type { QuestionPoll } from "@assay/results";

/**
 * The polls in a possible true order: a poll that was answered before another was sent comes first, and overlapping polls with the same
 * state are adjacent. Quadratic in the worst case.
 */
export function pollOrder(polls: readonly QuestionPoll[]): readonly QuestionPoll[] {
  const waiting = [...polls].sort(
    (one, other) => one.answeredMicros - other.answeredMicros || one.sentMicros - other.sentMicros,
  );
  const ordered: QuestionPoll[] = [];
  for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
    const { answeredMicros } = first;
    // Every question begins in this state.
    const state = ordered.at(-1)?.state ?? "processing";
    const same = waiting.findIndex((poll) => poll.state === state && poll.sentMicros <= answeredMicros);
    ordered.push(...waiting.splice(Math.max(0, same), 1));
  }
  return ordered;
}

/** A time span in which polls showed one state. */
export interface StateSpan {
  readonly state: string;
  readonly polls: number;
  /**
   * True if the state is certain throughout, from the first answer to the last sending (unless it changed twice unseen). If false, a poll
   * saw it at some time between the two.
   */
  readonly isCertain: boolean;
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** The states of a question in order, as its polls showed them; between two spans the state is unknown. */
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

/** By answer; of polls answered at the same time, the last one sent comes first because it is the most exact. */
const byAnswer = (one: QuestionPoll, other: QuestionPoll): number =>
  one.answeredMicros - other.answeredMicros || other.sentMicros - one.sentMicros;

function spanOf({ state, sentMicros, answeredMicros }: QuestionPoll, run: readonly QuestionPoll[]): StateSpan {
  const lastSent = run.reduce((max, poll) => Math.max(max, poll.sentMicros), 0);
  return answeredMicros <= lastSent
    ? { state, polls: run.length, isCertain: true, fromMicros: answeredMicros, toMicros: lastSent }
    : { state, polls: run.length, isCertain: false, fromMicros: sentMicros, toMicros: answeredMicros };
}
