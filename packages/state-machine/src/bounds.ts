import { endsEarlier, isBefore, newerBy, sentLater } from "./witness.ts";
import type { Session, Witness } from "./witness.ts";

/**
 * Extremes of all observations of one value, each with its witness. Adding takes a minimum or maximum in a total order. So
 * the order of adding makes no difference, adding twice makes none, and bounds can be merged.
 */
export interface Bounds {
  /** First to end. Everything sent after it comes after this value was shown. */
  minEnd: Witness;
  /** Last to be sent. Everything that ended before it comes before this value was shown. */
  maxSent: Witness;
  /** Second to last to be sent. Distinguishes a single straggler from a value that persists. */
  nextSent: Witness | undefined;
  /** First to be sent. The value may have been shown since then. */
  minSent: Witness;
  /** Of the oldest version with this value, the first to end. */
  minUpdated: Witness | undefined;
  /** Of the newest version with this value, the last to be sent. */
  maxUpdated: Witness | undefined;
  /** Of the newest version with this value, the first to be sent. */
  maxUpdatedFirst: Witness | undefined;
}

/** Reports whether one observation is known to come after another. */
export const hasOrder = (bounds: Pick<Bounds, "minEnd" | "maxSent"> | undefined): boolean =>
  bounds !== undefined && isBefore(bounds.minEnd, bounds.maxSent);

const sentEarlier = (a: Witness, b: Witness): boolean => sentLater(b, a);

export function boundsOf(witness: Witness): Bounds {
  const versioned = Number.isNaN(witness.updatedMicros) ? undefined : witness;
  return {
    minEnd: witness,
    maxSent: witness,
    nextSent: undefined,
    minSent: witness,
    minUpdated: versioned,
    maxUpdated: versioned,
    maxUpdatedFirst: versioned,
  };
}

export function extend(bounds: Bounds, witness: Witness): void {
  if (endsEarlier(witness, bounds.minEnd)) {
    bounds.minEnd = witness;
  }
  if (sentEarlier(witness, bounds.minSent)) {
    bounds.minSent = witness;
  }
  extendSent(bounds, witness);
  if (!Number.isNaN(witness.updatedMicros)) {
    extendUpdated(bounds, witness);
  }
}

function extendSent(bounds: Bounds, witness: Witness): void {
  const { maxSent, nextSent } = bounds;
  if (sentLater(witness, maxSent)) {
    bounds.nextSent = maxSent;
    bounds.maxSent = witness;
  } else if (sentLater(maxSent, witness) && (nextSent === undefined || sentLater(witness, nextSent))) {
    bounds.nextSent = witness;
  }
}

const isOlder = (a: Witness, b: Witness): boolean =>
  a.updatedMicros === b.updatedMicros ? endsEarlier(a, b) : a.updatedMicros < b.updatedMicros;

const isNewer = (a: Witness, b: Witness, breaksTie: (a: Witness, b: Witness) => boolean): boolean =>
  a.updatedMicros === b.updatedMicros ? breaksTie(a, b) : a.updatedMicros > b.updatedMicros;

function extendUpdated(bounds: Bounds, witness: Witness): void {
  const { minUpdated, maxUpdated, maxUpdatedFirst } = bounds;
  if (minUpdated === undefined || isOlder(witness, minUpdated)) {
    bounds.minUpdated = witness;
  }
  if (maxUpdated === undefined || isNewer(witness, maxUpdated, sentLater)) {
    bounds.maxUpdated = witness;
  }
  if (maxUpdatedFirst === undefined || isNewer(witness, maxUpdatedFirst, sentEarlier)) {
    bounds.maxUpdatedFirst = witness;
  }
}

const witnesses = (bounds: Bounds): readonly (Witness | undefined)[] => [
  bounds.minEnd,
  bounds.maxSent,
  bounds.nextSent,
  bounds.minSent,
  bounds.minUpdated,
  bounds.maxUpdated,
  bounds.maxUpdatedFirst,
];

/** The bounds of all observations in `all`; undefined for none. */
export function merged(all: readonly Bounds[]): Bounds | undefined {
  const [first, ...rest] = all;
  if (first === undefined) {
    return undefined;
  }
  const result = { ...first };
  for (const witness of rest.flatMap(witnesses)) {
    if (witness !== undefined) {
      extend(result, witness);
    }
  }
  return result;
}

/** Bounds by number of the state. */
export type StateBounds = (Bounds | undefined)[];

export function extendState(bounds: StateBounds, state: number, witness: Witness): void {
  const known = bounds[state];
  if (known === undefined) {
    bounds[state] = boundsOf(witness);
  } else {
    extend(known, witness);
  }
}

