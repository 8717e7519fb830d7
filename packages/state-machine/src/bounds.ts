import { countOf, endsEarlier, isBefore, versionDifference, sentLater } from "./timed-value.ts";
import type { Session, SessionTime, TimedValue } from "./timed-value.ts";

/**
 * The extremes of all observations of one value. Adding an observation takes a minimum or maximum in a total order, so the order of adding
 * does not matter, adding twice has no effect, and bounds can be merged.
 */
export interface Bounds {
  /** The first to end. Observations sent after it were made after this value was shown. */
  minEnd: TimedValue;
  /** The last to be sent. Observations that ended before it were made before this value was shown. */
  maxSent: TimedValue;
  /** The second to last to be sent. Distinguishes a single straggler from a value that persists. */
  secondLastSent: TimedValue | undefined;
  /** The first to be sent. The value may have been shown since then. */
  minSent: TimedValue;
  /** The first to end, among observations of the oldest version with this value. */
  minUpdated: TimedValue | undefined;
  /** The last to be sent, among observations of the newest version with this value. */
  maxUpdated: TimedValue | undefined;
  /** The first to be sent, among observations of the newest version with this value. */
  maxUpdatedMinSent: TimedValue | undefined;
  /** Number of observations, if they are those of a state. */
  readCount: number;
}

/** Reports whether one observation is known to be later than another. */
export const hasOrderedPair = (boundsList: readonly Pick<Bounds, "minEnd" | "maxSent">[]): boolean =>
  boundsList.some(({ minEnd }) => boundsList.some(({ maxSent }) => isBefore(minEnd, maxSent)));

const sentEarlier = (a: TimedValue, b: TimedValue): boolean => sentLater(b, a);

export function createBounds(observation: TimedValue): Bounds {
  const versioned = Number.isNaN(observation.updated.micros) ? undefined : observation;
  const bounds: Bounds = {
    minEnd: observation,
    maxSent: observation,
    secondLastSent: undefined,
    minSent: observation,
    minUpdated: versioned,
    maxUpdated: versioned,
    maxUpdatedMinSent: versioned,
    readCount: countOf(observation),
  };
  observation.equalReads.extremes.forEach((read) => extendByOne(bounds, read));
  return bounds;
}

export function extendBounds(bounds: Bounds, observation: TimedValue): void {
  extendByOne(bounds, observation);
  observation.equalReads.extremes.forEach((read) => extendByOne(bounds, read));
}

function extendByOne(bounds: Bounds, observation: TimedValue): void {
  if (endsEarlier(observation, bounds.minEnd)) {
    bounds.minEnd = observation;
  }
  if (sentEarlier(observation, bounds.minSent)) {
    bounds.minSent = observation;
  }
  extendSent(bounds, observation);
  if (!Number.isNaN(observation.updated.micros)) {
    extendUpdated(bounds, observation);
  }
}

function extendSent(bounds: Bounds, observation: TimedValue): void {
  const { maxSent, secondLastSent } = bounds;
  if (sentLater(observation, maxSent)) {
    bounds.secondLastSent = maxSent;
    bounds.maxSent = observation;
  } else if (
    sentLater(maxSent, observation) &&
    (secondLastSent === undefined || sentLater(observation, secondLastSent))
  ) {
    bounds.secondLastSent = observation;
  }
}

const isOlder = (a: TimedValue, b: TimedValue): boolean =>
  a.updated.micros === b.updated.micros ? endsEarlier(a, b) : a.updated.micros < b.updated.micros;

const isNewer = (a: TimedValue, b: TimedValue, breaksTie: (a: TimedValue, b: TimedValue) => boolean): boolean =>
  a.updated.micros === b.updated.micros ? breaksTie(a, b) : a.updated.micros > b.updated.micros;

function extendUpdated(bounds: Bounds, observation: TimedValue): void {
  const { minUpdated, maxUpdated, maxUpdatedMinSent } = bounds;
  if (minUpdated === undefined || isOlder(observation, minUpdated)) {
    bounds.minUpdated = observation;
  }
  if (maxUpdated === undefined || isNewer(observation, maxUpdated, sentLater)) {
    bounds.maxUpdated = observation;
  }
  if (maxUpdatedMinSent === undefined || isNewer(observation, maxUpdatedMinSent, sentEarlier)) {
    bounds.maxUpdatedMinSent = observation;
  }
}

