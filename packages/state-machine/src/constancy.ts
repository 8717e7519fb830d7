import { excerpt } from "./excerpt.ts";
import { endsEarlier, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";

/** A value with the observation that showed it. `witness.value` is the value in words. */
export interface WitnessedValue {
  readonly witness: Witness;
  /** Equal for equal values, different for different ones. */
  readonly key: number;
  /** What else is to be kept of it, for whoever keeps it. */
  readonly detail: number;
  /** Which kind of value it is, where there are several. */
  readonly kind?: string;
}

/**
 * What may never change: the first observation, and the first that shows another value than that one. Both are minima in a
 * total order, so they do not depend on the order of observing: when a new first one shows another value, the old first
 * one is the first of those that differ from it, because it was before all others.
 */
export interface Constancy {
  reads: number;
  first: WitnessedValue;
  other: WitnessedValue | undefined;
}

export interface Value {
  readonly key: number;
  readonly detail: number;
  /** The value as it came; its beginning is kept. */
  readonly text: string;
  readonly kind?: string | undefined;
}

const kept = (witness: Witness, { key, detail, text, kind }: Value): WitnessedValue => ({
  witness: showing(witness, excerpt(text)),
  key,
  detail,
  ...(kind === undefined ? {} : { kind }),
});

export const constancyOf = (witness: Witness, value: Value): Constancy => ({
  reads: 1,
  first: kept(witness, value),
  other: undefined,
});

/** Witnesses differ in their words: an observation is compared by its place in time and, if twice the same, by its key. */
function isEarlier(witness: Witness, key: number, than: WitnessedValue): boolean {
  const { exchange, sentAtMicros, endedAtMicros } = than.witness;
  if (witness.endedAtMicros !== endedAtMicros) {
    return witness.endedAtMicros < endedAtMicros;
  }
  const isSame = sentAtMicros === witness.sentAtMicros && exchange === witness.exchange;
  return isSame ? key < than.key : endsEarlier(witness, than.witness);
}

export function compare(constancy: Constancy, witness: Witness, value: Value): void {
  const { first, other } = constancy;
  constancy.reads += 1;
  if (isEarlier(witness, value.key, first)) {
    constancy.other = value.key === first.key ? other : first;
    constancy.first = kept(witness, value);
  } else if (value.key !== first.key && (other === undefined || isEarlier(witness, value.key, other))) {
    constancy.other = kept(witness, value);
  }
}

/** Adds to what is known, or begins with it. */
export function compared(constancy: Constancy | undefined, witness: Witness, value: Value): Constancy {
  if (constancy === undefined) {
    return constancyOf(witness, value);
  }
  compare(constancy, witness, value);
  return constancy;
}
