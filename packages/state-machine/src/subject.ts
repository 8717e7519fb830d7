import { copiedTimes, newSessionTimes, seeInSession } from "./session-times.ts";
import type { SessionTimes } from "./session-times.ts";
import type { Witness } from "./witness.ts";
import { extendState } from "./state-bounds.ts";
import type { StateBounds } from "./state-bounds.ts";

/** What has one state at a time: a question, or a conversation between two follow-up questions. */
export interface Subject {
  readonly states: StateBounds;
  readonly sessions: SessionTimes;
  /** Observations of each state. */
  readonly reads: number[];
}

export const newSubject = (): Subject => ({ states: [], sessions: newSessionTimes(), reads: [] });

/** Notes that a state was shown. Takes constant time and, after the first of each state and session, no memory. */
export function seeState(subject: Subject, state: number, witness: Witness): void {
  seeInSession(subject.sessions, state, witness);
  extendState(subject.states, state, witness);
  subject.reads[state] = (subject.reads[state] ?? 0) + 1;
}

export const copiedSubject = ({ states, sessions, reads }: Subject): Subject => ({
  states: states.map((bounds) => bounds && { ...bounds }),
  sessions: copiedTimes(sessions),
  // States that nobody showed stay holes: a sum over them would be no number.
  reads: reads.slice(),
});

/** Observations of states of which something holds. */
export const readsOf = ({ reads }: Subject, holds: (state: number) => boolean): number =>
  reads.reduce((sum, count, state) => (holds(state) ? sum + count : sum), 0);
