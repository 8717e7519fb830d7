import { median } from "../statistics/quantile.ts";

/**
 * Times of one block in milliseconds from planned sending, each known to lie between two: `earliest` and `latest` are both
 * ascending, and one array where every time is known exactly. So are the order statistics between those of the two. What had not
 * come when nobody watched any more has a latest time that is infinite.
 */
export interface TimeBounds {
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

/** One such time. */
export interface WatchedTime {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** How one block of one arm went. */
export interface BlockFigures {
  /** To first match; of streams alone. */
  readonly firstMatch: TimeBounds;
  /** The same by index of the query, in the order of `PairedBlocks.queries`. */
  readonly byQuery: readonly TimeBounds[];
  /** To the end of a conversation, which lies between two polls. */
  readonly terminal: TimeBounds;
  /** Of each poll. */
  readonly poll: TimeBounds;
  /** Streams or conversations that ended well. */
  readonly served: number;
  /** Arrivals that could not begin because of the target. */
  readonly notBegun: number;
  /** Milliseconds that sending the whole block took by plan. */
  readonly plannedMs: number;
  /** By how much the last requests took longer than the first ones: a target that cannot keep up falls behind. */
  readonly backlogMs: number;
}

/** One arrival that ended well. */
export interface ServedArrival {
  readonly planMs: number;
  readonly endMs: number;
}

const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Both orders of some times. */
export const boundsOf = (times: readonly WatchedTime[]): TimeBounds => {
  const latest = ascending(times.map(({ latestMs }) => latestMs));
  const isExact = times.every(({ earliestMs, latestMs }) => earliestMs === latestMs);
  return { earliest: isExact ? latest : ascending(times.map(({ earliestMs }) => earliestMs)), latest };
};

/** How many of some times are later than they were watched. */
export const laterIn = ({ latest }: TimeBounds): number => {
  const isLater = latest.at(-1) === Number.POSITIVE_INFINITY;
  return isLater ? latest.length - latest.indexOf(Number.POSITIVE_INFINITY) : 0;
};

/** From the middle of the first quarter to that of the last. */
const quarterShare = 3 / 4;

/**
 * By how much a block fell behind: how much longer its last quarter took than its first, drawn out to the whole block. Of a queue
 * that grows evenly it is what the last answer is late by; without one it is about nothing.
 */
export const backlogOf = (served: readonly ServedArrival[]): number => {
  const inOrder = served.toSorted((one, other) => one.planMs - other.planMs);
  const quarter = Math.ceil(inOrder.length / 4);
  const middleOf = (part: readonly ServedArrival[]): number =>
    median(ascending(part.map(({ planMs, endMs }) => endMs - planMs)));
  const drift = middleOf(inOrder.slice(-quarter)) - middleOf(inOrder.slice(0, quarter));
  return inOrder.length === 0 ? 0 : drift / quarterShare;
};
