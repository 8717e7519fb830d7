import type { Instant } from "./instant.ts";
import type { ShownOutcome } from "./observation.ts";
import { excerpt } from "./text-digest.ts";
import { countOf, endsEarlier, isSameExchange, withValue } from "./timed-value.ts";
import type { TimedValue } from "./timed-value.ts";

/** A value and the observation that showed it. */
export interface KeyedValue {
  readonly observation: TimedValue;
  /** The value as text, for findings. */
  readonly text: string;
  /** The identity of the value. Different values have different keys. */
  readonly key: number;
  /** A number that the caller stores with the value. */
  readonly detail: number;
  /** The kind of outcome, if the value is one. */
  readonly kind: ShownOutcome["kind"] | undefined;
}

/** Returns the observation with its value. */
export const shownValue = ({ observation, text }: KeyedValue): TimedValue => withValue(observation, text);

/**
 * A value that must never change: its first observation, and the first one with a different value.
 *
 * Both are minima in a total order, so they do not depend on the order of arrival. If a new first observation shows a different value, the
 * old first one becomes `firstDifferent`: it precedes all others that differ.
 */
export interface Constancy {
  readCount: number;
  first: KeyedValue;
  firstDifferent: KeyedValue | undefined;
}

export interface ReceivedValue {
  readonly key: number;
  readonly detail: number;
  /** The value as received. Only an excerpt is stored. */
  readonly text: string;
  /** Follows the text in findings. */
  readonly outcome?: ShownOutcome | undefined;
}

const toKeyedValue = (observation: TimedValue, { key, detail, text, outcome }: ReceivedValue): KeyedValue => ({
  observation,
  text: excerpt(outcome === undefined ? text : `${text}, an ${outcome.kind} "${outcome.text}"`),
  key,
  detail,
  kind: outcome?.kind,
});

/**
 * Reports whether an observation is earlier. The texts of two observations may differ, so they are compared by time and, for the same
 * observation, by key.
 */
const isEarlier = (observation: TimedValue, key: number, reference: KeyedValue): boolean =>
  isSameExchange(observation, reference.observation)
    ? key < reference.key
    : endsEarlier(observation, reference.observation);

/** Adds an observation, or creates the record from the first one. */
export function addValue(constancy: Constancy | undefined, observation: TimedValue, value: ReceivedValue): Constancy {
  if (constancy === undefined) {
    return { readCount: countOf(observation), first: toKeyedValue(observation, value), firstDifferent: undefined };
  }
  const { first, firstDifferent } = constancy;
  constancy.readCount += countOf(observation);
  if (isEarlier(observation, value.key, first)) {
    constancy.firstDifferent = value.key === first.key ? firstDifferent : first;
    constancy.first = toKeyedValue(observation, value);
  } else if (
    value.key !== first.key &&
    (firstDifferent === undefined || isEarlier(observation, value.key, firstDifferent))
  ) {
    constancy.firstDifferent = toKeyedValue(observation, value);
  }
  return constancy;
}

interface TimedInstant {
  readonly observation: TimedValue;
  /** The time as received, for findings. */
  readonly text: string;
  readonly instant: Instant;
}

/** The earliest and latest value of a time that must never change. */
export interface TimeRange {
  readCount: number;
  earliest: TimedInstant;
  latest: TimedInstant;
}

/** Reports whether the time is earlier than the known one, or later if `findsEarliest` is false. */
function replaces(
  { observation, instant }: Omit<TimedInstant, "text">,
  current: TimedInstant,
  findsEarliest: boolean,
): boolean {
  const { micros, unitMicros } = current.instant;
  if (instant.micros !== micros) {
    return instant.micros < micros === findsEarliest;
  }
  return instant.unitMicros === unitMicros
    ? isSameExchange(observation, current.observation) || endsEarlier(observation, current.observation)
    : instant.unitMicros < unitMicros;
}

const toTimedInstant = (observation: TimedValue, text: string, instant: Instant): TimedInstant => ({
  observation,
  text: excerpt(text),
  instant,
});

/** Adds a time. Ignores unparsable times. */
export function addTime(
  range: TimeRange | undefined,
  observation: TimedValue,
  { text, instant }: { readonly text: string | undefined; readonly instant: Instant },
): TimeRange | undefined {
  if (text === undefined || Number.isNaN(instant.micros)) {
    return range;
  }
  if (range === undefined) {
    const timedInstant = toTimedInstant(observation, text, instant);
    return { readCount: countOf(observation), earliest: timedInstant, latest: timedInstant };
  }
  const timedInstant = { observation, instant };
  range.readCount += countOf(observation);
  if (replaces(timedInstant, range.earliest, true)) {
    range.earliest = toTimedInstant(observation, text, instant);
  }
  if (replaces(timedInstant, range.latest, false)) {
    range.latest = toTimedInstant(observation, text, instant);
  }
  return range;
}

/**
 * Returns the two times if they differ. Times of different precision may be the same time, truncated or rounded, so they differ only if
 * they are at least one unit of the coarser one apart.
 */
export function differingTimes({ earliest, latest }: TimeRange): readonly [TimedValue, TimedValue] | undefined {
  const differenceMicros = latest.instant.micros - earliest.instant.micros;
  const unitMicros =
    latest.instant.unitMicros === earliest.instant.unitMicros
      ? 1
      : Math.max(latest.instant.unitMicros, earliest.instant.unitMicros);
  return differenceMicros >= unitMicros
    ? [withValue(earliest.observation, earliest.text), withValue(latest.observation, latest.text)]
    : undefined;
}
