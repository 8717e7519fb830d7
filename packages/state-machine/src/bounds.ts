import { endsEarlier, sentLater } from "./sighting.ts";
import type { Sighting } from "./sighting.ts";

/**
 * All that is kept of the observations of one value: the extremes, each with its witness. Adding is a minimum or maximum in
 * a total order, so neither the order of adding nor adding twice makes a difference, and bounds can be merged.
 */
export interface Bounds {
  /** First to end: whatever was sent after it is known to come after this value was shown. */
  minEnd: Sighting;
  /** Last to be sent: whatever ended before it is known to come before this value was shown. */
  maxSent: Sighting;
  /** Last to be sent but one: tells a lone straggler from something that stays. */
  nextSent: Sighting | undefined;
  /** First to be sent: since when the value may have been shown. */
  minSent: Sighting;
  /** Of the oldest version that showed the value, the first to end. */
  minUpdated: Sighting | undefined;
  /** Of the newest version that showed the value, the last to be sent. */
  maxUpdated: Sighting | undefined;
  /** Of the newest version that showed the value, the first to be sent. */
  maxUpdatedFirst: Sighting | undefined;
}

const sentEarlier = (a: Sighting, b: Sighting): boolean => sentLater(b, a);

export function boundsOf(sighting: Sighting): Bounds {
  const versioned = Number.isNaN(sighting.updatedMicros) ? undefined : sighting;
  return {
    minEnd: sighting,
    maxSent: sighting,
    nextSent: undefined,
    minSent: sighting,
    minUpdated: versioned,
    maxUpdated: versioned,
    maxUpdatedFirst: versioned,
  };
}

export function extend(bounds: Bounds, sighting: Sighting): void {
  if (endsEarlier(sighting, bounds.minEnd)) {
    bounds.minEnd = sighting;
  }
  if (sentEarlier(sighting, bounds.minSent)) {
    bounds.minSent = sighting;
  }
  extendSent(bounds, sighting);
  if (!Number.isNaN(sighting.updatedMicros)) {
    extendUpdated(bounds, sighting);
  }
}

function extendSent(bounds: Bounds, sighting: Sighting): void {
  const { maxSent, nextSent } = bounds;
  if (sentLater(sighting, maxSent)) {
    bounds.nextSent = maxSent;
    bounds.maxSent = sighting;
  } else if (sentLater(maxSent, sighting) && (nextSent === undefined || sentLater(sighting, nextSent))) {
    bounds.nextSent = sighting;
  }
}

const isOlder = (a: Sighting, b: Sighting): boolean =>
  a.updatedMicros === b.updatedMicros ? endsEarlier(a, b) : a.updatedMicros < b.updatedMicros;

const isNewer = (a: Sighting, b: Sighting, breaksTie: (a: Sighting, b: Sighting) => boolean): boolean =>
  a.updatedMicros === b.updatedMicros ? breaksTie(a, b) : a.updatedMicros > b.updatedMicros;

function extendUpdated(bounds: Bounds, sighting: Sighting): void {
  const { minUpdated, maxUpdated, maxUpdatedFirst } = bounds;
  if (minUpdated === undefined || isOlder(sighting, minUpdated)) {
    bounds.minUpdated = sighting;
  }
  if (maxUpdated === undefined || isNewer(sighting, maxUpdated, sentLater)) {
    bounds.maxUpdated = sighting;
  }
  if (maxUpdatedFirst === undefined || isNewer(sighting, maxUpdatedFirst, sentEarlier)) {
    bounds.maxUpdatedFirst = sighting;
  }
}

const witnesses = (bounds: Bounds): readonly (Sighting | undefined)[] => [
  bounds.minEnd,
  bounds.maxSent,
  bounds.nextSent,
  bounds.minSent,
  bounds.minUpdated,
  bounds.maxUpdated,
  bounds.maxUpdatedFirst,
];

/** Bounds of all that any of these are bounds of. */
export function merged(all: readonly Bounds[]): Bounds | undefined {
  const [first, ...rest] = all;
  if (first === undefined) {
    return undefined;
  }
  const result = { ...first };
  for (const sighting of rest.flatMap(witnesses)) {
    if (sighting !== undefined) {
      extend(result, sighting);
    }
  }
  return result;
}