/** Returns the observations that the bounds consist of. */
export const listObservations = (bounds: Bounds): readonly (TimedValue | undefined)[] => [
  bounds.minEnd,
  bounds.maxSent,
  bounds.secondLastSent,
  bounds.minSent,
  bounds.minUpdated,
  bounds.maxUpdated,
  bounds.maxUpdatedMinSent,
];

/** Merges bounds. Returns undefined for an empty list. */
export function mergeBounds(boundsList: readonly Bounds[]): Bounds | undefined {
  const [first, ...furtherBounds] = boundsList;
  if (first === undefined || furtherBounds.length === 0) {
    return first;
  }
  const result = { ...first };
  for (const observation of furtherBounds.flatMap(listObservations)) {
    if (observation !== undefined) {
      extendBounds(result, observation);
    }
  }
  return result;
}

/** Bounds by state number. */
export type StateBounds = readonly (Bounds | undefined)[];

export function extendState(subject: Subject, state: number, observation: TimedValue): void {
  const stateBounds = subject.states[state];
  if (stateBounds === undefined) {
    subject.states[state] = createBounds(observation);
  } else {
    extendBounds(stateBounds, observation);
    stateBounds.readCount += countOf(observation);
  }
}

/** A value that was shown after a higher one. */
export interface Descent {
  readonly high: Bounds;
  readonly low: Bounds;
  /** The lower value is the initial one, so an older version may show it even if no read did. */
  readonly isLowInitial: boolean;
  /** End of the first response that showed a session a higher value. Infinite if there is none. */
  readonly highEndMicros: (session: Session) => number;
}

/** An ordered pair of observations with a decrease, and its cause: an older version, or a regression of the server. */
export interface Regression {
  readonly kind: "stale" | "newer" | "stays" | "undated";
  readonly first: TimedValue;
  readonly second: TimedValue;
}

/**
 * Reports whether the second observation may show an older version than the first one. A strictly earlier update time proves it. An equal
 * update time permits it if this version was shown before, or if times are truncated to seconds and the value was shown before, so that two
 * versions of one second have the same time. Without times the result is false.
 */
function mayBeOlder({ low, isLowInitial }: Descent, first: TimedValue, second: TimedValue): boolean {
  const newer = versionDifference(first, second);
  if (newer !== 0) {
    return newer < 0;
  }
  const { maxUpdatedMinSent, minSent } = low;
  const wasShown =
    maxUpdatedMinSent?.updated.micros === second.updated.micros &&
    maxUpdatedMinSent.sentAtMicros <= first.endedAtMicros;
  const isCoarse = Math.max(first.updated.unitMicros, second.updated.unitMicros) >= 1_000_000;
  return wasShown || (isCoarse && (isLowInitial || minSent.sentAtMicros <= first.endedAtMicros));
}

/**
 * Reports whether the lower value persists: a session saw the higher value and then the lower one, and the last two reads show the
 * lower one, in sequence or in two sessions. A single late read may come from a lagging replica.
 */
function lowPersists({ high, low, highEndMicros }: Descent): boolean {
  const last = low.maxSent;
  const secondLast = low.secondLastSent;
  if (secondLast === undefined || secondLast.sentAtMicros <= high.maxSent.sentAtMicros) {
    return false;
  }
  const isAfter = secondLast.sentAtMicros > high.maxSent.endedAtMicros;
  const isSequence = isBefore(secondLast, last) || secondLast.session !== last.session;
  const sawBoth = [secondLast, last].some((read) => highEndMicros(read.session) < read.sentAtMicros);
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
  const pairs: readonly (readonly [TimedValue | undefined, TimedValue | undefined])[] = [
    [first, second],
    [high.minUpdated, low.maxUpdated],
    [first, low.maxUpdated],
    [high.minUpdated, second],
  ];
  for (const [a, b] of pairs) {
    if (a !== undefined && b !== undefined && isBefore(a, b) && !mayBeOlder(descent, a, b)) {
      return { kind: Number.isNaN(a.updated.micros + b.updated.micros) ? "undated" : "newer", first: a, second: b };
    }
  }
  return { kind: lowPersists(descent) ? "stays" : "stale", first, second };
}

/**
 * The first end and last sending of each state per session. Most conversations have few entries, which are searched linearly. Larger ones
 * get an index.
 */
