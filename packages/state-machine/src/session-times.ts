import type { Witness } from "./witness.ts";

/**
 * First end and last sending of each state that each session saw. There are few in most conversations, which are looked
 * through one by one; an index is made when there are many.
 */
export interface SessionTimes {
  /** Session and state in one number. */
  readonly keys: number[];
  /** At twice the place of the key the first end, next to it the last sending. */
  readonly times: number[];
  index: Map<number, number> | undefined;
}

const maxStates = 4096;
const maxUnindexed = 24;

export const newSessionTimes = (): SessionTimes => ({ keys: [], times: [], index: undefined });

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

/** Notes that a session saw a state. */
export function seeInSession(all: SessionTimes, state: number, witness: Witness): void {
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

/** Numbers of the sessions that saw anything. */
export const sessionsIn = ({ keys }: SessionTimes): ReadonlySet<number> =>
  new Set(keys.map((key) => Math.floor(key / maxStates)));

/** End of the first answer that showed a session any of some states; infinite where none did. */
export function firstEnd(all: SessionTimes, session: number, states: readonly number[]): number {
  let end = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const place = placeOf(all, session * maxStates + state);
    end = place < 0 ? end : Math.min(end, all.times[2 * place] ?? end);
  }
  return end;
}

/** Sending of the last read that showed a session a state. */
export const lastSent = (all: SessionTimes, session: number, state: number): number =>
  all.times[2 * placeOf(all, session * maxStates + state) + 1] ?? Number.NEGATIVE_INFINITY;

export const copiedTimes = ({ keys, times, index }: SessionTimes): SessionTimes => ({
  keys: [...keys],
  times: [...times],
  index: index && new Map(index),
});
