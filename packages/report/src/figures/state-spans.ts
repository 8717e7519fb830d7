import type { QuestionPoll } from "@assay/results";
import { pollOrder } from "./poll-order.ts";

/** A stretch of time in which polls showed one state. */
export interface StateSpan {
  readonly state: string;
  readonly polls: number;
  /** Between these two the state was certainly there; of a single poll, its sending and its answer. */
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
    const [first] = run;
    if (first === undefined) {
      return [];
    }
    const knownFrom = run.reduce((least, { answeredMicros }) => Math.min(least, answeredMicros), Infinity);
    const knownTo = run.reduce((most, { sentMicros }) => Math.max(most, sentMicros), 0);
    return {
      state: first.state,
      polls: run.length,
      fromMicros: Math.min(knownFrom, knownTo),
      toMicros: Math.max(knownFrom, knownTo),
    };
  });
}
