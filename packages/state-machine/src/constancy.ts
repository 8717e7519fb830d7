import { excerpt } from "./excerpt.ts";
import { endsEarlier, showing } from "./sighting.ts";
import type { Sighting } from "./sighting.ts";

/** A value with the observation that showed it. `sighting.value` is the value in words. */
export interface Shown {
  readonly sighting: Sighting;
  /** Equal for equal values, different for different ones. */
  readonly key: number;
  /** What else is to be kept of it, for whoever keeps it. */
  readonly detail: number;
}

/**
 * What may never change: the first observation, and the first that shows another value than that one. Both are minima in a
 * total order, so they do not depend on the order of observing: when a new first one shows another value, the old first
 * one is the first of those that differ from it, because it was before all others.
 */
export interface Constancy {
  reads: number;
  first: Shown;
  other: Shown | undefined;
}

export interface Value {
  readonly key: number;
  readonly detail: number;
  /** The value as it came; its beginning is kept. */
  readonly text: string;
}

const kept = (sighting: Sighting, { key, detail, text }: Value): Shown => ({
  sighting: showing(sighting, excerpt(text)),
  key,
  detail,
});

export const constancyOf = (sighting: Sighting, value: Value): Constancy => ({
  reads: 1,
  first: kept(sighting, value),
  other: undefined,
});

/** Witnesses differ in their words: an observation is compared by its place in time and, if twice the same, by its key. */
function isEarlier(sighting: Sighting, key: number, than: Shown): boolean {
  const { exchange, sentAtMicros, endedAtMicros } = than.sighting;
  if (sighting.endedAtMicros !== endedAtMicros) {
    return sighting.endedAtMicros < endedAtMicros;
  }
  const isSame = sentAtMicros === sighting.sentAtMicros && exchange === sighting.exchange;
  return isSame ? key < than.key : endsEarlier(sighting, than.sighting);
}

export function compare(constancy: Constancy, sighting: Sighting, value: Value): void {
  const { first, other } = constancy;
  constancy.reads += 1;
  if (isEarlier(sighting, value.key, first)) {
    constancy.other = value.key === first.key ? other : first;
    constancy.first = kept(sighting, value);
  } else if (value.key !== first.key && (other === undefined || isEarlier(sighting, value.key, other))) {
    constancy.other = kept(sighting, value);
  }
}

/** Adds to what is known, or begins with it. */
export function compared(constancy: Constancy | undefined, sighting: Sighting, value: Value): Constancy {
  if (constancy === undefined) {
    return constancyOf(sighting, value);
  }
  compare(constancy, sighting, value);
  return constancy;
}