export interface SessionTimes {
  /** Session and state combined in one number. */
  readonly keys: number[];
  /** For key `i`: the first end at `2 * i`, the last sending at `2 * i + 1`. */
  readonly times: number[];
  index: Map<number, number> | undefined;
}

const maxStates = 4096;
const maxUnindexedKeys = 24;

export const newSessionTimes = (): SessionTimes => ({ keys: [], times: [], index: undefined });

const findSlot = ({ keys, index }: SessionTimes, key: number): number =>
  index === undefined ? keys.indexOf(key) : (index.get(key) ?? -1);

function addKey(sessionTimes: SessionTimes, key: number, { endedAtMicros, sentAtMicros }: SessionTime): void {
  const { keys, times } = sessionTimes;
  if (keys.push(key) > maxUnindexedKeys) {
    sessionTimes.index ??= new Map(keys.map((indexedKey, place) => [indexedKey, place]));
    sessionTimes.index.set(key, keys.length - 1);
  }
  times.push(endedAtMicros, sentAtMicros);
}

/** Records that a session saw a state. */
export function addSessionTime(sessionTimes: SessionTimes, state: number, time: SessionTime): void {
  const key = time.session.number * maxStates + state;
  const place = findSlot(sessionTimes, key);
  if (place < 0) {
    addKey(sessionTimes, key, time);
    return;
  }
  const { times } = sessionTimes;
  const { endedAtMicros, sentAtMicros } = time;
  if (endedAtMicros < (times[2 * place] ?? 0)) {
    times[2 * place] = endedAtMicros;
  }
  if (sentAtMicros > (times[2 * place + 1] ?? 0)) {
    times[2 * place + 1] = sentAtMicros;
  }
}

/** Numbers of all sessions. */
export const listSessions = ({ keys }: SessionTimes): ReadonlySet<number> =>
  new Set(keys.map((key) => Math.floor(key / maxStates)));

/** Returns the first end and last sending of each session, for one state. */
export const listTimes = ({ keys, times }: SessionTimes): readonly SessionTime[] =>
  keys.map((key, place) => ({
    session: { number: Math.floor(key / maxStates) },
    endedAtMicros: times[2 * place] ?? 0,
    sentAtMicros: times[2 * place + 1] ?? 0,
  }));

/** Returns the end of the first response that showed a session one of the states. Infinite if there is none. */
export function firstEndMicros(sessionTimes: SessionTimes, session: number, states: readonly number[]): number {
  let end = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const place = findSlot(sessionTimes, session * maxStates + state);
    end = place < 0 ? end : Math.min(end, sessionTimes.times[2 * place] ?? end);
  }
  return end;
}

/** Returns the sending of the last read that showed a session the state. */
export const lastSentMicros = (sessionTimes: SessionTimes, session: number, state: number): number =>
  sessionTimes.times[2 * findSlot(sessionTimes, session * maxStates + state) + 1] ?? Number.NEGATIVE_INFINITY;

const copySessionTimes = ({ keys, times, index }: SessionTimes): SessionTimes => ({
  keys: [...keys],
  times: [...times],
  index: index && new Map(index),
});

/** A subject with one state at a time: a question, or a conversation between two follow-ups. */
export interface Subject {
  readonly states: (Bounds | undefined)[];
  readonly sessions: SessionTimes;
}

export const newSubject = (): Subject => ({ states: [], sessions: newSessionTimes() });

/** Records an observation of a state. Takes constant time. Uses no memory after the first observation per state and session. */
export function addState(subject: Subject, state: number, observation: TimedValue): void {
  const { extremes, sessionTimes } = observation.equalReads;
  addSessionTime(subject.sessions, state, observation);
  extremes.forEach((read) => addSessionTime(subject.sessions, state, read));
  sessionTimes.forEach((time) => addSessionTime(subject.sessions, state, time));
  extendState(subject, state, observation);
}

export const copySubject = ({ states, sessions }: Subject): Subject => ({
  states: states.map((bounds) => bounds && { ...bounds }),
  sessions: copySessionTimes(sessions),
});

/** Number of observations of the states that match. */
export const countReads = ({ states }: Subject, matches: (state: number) => boolean): number =>
  states.reduce((sum, bounds, state) => (matches(state) ? sum + (bounds?.readCount ?? 0) : sum), 0);

/** Observations of versions whose update times fall into one interval. */
interface VersionBucket {
  minEnd: TimedValue;
  maxSent: TimedValue;
  minSent: TimedValue;
  /** States shown with this version, as bits. Numbers above 30 are omitted. */
  states: number;
}

