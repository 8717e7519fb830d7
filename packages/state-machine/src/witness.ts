import type { Instant } from "./instant.ts";
import type { Write } from "./observation.ts";
import type { FindingWitness } from "./history-report.ts";
import type { Session } from "./session.ts";

/**
 * What is kept of one observation: its interval and what it showed, without the snapshot. Times that make no sense are
 * widened, so that less is known of their order and never more: an unknown sending is long ago, an unknown end never.
 */
export interface Witness {
  readonly kind: "read" | Write["write"];
  readonly exchange: string;
  readonly session: Session;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** What it showed in words; empty until it is known which of all that it showed matters. */
  readonly value: string;
  /** The server's own time of the version shown; not a number where there is none. */
  readonly updatedMicros: number;
  readonly updatedUnitMicros: number;
}

/** Whether it is known that one observation came before the other. Observations that overlap or touch have no order. */
export const isBefore = (a: Witness, b: Witness): boolean => a.endedAtMicros < b.sentAtMicros;

/** Two observations in the order in which a finding names them. */
export const inOrder = (a: Witness, b: Witness): readonly [Witness, Witness] =>
  isBefore(b, a) || (!isBefore(a, b) && sentLater(a, b)) ? [b, a] : [a, b];

/** A total order by end: which of two witnesses is kept may not depend on which came first. */
export const endsEarlier = (a: Witness, b: Witness): boolean =>
  a.endedAtMicros === b.endedAtMicros
    ? a.sentAtMicros === b.sentAtMicros
      ? breaksTie(a, b)
      : a.sentAtMicros < b.sentAtMicros
    : a.endedAtMicros < b.endedAtMicros;

/** A total order by sending. */
export const sentLater = (a: Witness, b: Witness): boolean =>
  a.sentAtMicros === b.sentAtMicros
    ? a.endedAtMicros === b.endedAtMicros
      ? breaksTie(b, a)
      : a.endedAtMicros > b.endedAtMicros
    : a.sentAtMicros > b.sentAtMicros;

function breaksTie(a: Witness, b: Witness): boolean {
  if (a.exchange !== b.exchange) {
    return a.exchange < b.exchange;
  }
  if (a.value !== b.value) {
    return a.value < b.value;
  }
  return a.session === b.session ? a.updatedMicros < b.updatedMicros : a.session.name < b.session.name;
}

/** The same observation with another value. */
export const showing = (witness: Witness, value: string): Witness => ({
  kind: witness.kind,
  exchange: witness.exchange,
  session: witness.session,
  sentAtMicros: witness.sentAtMicros,
  endedAtMicros: witness.endedAtMicros,
  value,
  updatedMicros: witness.updatedMicros,
  updatedUnitMicros: witness.updatedUnitMicros,
});

/** The same observation as one of another version. */
export const withVersion = (witness: Witness, { micros, unitMicros }: Instant): Witness => ({
  kind: witness.kind,
  exchange: witness.exchange,
  session: witness.session,
  sentAtMicros: witness.sentAtMicros,
  endedAtMicros: witness.endedAtMicros,
  value: witness.value,
  updatedMicros: micros,
  updatedUnitMicros: unitMicros,
});

/**
 * How much newer the version is that the second observation showed: microseconds, negative for an older one, not a number where
 * a time is missing. Times of different precision may be one time cut off: they differ only by at least the unit of the coarser.
 */
export function newerBy(a: Witness, b: Witness): number {
  const difference = b.updatedMicros - a.updatedMicros;
  const isSpelling =
    a.updatedUnitMicros !== b.updatedUnitMicros &&
    Math.abs(difference) < Math.max(a.updatedUnitMicros, b.updatedUnitMicros);
  return isSpelling ? 0 : difference;
}

/** An interval that holds whatever the two times can mean. */
export function widened(sent: number | undefined, ended: number | undefined): readonly [number, number] {
  const from = typeof sent === "number" && !Number.isNaN(sent) ? sent : Number.NEGATIVE_INFINITY;
  const to = typeof ended === "number" && !Number.isNaN(ended) ? ended : Number.POSITIVE_INFINITY;
  return from <= to ? [from, to] : [to, from];
}

const finite = (...times: readonly number[]): number => times.find((time) => Number.isFinite(time)) ?? 0;

/** The part of an observation that a finding names. */
export const seenOf = ({ exchange, sentAtMicros, endedAtMicros, value }: Witness): FindingWitness => ({
  exchange,
  sentAtMicros: finite(sentAtMicros, endedAtMicros),
  endedAtMicros: finite(endedAtMicros, sentAtMicros),
  value,
});
