import type { Instant } from "./instant.ts";
import type { Write } from "./observation.ts";
import { boundedKey } from "./text-digest.ts";

/** A poller. Each has one object, so sessions are compared by identity. */
export interface Session {
  readonly name: string;
  /** From 0, in order of arrival. For lookups only, never for comparisons. */
  readonly number: number;
}

/** Returns the session of a name. */
export function createSessions(): (name: string) => Session {
  const known = new Map<string, Session>();
  return (name) => {
    const key = boundedKey(name);
    let session = known.get(key);
    if (session === undefined) {
      session = { name: key, number: known.size };
      known.set(key, session);
    }
    return session;
  };
}

/**
 * An observation without its snapshot: its interval and one value. Meaningless times are widened, so that less is known
 * about their order, never more: an unknown sending is minus infinity, an unknown end plus infinity.
 */
export interface Witness {
  readonly kind: "read" | Write["write"];
  readonly exchange: string;
  readonly session: Session;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** The observed value as text; empty until it is known which value matters. */
  readonly value: string;
  /** Update time of the version shown; NaN without one. */
  readonly updatedMicros: number;
  readonly updatedUnitMicros: number;
}

/** Reports whether one observation is known to precede the other. Overlapping or touching observations have no order. */
export const isBefore = (a: Witness, b: Witness): boolean => a.endedAtMicros < b.sentAtMicros;

/** Two observations in the order a finding names them. */
export const inOrder = (a: Witness, b: Witness): readonly [Witness, Witness] =>
  isBefore(b, a) || (!isBefore(a, b) && sentLater(a, b)) ? [b, a] : [a, b];

/** A total order by end. The witness that is kept must not depend on the order of arrival. */
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
export const withValue = (witness: Witness, value: string): Witness => ({
  kind: witness.kind,
  exchange: witness.exchange,
  session: witness.session,
  sentAtMicros: witness.sentAtMicros,
  endedAtMicros: witness.endedAtMicros,
  value,
  updatedMicros: witness.updatedMicros,
  updatedUnitMicros: witness.updatedUnitMicros,
});

/** The same observation with another version. */
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
 * How much newer the second version is, in microseconds. Negative if it is older, NaN if a time is missing. Times of
 * different precision may be the same time, truncated: they differ only by at least the unit of the coarser one.
 */
export function newerBy(a: Witness, b: Witness): number {
  const difference = b.updatedMicros - a.updatedMicros;
  const isSpelling =
    a.updatedUnitMicros !== b.updatedUnitMicros &&
    Math.abs(difference) < Math.max(a.updatedUnitMicros, b.updatedUnitMicros);
  return isSpelling ? 0 : difference;
}

/** An interval that covers every meaning of the two times. */
export function normaliseInterval(sent: number | undefined, ended: number | undefined): readonly [number, number] {
  const from = typeof sent === "number" && !Number.isNaN(sent) ? sent : Number.NEGATIVE_INFINITY;
  const to = typeof ended === "number" && !Number.isNaN(ended) ? ended : Number.POSITIVE_INFINITY;
  return from <= to ? [from, to] : [to, from];
}
