import { endsEarlier, isBefore, sentLater } from "./witness.ts";
import type { Witness } from "./witness.ts";

/**
 * All that is kept of the observations of one value: the extremes, each with its witness. Adding is a minimum or maximum in
 * a total order, so neither the order of adding nor adding twice makes a difference, and bounds can be merged.
 */
export interface Bounds {
  /** First to end: whatever was sent after it is known to come after this value was shown. */
  minEnd: Witness;
  /** Last to be sent: whatever ended before it is known to come before this value was shown. */
  maxSent: Witness;
  /** Last to be sent but one: tells a lone straggler from something that stays. */
  nextSent: Witness | undefined;
  /** First to be sent: since when the value may have been shown. */
  minSent: Witness;
  /** Of the oldest version that showed the value, the first to end. */
  minUpdated: Witness | undefined;
  /** Of the newest version that showed the value, the last to be sent. */
  maxUpdated: Witness | undefined;
  /** Of the newest version that showed the value, the first to be sent. */
  maxUpdatedFirst: Witness | undefined;
}

/** Whether one of the observations is known to come after another one. */
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

/** Bounds of all that any of these are bounds of. */
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
