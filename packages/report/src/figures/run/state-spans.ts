import type { QuestionPoll } from "@assay/results";

/**
 * Returns the polls in a possible true order: a poll that was answered before another was sent comes first, and overlapping polls with the
 * same state are adjacent. Quadratic in the worst case.
 */
export function sortPolls(polls: readonly QuestionPoll[]): readonly QuestionPoll[] {
  const remaining = [...polls].sort((a, b) => a.answeredMicros - b.answeredMicros || a.sentMicros - b.sentMicros);
  const ordered: QuestionPoll[] = [];
  for (let first = remaining[0]; first !== undefined; first = remaining[0]) {
    const { answeredMicros } = first;
    // Every question begins in this state.
    const state = ordered.at(-1)?.state ?? "processing";
    const sameState = remaining.findIndex((poll) => poll.state === state && poll.sentMicros <= answeredMicros);
    ordered.push(...remaining.splice(Math.max(0, sameState), 1));
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

/** Returns the states of a question in order, as its polls showed them. Between two spans the state is unknown. */
export function createStateSpans(polls: readonly QuestionPoll[]): readonly StateSpan[] {
  const streaks: QuestionPoll[][] = [];
  for (const poll of sortPolls(polls)) {
    const streak = streaks.at(-1);
    if (streak?.[0]?.state === poll.state) {
      streak.push(poll);
    } else {
      streaks.push([poll]);
    }
  }
  return streaks.flatMap((streak) => {
    const [first] = streak.toSorted(compareByAnswer);
    return first === undefined ? [] : toSpan(first, streak);
  });
}

/** Compares by response time. Of polls answered at the same time, the last one sent comes first because it is the most exact. */
const compareByAnswer = (a: QuestionPoll, b: QuestionPoll): number =>
  a.answeredMicros - b.answeredMicros || b.sentMicros - a.sentMicros;

function toSpan({ state, sentMicros, answeredMicros }: QuestionPoll, streak: readonly QuestionPoll[]): StateSpan {
  const lastSent = streak.reduce((max, poll) => Math.max(max, poll.sentMicros), 0);
  return answeredMicros <= lastSent
    ? { state, polls: streak.length, isCertain: true, fromMicros: answeredMicros, toMicros: lastSent }
    : { state, polls: streak.length, isCertain: false, fromMicros: sentMicros, toMicros: answeredMicros };
}
