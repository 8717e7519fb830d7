import { median } from "../statistics/quantile.ts";

/**
 * Times of one block in milliseconds after planned sending, as lower and upper bounds. Both arrays are ascending, and
 * they are the same array if all times are exact. Order statistics lie between those of the two. A time that was not
 * observed has an infinite upper bound.
 */
export interface TimeBounds {
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

/** Bounds of one time. */
export interface BoundedTime {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Results of one block of one side. */
export interface BlockFigures {
  /** Streams only. */
  readonly firstMatch: TimeBounds;
  /** By index in `PairedBlocks.queries`. */
  readonly firstMatchByQuery: readonly TimeBounds[];
  /** Ends of conversations, which lie between two polls. */
  readonly terminal: TimeBounds;
  readonly poll: TimeBounds;
  /** Successful streams or conversations. */
  readonly served: number;
  /** Arrivals that could not begin because of the target. */
  readonly notBegun: number;
  /** Planned milliseconds for sending the block. */
  readonly plannedMs: number;
  /** How much longer the last requests took than the first ones. A target that cannot keep up builds a backlog. */
  readonly backlogMs: number;
}

/** A successful arrival. */
export interface ServedArrival {
  readonly planMs: number;
  readonly endMs: number;
}

const sortValues = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Sorts the lower and the upper bounds of times. */
export const toTimeBounds = (times: readonly BoundedTime[]): TimeBounds => {
  const latest = sortValues(times.map(({ latestMs }) => latestMs));
  const isExact = times.every(({ earliestMs, latestMs }) => earliestMs === latestMs);
  return { earliest: isExact ? latest : sortValues(times.map(({ earliestMs }) => earliestMs)), latest };
};

/** Counts the times without an upper bound. */
export const countCensored = ({ latest }: TimeBounds): number => {
  const isCensored = latest.at(-1) === Number.POSITIVE_INFINITY;
  return isCensored ? latest.length - latest.indexOf(Number.POSITIVE_INFINITY) : 0;
};

/** Distance from the middle of the first quarter of a block to the middle of the last, as a fraction of the block. */
const quarterDistance = 3 / 4;

/**
 * Estimates the backlog at the end of a block in milliseconds: how much longer its last quarter took than its first,
 * extrapolated to the whole block. If the queue grows evenly, this is the delay of the last response. Without a queue it
 * is about zero.
 */
export const estimateBacklog = (arrivals: readonly ServedArrival[]): number => {
  const chronological = arrivals.toSorted((a, b) => a.planMs - b.planMs);
  const quarter = Math.ceil(chronological.length / 4);
  const medianDuration = (part: readonly ServedArrival[]): number =>
    median(sortValues(part.map(({ planMs, endMs }) => endMs - planMs)));
  const drift = medianDuration(chronological.slice(-quarter)) - medianDuration(chronological.slice(0, quarter));
  return chronological.length === 0 ? 0 : drift / quarterDistance;
};
