import type { Instant } from "./instant.ts";
import type { Write } from "./observation.ts";
import { boundedKey } from "./text-digest.ts";

/** A poller. There is one object per poller, so sessions are compared by identity. */
export interface Session {
  readonly name: string;
  /** Index from 0, in order of arrival. Use it for lookups only, never for comparisons. */
  readonly number: number;
}

/** All sessions, by name and by number. */
export interface Sessions {
  readonly getSession: (name: string) => Session;
  readonly sessionAt: (number: number) => Session;
}

export function createSessions(): Sessions {
  const sessionsByName = new Map<string, Session>();
  const sessions: Session[] = [];
  return {
    getSession: (name) => {
      const key = boundedKey(name);
      let session = sessionsByName.get(key);
      if (session === undefined) {
        session = { name: key, number: sessions.length };
        sessionsByName.set(key, session);
        sessions.push(session);
      }
      return session;
    },
    sessionAt: (number) => sessions[number] ?? { name: "", number },
  };
}

/** The first end and the last sending of a session's reads. */
export interface SessionTime {
  readonly session: Pick<Session, "number">;
  readonly endedAtMicros: number;
  readonly sentAtMicros: number;
}

/** Later reads that show exactly the same. Only their number and the extremes of their times matter. */
export interface EqualReads {
  readonly count: number;
  readonly extremes: readonly TimedValue[];
  /** Times of sessions that are not those of an extreme. */
  readonly sessionTimes: readonly SessionTime[];
}

export const noReads: EqualReads = { count: 0, extremes: [], sessionTimes: [] };

/**
 * An observation reduced to its interval and one value. Meaningless times are widened, so that less is known about their order, never more:
 * an unknown sending is minus infinity, an unknown end plus infinity.
 */
export interface TimedValue {
  readonly kind: "read" | Write["write"];
  readonly exchange: string;
  readonly session: Session;
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
  /** The observed value as text. Empty until it is known which value is relevant. */
  readonly value: string;
  /** Update time of the version shown. */
  readonly updated: Instant;
  /** The reads that this one, which is the first to end, represents. */
  readonly equalReads: EqualReads;
}

/** The number of reads that an observation represents. */
export const countOf = ({ equalReads }: TimedValue): number => 1 + equalReads.count;

/** Reports whether one observation is known to precede the other. Overlapping or touching observations have no order. */
export const isBefore = (a: TimedValue, b: TimedValue): boolean => a.endedAtMicros < b.sentAtMicros;

/** Reports whether two observations are of one exchange. Their values and versions may differ. */
export const isSameExchange = (a: TimedValue, b: TimedValue): boolean =>
  a.endedAtMicros === b.endedAtMicros && a.sentAtMicros === b.sentAtMicros && a.exchange === b.exchange;

/** Returns two observations in the order in which a finding reports them. */
export const inOrder = (a: TimedValue, b: TimedValue): readonly [TimedValue, TimedValue] =>
  isBefore(b, a) || (!isBefore(a, b) && sentLater(a, b)) ? [b, a] : [a, b];

/** A total order by end. The choice of the kept observation must not depend on the order of arrival. */
export const endsEarlier = (a: TimedValue, b: TimedValue): boolean =>
  a.endedAtMicros === b.endedAtMicros
    ? a.sentAtMicros === b.sentAtMicros
      ? breaksTie(a, b)
      : a.sentAtMicros < b.sentAtMicros
    : a.endedAtMicros < b.endedAtMicros;

/** A total order by sending. */
export const sentLater = (a: TimedValue, b: TimedValue): boolean =>
  a.sentAtMicros === b.sentAtMicros
    ? a.endedAtMicros === b.endedAtMicros
      ? breaksTie(b, a)
      : a.endedAtMicros > b.endedAtMicros
    : a.sentAtMicros > b.sentAtMicros;

function breaksTie(a: TimedValue, b: TimedValue): boolean {
  if (a.exchange !== b.exchange) {
    return a.exchange < b.exchange;
  }
  if (a.value !== b.value) {
    return a.value < b.value;
  }
  return a.session === b.session ? a.updated.micros < b.updated.micros : a.session.name < b.session.name;
}

/** Returns a copy with other members. All observations list their members in one order, so that V8 gives them one shape. */
const copyWith = (
  observation: TimedValue,
  {
    value = observation.value,
    updated = observation.updated,
    equalReads = observation.equalReads,
  }: Partial<Pick<TimedValue, "value" | "updated" | "equalReads">>,
): TimedValue => ({
  kind: observation.kind,
  exchange: observation.exchange,
  session: observation.session,
  sentAtMicros: observation.sentAtMicros,
  endedAtMicros: observation.endedAtMicros,
  value,
  updated,
  equalReads,
});

/** Returns the same observation with a different value. */
export const withValue = (observation: TimedValue, value: string): TimedValue => copyWith(observation, { value });

/** Returns the same observation with a different version. */
export const withVersion = (observation: TimedValue, updated: Instant): TimedValue =>
  copyWith(observation, { updated, equalReads: withVersionOfAll(observation.equalReads, updated) });

/** Returns the same observation as one that represents others. */
export const withEqualReads = (observation: TimedValue, equalReads: EqualReads): TimedValue =>
  copyWith(observation, { equalReads });

const withVersionOfAll = (equalReads: EqualReads, updated: Instant): EqualReads =>
  equalReads === noReads
    ? noReads
    : { ...equalReads, extremes: equalReads.extremes.map((read) => withVersion(read, updated)) };

/**
 * Returns the age difference of two versions in microseconds, positive if the second one is newer. NaN if a time is missing. Times of
 * different precision may be the same time, truncated: they differ only if they are at least one unit of the coarser one apart.
 */
export function versionDifference({ updated: a }: TimedValue, { updated: b }: TimedValue): number {
  const difference = b.micros - a.micros;
  const isSameTime = a.unitMicros !== b.unitMicros && Math.abs(difference) < Math.max(a.unitMicros, b.unitMicros);
  return isSameTime ? 0 : difference;
}

/** Returns an interval that covers every meaning of the two times. */
export function normaliseInterval(
  sentMicros: number | undefined,
  endedMicros: number | undefined,
): readonly [number, number] {
  const from = typeof sentMicros === "number" && !Number.isNaN(sentMicros) ? sentMicros : Number.NEGATIVE_INFINITY;
  const to = typeof endedMicros === "number" && !Number.isNaN(endedMicros) ? endedMicros : Number.POSITIVE_INFINITY;
  // The sum of minus zero and zero is zero.
  return from <= to ? [from + 0, to + 0] : [to + 0, from + 0];
}
