import type { QuestionPoll } from "@assay/results";

/** A step from one state to another. */
export interface SeenStep {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the distinct steps between consecutive states: the response to one poll arrived before the next was sent, and no third poll
 * is entirely between them. Overlapping polls have no order. Takes O(n log n) time.
 */
export function findSteps(polls: readonly QuestionPoll[]): readonly SeenStep[] {
  const bySent = [...polls].sort((a, b) => a.sentMicros - b.sentMicros);
  const byAnswer = [...polls].sort((a, b) => a.answeredMicros - b.answeredMicros);
  const before = createWindow(byAnswer);
  const steps = new Map<string, SeenStep>();
  for (const { sentMicros, state: to } of bySent) {
    for (const from of before.statesUpTo(sentMicros)) {
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
function createWindow(byAnswer: readonly QuestionPoll[]): {
  readonly statesUpTo: (sentMicros: number) => readonly string[];
} {
  const counts = new Map<string, number>();
  const count = (state: string, by: number): void => {
    const sum = (counts.get(state) ?? 0) + by;
    if (sum === 0) {
      counts.delete(state);
    } else {
      counts.set(state, sum);
    }
  };
  let first = 0;
  let next = 0;
  let latestSent = Number.NEGATIVE_INFINITY;
  return {
    statesUpTo(sentMicros) {
      for (let poll = byAnswer[next]; poll !== undefined && poll.answeredMicros < sentMicros; poll = byAnswer[next]) {
        latestSent = Math.max(latestSent, poll.sentMicros);
        count(poll.state, 1);
        next += 1;
      }
      for (
        let poll = byAnswer[first];
        poll !== undefined && first < next && poll.answeredMicros < latestSent;
        poll = byAnswer[first]
      ) {
        count(poll.state, -1);
        first += 1;
      }
      return [...counts.keys()];
    },
  };
}
