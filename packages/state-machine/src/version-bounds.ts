import { endsEarlier, isBefore, newerBy, sentLater } from "./witness.ts";
import type { Witness } from "./witness.ts";

/** Observations of versions whose times of update fall into one interval. */
interface VersionBucket {
  /** Time of update, divided by the grain. */
  place: number;
  minEnd: Witness;
  maxSent: Witness;
  minSentAtMicros: number;
  /** States that were shown with it, as bits; those of higher numbers than 30 are left out. */
  states: number;
}

/**
 * Bounds by time of update, for finding whether it fell. Memory is bounded: when there are too many different times they are
 * put together by twos, and a fall inside one interval is no longer seen. The grain that is reached depends on the set of
 * times alone, so the order of observing makes no difference.
 */
export interface VersionBounds {
  reads: number;
  grainMicros: number;
  /** In the order of their places. */
  buckets: VersionBucket[];
  last: VersionBucket | undefined;
}

export const maxVersionBuckets = 64;

export const newVersionBounds = (): VersionBounds => ({ reads: 0, grainMicros: 1, buckets: [], last: undefined });

/** Index of the first bucket that is not before the place. */
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

function widen(bucket: VersionBucket, other: VersionBucket): void {
  bucket.minEnd = endsEarlier(other.minEnd, bucket.minEnd) ? other.minEnd : bucket.minEnd;
  bucket.maxSent = sentLater(other.maxSent, bucket.maxSent) ? other.maxSent : bucket.maxSent;
  bucket.minSentAtMicros = Math.min(bucket.minSentAtMicros, other.minSentAtMicros);
  bucket.states |= other.states;
}

function seeInBucket(bucket: VersionBucket, witness: Witness, bit: number): void {
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
      widen(before, bucket);
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

/** Notes the version that an observation showed, if it says one, and the state it showed, if there is one. */
export function seeVersion(bounds: VersionBounds, witness: Witness, state: number | undefined): void {
  if (Number.isNaN(witness.updatedMicros)) {
    return;
  }
  bounds.reads += 1;
  const place = Math.floor(witness.updatedMicros / bounds.grainMicros);
  const bucket = bounds.last?.place === place ? bounds.last : bucketFor(bounds, place, witness);
  seeInBucket(bucket, witness, bitOf(state));
  bounds.last = bucket;
  while (bounds.buckets.length > maxVersionBuckets) {
    coarsen(bounds);
  }
}

/** Two observations in their order of time of which the second shows an older time of update. */
export interface VersionFall {
  readonly first: Witness;
  readonly second: Witness;
  /** The version of the second one may have been shown before the first one ended. */
  readonly wasShownBefore: boolean;
  /** States that the older version showed, and those that any newer one showed. */
  readonly olderStates: readonly number[];
  readonly newerStates: readonly number[];
}

/** Whether one of the reads is known to come after another one. */
export const areOrdered = ({ buckets }: VersionBounds): boolean =>
  buckets.some(({ minEnd }) => buckets.some(({ maxSent }) => isBefore(minEnd, maxSent)));

const statesOf = (bits: number): readonly number[] =>
  Array.from({ length: 31 }, (_, state) => state).filter((state) => (bits & (1 << state)) !== 0);

/** The fall of each older version: the last observation of it and the first to end of any newer one. Linear. */
export function fallsOf({ buckets }: VersionBounds): readonly VersionFall[] {
  const falls: VersionFall[] = [];
  let first: Witness | undefined;
  let newer = 0;
  for (const { minEnd, maxSent: second, minSentAtMicros, states } of [...buckets].reverse()) {
    if (first !== undefined && isBefore(first, second) && newerBy(first, second) < 0) {
      const wasShownBefore = minSentAtMicros <= first.endedAtMicros;
      falls.push({ first, second, wasShownBefore, olderStates: statesOf(states), newerStates: statesOf(newer) });
    }
    newer |= states;
    first = first === undefined || endsEarlier(minEnd, first) ? minEnd : first;
  }
  return falls;
}
