import { endsEarlier, isBefore, newerBy, sentLater } from "./witness.ts";
import type { Witness } from "./witness.ts";

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
function indexOf(buckets: readonly VersionBucket[], place: number): number {
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
  const index = indexOf(bounds.buckets, place);
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

/** True if one read is known to come after another. */
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