/** A value that was shown after a higher one. */
export interface Descent {
  readonly high: Bounds;
  readonly low: Bounds;
  /** The lower value is the initial one, so an older version may show it even if no read did. */
  readonly isLowInitial: boolean;
  /** End of the first answer that showed a session a higher value; infinite without one. */
  readonly highEndMicros: (session: Session) => number;
}

/** An ordered pair of observations that goes down, and its cause: an older version, or a step of the server. */
export interface Regression {
  readonly kind: "stale" | "newer" | "stays" | "undated";
  readonly first: Witness;
  readonly second: Witness;
}

/**
 * Reports whether the second observation may show an older version than the first one. A strictly earlier update time proves it. An
 * equal update time allows it in two cases: this version was shown before, or times are truncated to seconds and the value
 * was shown before, so that two versions of one second have the same time. Without times it is false.
 */
function mayBeOlder({ low, isLowInitial }: Descent, first: Witness, second: Witness): boolean {
  const newer = newerBy(first, second);
  if (newer !== 0) {
    return newer < 0;
  }
  const { maxUpdatedFirst, minSent } = low;
  const wasShown =
    maxUpdatedFirst?.updatedMicros === second.updatedMicros && maxUpdatedFirst.sentAtMicros <= first.endedAtMicros;
  const isCoarse = Math.max(first.updatedUnitMicros, second.updatedUnitMicros) >= 1_000_000;
  return wasShown || (isCoarse && (isLowInitial || minSent.sentAtMicros <= first.endedAtMicros));
}

/**
 * Reports whether the lower value persists: a session saw the higher value and then the lower one, and the last two reads show the
 * lower one, in sequence or in two sessions. A single late read may come from a lagging replica.
 */
function persists({ high, low, highEndMicros }: Descent): boolean {
  const last = low.maxSent;
  const before = low.nextSent;
  if (before === undefined || before.sentAtMicros <= high.maxSent.sentAtMicros) {
    return false;
  }
  const isAfter = before.sentAtMicros > high.maxSent.endedAtMicros;
  const isSequence = isBefore(before, last) || before.session !== last.session;
  const sawBoth = [before, last].some((read) => highEndMicros(read.session) < read.sentAtMicros);
  return isAfter && isSequence && sawBoth;
}

/** Finds a regression and whether staleness explains it. Compares extremes only, so it takes constant time. */
export function findRegression(descent: Descent): Regression | undefined {
  const { high, low } = descent;
  const first = high.minEnd;
  const second = low.maxSent;
  if (!isBefore(first, second)) {
    return undefined;
  }
  const pairs: readonly (readonly [Witness | undefined, Witness | undefined])[] = [
    [first, second],
    [high.minUpdated, low.maxUpdated],
    [first, low.maxUpdated],
    [high.minUpdated, second],
  ];
  for (const [a, b] of pairs) {
    if (a !== undefined && b !== undefined && isBefore(a, b) && !mayBeOlder(descent, a, b)) {
      return { kind: Number.isNaN(a.updatedMicros + b.updatedMicros) ? "undated" : "newer", first: a, second: b };
    }
  }
  return { kind: persists(descent) ? "stays" : "stale", first, second };
}

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

const slotOf = ({ keys, index }: SessionTimes, key: number): number =>
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
  const place = slotOf(all, key);
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
    const place = slotOf(all, session * maxStates + state);
    end = place < 0 ? end : Math.min(end, all.times[2 * place] ?? end);
  }
  return end;
}

/** Sending of the last read that showed a session the state. */
export const lastSent = (all: SessionTimes, session: number, state: number): number =>
  all.times[2 * slotOf(all, session * maxStates + state) + 1] ?? Number.NEGATIVE_INFINITY;

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

/** Observations of versions whose update times fall into one interval. */
interface VersionBucket {
  /** Update time divided by the grain. */
  place: number;
  minEnd: Witness;
  maxSent: Witness;
  minSentAtMicros: number;
  /** States shown with this version, as bits. Numbers above 30 are omitted. */
  states: number;
}

/**
 * Bounds by update time, to find out if it went back. Memory is bounded: if there are too many different times, neighbours
 * are merged, and a regression inside one interval is no longer found. The final grain depends only on the set of times, so
 * the order of observing makes no difference.
 */
export interface VersionBounds {
  reads: number;
  grainMicros: number;
  /** Ordered by place. */
  buckets: VersionBucket[];
  last: VersionBucket | undefined;
}

