import { endsEarlier, isBefore, sentLater } from "./witness.ts";
import type { Witness } from "./witness.ts";

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

/** True if one observation is known to come after another. */
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
