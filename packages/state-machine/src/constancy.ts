import type { Instant } from "./instant.ts";
import { excerpt } from "./text-digest.ts";
import { endsEarlier, withValue } from "./witness.ts";
import type { Witness } from "./witness.ts";

/** A value and the observation that showed it. `witness.value` is the value as text. */
export interface WitnessedValue {
  readonly witness: Witness;
  /** Equal for equal values, different for different ones. */
  readonly key: number;
  /** A number the caller wants to keep with the value. */
  readonly detail: number;
  /** Kind of the value, where there is more than one. */
  readonly kind?: string;
}

/**
 * A value that must never change: the first observation, and the first one that shows a different value.
 *
 * Both are minima in a total order, so they do not depend on the order of observing. If a new first observation shows a
 * different value, the old first one becomes `other`: it precedes all others that differ.
 */
export interface Constancy {
  reads: number;
  first: WitnessedValue;
  other: WitnessedValue | undefined;
}

export interface Value {
  readonly key: number;
  readonly detail: number;
  /** The value as sent. Only an excerpt is kept. */
  readonly text: string;
  readonly kind?: string | undefined;
}

const kept = (witness: Witness, { key, detail, text, kind }: Value): WitnessedValue => ({
  witness: withValue(witness, excerpt(text)),
  key,
  detail,
  ...(kind === undefined ? {} : { kind }),
});

/** The texts of two witnesses may differ, so observations are compared by time and, for the same observation, by key. */
function isEarlier(witness: Witness, key: number, than: WitnessedValue): boolean {
  const { exchange, sentAtMicros, endedAtMicros } = than.witness;
  if (witness.endedAtMicros !== endedAtMicros) {
    return witness.endedAtMicros < endedAtMicros;
  }
  const isSame = sentAtMicros === witness.sentAtMicros && exchange === witness.exchange;
  return isSame ? key < than.key : endsEarlier(witness, than.witness);
}

/** Adds an observation, or starts with it. */
export function addValue(constancy: Constancy | undefined, witness: Witness, value: Value): Constancy {
  if (constancy === undefined) {
    return { reads: 1, first: kept(witness, value), other: undefined };
  }
  const { first, other } = constancy;
  constancy.reads += 1;
  if (isEarlier(witness, value.key, first)) {
    constancy.other = value.key === first.key ? other : first;
    constancy.first = kept(witness, value);
  } else if (value.key !== first.key && (other === undefined || isEarlier(witness, value.key, other))) {
    constancy.other = kept(witness, value);
  }
  return constancy;
}

interface WitnessedTime {
  readonly witness: Witness;
  readonly instant: Instant;
}

/** Earliest and latest value of a time that must never change. */
export interface TimeRange {
  reads: number;
  earliest: WitnessedTime;
  latest: WitnessedTime;
}

/** Reports whether the time is earlier than the known one, or later if `isEarlier` is false. */
function replaces({ witness, instant }: WitnessedTime, known: WitnessedTime, isEarlier: boolean): boolean {
  const { micros, unitMicros } = known.instant;
  if (instant.micros !== micros) {
    return instant.micros < micros === isEarlier;
  }
  return instant.unitMicros === unitMicros ? endsEarlier(witness, known.witness) : instant.unitMicros < unitMicros;
}

const witnessedTime = (witness: Witness, text: string, instant: Instant): WitnessedTime => ({
  witness: withValue(witness, excerpt(text)),
  instant,
});

/** Adds a time. Ignores times that cannot be parsed. */
export function addTime(
  known: TimeRange | undefined,
  witness: Witness,
  { text, instant }: { readonly text: string | undefined; readonly instant: Instant },
): TimeRange | undefined {
  if (text === undefined || Number.isNaN(instant.micros)) {
    return known;
  }
  if (known === undefined) {
    const shown = witnessedTime(witness, text, instant);
    return { reads: 1, earliest: shown, latest: shown };
  }
  const shown = { witness, instant };
  known.reads += 1;
  if (replaces(shown, known.earliest, true)) {
    known.earliest = witnessedTime(witness, text, instant);
  }
  if (replaces(shown, known.latest, false)) {
    known.latest = witnessedTime(witness, text, instant);
  }
  return known;
}

/**
 * The two times, if they differ. Times of different precision may be the same time, truncated or rounded, so they differ
 * only if they are at least one unit of the coarser one apart.
 */
export function differingTimes({ earliest, latest }: TimeRange): readonly [Witness, Witness] | undefined {
  const apart = latest.instant.micros - earliest.instant.micros;
  const unit =
    latest.instant.unitMicros === earliest.instant.unitMicros
      ? 1
      : Math.max(latest.instant.unitMicros, earliest.instant.unitMicros);
  return apart >= unit ? [earliest.witness, latest.witness] : undefined;
}
