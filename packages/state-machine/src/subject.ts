import { extendState } from "./bounds.ts";
import type { StateBounds } from "./bounds.ts";
import type { Witness } from "./witness.ts";

/**
 * First end and last sending of each state per session. Most conversations have few entries, which are searched one by one.
 * Larger ones get an index.
 */
interface SessionTimes {
  /** Session and state combined in one number. */
  readonly keys: number[];
  /** For key `i`: the first end at `2 * i`, the last sending at `2 * i + 1`. */
  readonly times: number[];
  index: Map<number, number> | undefined;
}

const maxStates = 4096;
const maxUnindexed = 24;

const newSessionTimes = (): SessionTimes => ({ keys: [], times: [], index: undefined });

const placeOf = ({ keys, index }: SessionTimes, key: number): number =>
  index === undefined ? keys.indexOf(key) : (index.get(key) ?? -1);

function addKey(all: SessionTimes, key: number, { endedAtMicros, sentAtMicros }: Witness): void {
  const { keys, times } = all;
  if (keys.push(key) > maxUnindexed) {
    all.index ??= new Map(keys.map((each, place) => [each, place]));
    all.index.set(key, keys.length - 1);
  }
  times.push(endedAtMicros, sentAtMicros);
}

/** Records that a session saw a state. */
function addSessionTime(all: SessionTimes, state: number, witness: Witness): void {
  const key = witness.session.number * maxStates + state;
  const place = placeOf(all, key);
  if (place < 0) {
    addKey(all, key, witness);
    return;
  }
  const { times } = all;
  const { endedAtMicros, sentAtMicros } = witness;
  if (endedAtMicros < (times[2 * place] ?? 0)) {
    times[2 * place] = endedAtMicros;
  }
  if (sentAtMicros > (times[2 * place + 1] ?? 0)) {
    times[2 * place + 1] = sentAtMicros;
  }
}

/** Numbers of all sessions. */
export const sessionsIn = ({ keys }: SessionTimes): ReadonlySet<number> =>
  new Set(keys.map((key) => Math.floor(key / maxStates)));

/** End of the first answer that showed a session one of the states; infinite without one. */
export function firstEnd(all: SessionTimes, session: number, states: readonly number[]): number {
  let end = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const place = placeOf(all, session * maxStates + state);
    end = place < 0 ? end : Math.min(end, all.times[2 * place] ?? end);
  }
  return end;
}

/** Sending of the last read that showed a session the state. */
export const lastSent = (all: SessionTimes, session: number, state: number): number =>
  all.times[2 * placeOf(all, session * maxStates + state) + 1] ?? Number.NEGATIVE_INFINITY;

const copySessionTimes = ({ keys, times, index }: SessionTimes): SessionTimes => ({
  keys: [...keys],
  times: [...times],
  index: index && new Map(index),
});

/** Has one state at a time: a question, or a conversation between two follow-ups. */
export interface Subject {
  readonly states: StateBounds;
  readonly sessions: SessionTimes;
  /** Number of observations of each state. */
  readonly reads: number[];
}

export const newSubject = (): Subject => ({ states: [], sessions: newSessionTimes(), reads: [] });

/** Records an observation of a state. Takes constant time, and no memory after the first per state and session. */
export function addState(subject: Subject, state: number, witness: Witness): void {
  addSessionTime(subject.sessions, state, witness);
  extendState(subject.states, state, witness);
  subject.reads[state] = (subject.reads[state] ?? 0) + 1;
}

export const copySubject = ({ states, sessions, reads }: Subject): Subject => ({
  states: states.map((bounds) => bounds && { ...bounds }),
  sessions: copySessionTimes(sessions),
  // `slice` keeps the holes of states that were never shown: with `undefined` in them the sum would be NaN.
  reads: reads.slice(),
});

/** Number of observations of the states that match. */
export const readsOf = ({ reads }: Subject, holds: (state: number) => boolean): number =>
  reads.reduce((sum, count, state) => (holds(state) ? sum + count : sum), 0);