export const maxVersionBuckets = 64;

export const newVersionBounds = (): VersionBounds => ({ reads: 0, grainMicros: 1, buckets: [], last: undefined });

/** Index of the first bucket at or after the place. */
function firstFrom(buckets: readonly VersionBucket[], place: number): number {
  let from = 0;
  let to = buckets.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((buckets[middle]?.place ?? 0) < place) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

function mergeBucket(bucket: VersionBucket, other: VersionBucket): void {
  bucket.minEnd = endsEarlier(other.minEnd, bucket.minEnd) ? other.minEnd : bucket.minEnd;
  bucket.maxSent = sentLater(other.maxSent, bucket.maxSent) ? other.maxSent : bucket.maxSent;
  bucket.minSentAtMicros = Math.min(bucket.minSentAtMicros, other.minSentAtMicros);
  bucket.states |= other.states;
}

function extendBucket(bucket: VersionBucket, witness: Witness, bit: number): void {
  if (endsEarlier(witness, bucket.minEnd)) {
    bucket.minEnd = witness;
  }
  if (sentLater(witness, bucket.maxSent)) {
    bucket.maxSent = witness;
  }
  bucket.minSentAtMicros = Math.min(bucket.minSentAtMicros, witness.sentAtMicros);
  bucket.states |= bit;
}

function coarsen(bounds: VersionBounds): void {
  const { buckets } = bounds;
  bounds.grainMicros *= 2;
  bounds.buckets = [];
  for (const bucket of buckets) {
    bucket.place = Math.floor(bucket.place / 2);
    const before = bounds.buckets.at(-1);
    if (before?.place === bucket.place) {
      mergeBucket(before, bucket);
    } else {
      bounds.buckets.push(bucket);
    }
  }
  bounds.last = undefined;
}

function bucketFor(bounds: VersionBounds, place: number, witness: Witness): VersionBucket {
  const index = firstFrom(bounds.buckets, place);
  const known = bounds.buckets[index];
  if (known?.place === place) {
    return known;
  }
  const { sentAtMicros } = witness;
  const fresh = { place, minEnd: witness, maxSent: witness, minSentAtMicros: sentAtMicros, states: 0 };
  bounds.buckets.splice(index, 0, fresh);
  return fresh;
}

const bitOf = (state: number | undefined): number => (state === undefined || state > 30 ? 0 : 1 << state);

/** Records the version of an observation, if it has one, and its state, if it shows one. */
export function addVersion(bounds: VersionBounds, witness: Witness, state: number | undefined): void {
  if (Number.isNaN(witness.updatedMicros)) {
    return;
  }
  bounds.reads += 1;
  const place = Math.floor(witness.updatedMicros / bounds.grainMicros);
  const bucket = bounds.last?.place === place ? bounds.last : bucketFor(bounds, place, witness);
  extendBucket(bucket, witness, bitOf(state));
  bounds.last = bucket;
  while (bounds.buckets.length > maxVersionBuckets) {
    coarsen(bounds);
  }
}

/** Two observations in order of time. The second shows an earlier update time. */
export interface VersionRegression {
  readonly first: Witness;
  readonly second: Witness;
  /** The second version may have been shown before the first observation ended. */
  readonly wasShownBefore: boolean;
  /** States shown with the older version, and with any newer one. */
  readonly olderStates: readonly number[];
  readonly newerStates: readonly number[];
}

/** Reports whether one read is known to come after another. */
export const areOrdered = ({ buckets }: VersionBounds): boolean =>
  buckets.some(({ minEnd }) => buckets.some(({ maxSent }) => isBefore(minEnd, maxSent)));

const statesOf = (bits: number): readonly number[] =>
  Array.from({ length: 31 }, (_, state) => state).filter((state) => (bits & (1 << state)) !== 0);

/** The regression of each older version: its last observation, and the first to end of any newer version. Linear. */
export function versionRegressions({ buckets }: VersionBounds): readonly VersionRegression[] {
  const regressions: VersionRegression[] = [];
  let first: Witness | undefined;
  let newer = 0;
  for (const { minEnd, maxSent: second, minSentAtMicros, states } of [...buckets].reverse()) {
    if (first !== undefined && isBefore(first, second) && newerBy(first, second) < 0) {
      const wasShownBefore = minSentAtMicros <= first.endedAtMicros;
      regressions.push({ first, second, wasShownBefore, olderStates: statesOf(states), newerStates: statesOf(newer) });
    }
    newer |= states;
    first = first === undefined || endsEarlier(minEnd, first) ? minEnd : first;
  }
  return regressions;
}