/**
 * Bounds by update time, used to detect whether it went back. Memory is bounded: if there are too many different times, neighbours are
 * merged, and a regression inside one interval is no longer detected. The final grain depends only on the set of times, so the order of
 * arrival does not matter.
 */
export interface VersionBounds {
  readCount: number;
  grainMicros: number;
  /** Ordered by time. */
  buckets: VersionBucket[];
}

export const maxVersionBuckets = 64;

export const newVersionBounds = (): VersionBounds => ({ readCount: 0, grainMicros: 1, buckets: [] });

/** Update time of an observation, divided by the grain. All observations of a bucket have the same. */
const placeOf = ({ grainMicros }: VersionBounds, { updated }: TimedValue): number =>
  Math.floor(updated.micros / grainMicros);

function extendBucket(bucket: VersionBucket, observation: TimedValue, states: number): void {
  observation.equalReads.extremes.forEach((read) => extendBucket(bucket, read, states));
  if (endsEarlier(observation, bucket.minEnd)) {
    bucket.minEnd = observation;
  }
  if (sentLater(observation, bucket.maxSent)) {
    bucket.maxSent = observation;
  }
  if (sentEarlier(observation, bucket.minSent)) {
    bucket.minSent = observation;
  }
  bucket.states |= states;
}

function coarsen(bounds: VersionBounds): void {
  const { buckets } = bounds;
  bounds.grainMicros *= 2;
  bounds.buckets = [];
  for (const bucket of buckets) {
    const before = bounds.buckets.at(-1);
    if (before !== undefined && placeOf(bounds, before.minEnd) === placeOf(bounds, bucket.minEnd)) {
      for (const observation of [bucket.minEnd, bucket.maxSent, bucket.minSent]) {
        extendBucket(before, observation, bucket.states);
      }
    } else {
      bounds.buckets.push(bucket);
    }
  }
}

const toBit = (state: number | undefined): number => (state === undefined || state > 30 ? 0 : 1 << state);

/** Records the version of an observation, if it has one, and its state, if it shows one. */
export function addVersion(bounds: VersionBounds, observation: TimedValue, state: number | undefined): void {
  if (Number.isNaN(observation.updated.micros)) {
    return;
  }
  bounds.readCount += countOf(observation);
  const place = placeOf(bounds, observation);
  // Most observations show the newest version.
  const index = bounds.buckets.findLastIndex(({ minEnd }) => placeOf(bounds, minEnd) <= place);
  const existingBucket = bounds.buckets[index];
  if (existingBucket !== undefined && placeOf(bounds, existingBucket.minEnd) === place) {
    extendBucket(existingBucket, observation, toBit(state));
    return;
  }
  const bucket = { minEnd: observation, maxSent: observation, minSent: observation, states: 0 };
  extendBucket(bucket, observation, toBit(state));
  bounds.buckets.splice(index + 1, 0, bucket);
  while (bounds.buckets.length > maxVersionBuckets) {
    coarsen(bounds);
  }
}

/** Two observations in order of time. The second shows an earlier update time. */
export interface VersionRegression {
  readonly first: TimedValue;
  readonly second: TimedValue;
  /** The second version may have been shown before the first observation ended. */
  readonly wasShownBefore: boolean;
  /** States shown with the older version, and with any newer one. */
  readonly olderStates: readonly number[];
  readonly newerStates: readonly number[];
}

const toStates = (bits: number): readonly number[] =>
  Array.from({ length: 31 }, (_, state) => state).filter((state) => (bits & (1 << state)) !== 0);

/** The regression of each older version: its last observation, and the first to end of any newer version. Linear. */
export function versionRegressions({ buckets }: VersionBounds): readonly VersionRegression[] {
  const regressions: VersionRegression[] = [];
  let first: TimedValue | undefined;
  let newer = 0;
  for (const { minEnd, maxSent: second, minSent, states } of [...buckets].reverse()) {
    if (first !== undefined && isBefore(first, second) && versionDifference(first, second) < 0) {
      const wasShownBefore = minSent.sentAtMicros <= first.endedAtMicros;
      regressions.push({ first, second, wasShownBefore, olderStates: toStates(states), newerStates: toStates(newer) });
    }
    newer |= states;
    first = first === undefined || endsEarlier(minEnd, first) ? minEnd : first;
  }
  return regressions;
}
