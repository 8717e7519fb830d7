import type { QuestionPoll } from "@assay/results";

/** A step from one state to another. */
export interface ObservedStep {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the distinct steps between consecutive states: the response to one poll arrived before the next was sent, and no third poll
 * is entirely between them. Overlapping polls have no order. Takes O(n log n) time.
 */
export function findSteps(polls: readonly QuestionPoll[]): readonly ObservedStep[] {
  const pollsBySendTime = [...polls].sort((a, b) => a.sentMicros - b.sentMicros);
  const pollsByAnswerTime = [...polls].sort((a, b) => a.answeredMicros - b.answeredMicros);
  const window = createWindow(pollsByAnswerTime);
  const steps = new Map<string, ObservedStep>();
  for (const { sentMicros, state: to } of pollsBySendTime) {
    for (const from of window.statesUpTo(sentMicros)) {
      if (from !== to) {
        steps.set(JSON.stringify([from, to]), { from, to });
      }
    }
  }
  return [...steps.values()];
}

/**
 * Returns the states of the latest polls that ended before an instant, which are those that no other such poll follows. Instants must be
 * requested in ascending order.
 */
function createWindow(pollsByAnswerTime: readonly QuestionPoll[]): {
  readonly statesUpTo: (sentMicros: number) => readonly string[];
} {
  const counts = new Map<string, number>();
  const addToCount = (state: string, change: number): void => {
    const sum = (counts.get(state) ?? 0) + change;
    if (sum === 0) {
      counts.delete(state);
    } else {
      counts.set(state, sum);
    }
  };
  let firstIndex = 0;
  let nextIndex = 0;
  let latestSentMicros = Number.NEGATIVE_INFINITY;
  return {
    statesUpTo(sentMicros) {
      for (
        let poll = pollsByAnswerTime[nextIndex];
        poll !== undefined && poll.answeredMicros < sentMicros;
        poll = pollsByAnswerTime[nextIndex]
      ) {
        latestSentMicros = Math.max(latestSentMicros, poll.sentMicros);
        addToCount(poll.state, 1);
        nextIndex += 1;
      }
      for (
        let poll = pollsByAnswerTime[firstIndex];
        poll !== undefined && firstIndex < nextIndex && poll.answeredMicros < latestSentMicros;
        poll = pollsByAnswerTime[firstIndex]
      ) {
        addToCount(poll.state, -1);
        firstIndex += 1;
      }
      return [...counts.keys()];
    },
  };
}
