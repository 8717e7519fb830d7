import { cacheByText } from "./text-digest.ts";

/** A time sent by the server. */
export interface Instant {
  /** Microseconds since 1970, exact until the year 2255. NaN if the text is not a time. Finer digits are truncated. */
  readonly micros: number;
  /** The smallest difference the text can express: a second, or the unit of its last digit, but at least a microsecond. */
  readonly unitMicros: number;
}

/** Represents a missing or unreadable time. */
export const noInstant: Instant = { micros: Number.NaN, unitMicros: 0 };

const maxCharacters = 48;
const timePattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** Returns the days since 1970 of a Gregorian date. Years start in March here, so that leap days are last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Start of the ISO 8601 basic format, without hyphens and colons. */
const basicFormat = /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)/;

/**
 * Parses an RFC 3339 time, and other ISO 8601 forms of a calendar date with a time in seconds: the basic format, a decimal
 * comma, an offset of hours only. Returns `noInstant` for anything else.
 */
export function parseInstant(text: string): Instant {
  const match =
    text.length > maxCharacters
      ? null
      : (timePattern.exec(text) ?? timePattern.exec(text.replace(basicFormat, "$1-$2-$3T$4:$5:$6")));
  if (match === null) {
    return noInstant;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  const fraction = match[7] ?? "";
  const offsetMinutes = (match[8] === "-" ? -1 : 1) * (part(9) * 60 + part(10));
  const minutes = daysSince1970(part(1), part(2), part(3)) * 1440 + part(4) * 60 + part(5) - offsetMinutes;
  const micros = Number(fraction.slice(0, 6).padEnd(6, "0"));
  return {
    micros: (minutes * 60 + part(6)) * 1_000_000 + micros,
    unitMicros: 10 ** (6 - Math.min(6, fraction.length)),
  };
}

const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");

/** Formats a number of days since 1970 as year, month and day. */
function formatDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month > 2 ? 0 : 1);
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/** Formats an instant as RFC 3339 in UTC, with the digits of its unit. */
export function formatInstant({ micros, unitMicros }: Instant): string {
  const seconds = Math.floor(micros / 1_000_000);
  const days = Math.floor(seconds / 86_400);
  const secondOfDay = seconds - days * 86_400;
  const digits = Math.round(6 - Math.log10(Math.max(1, unitMicros)));
  const fraction = pad(micros - seconds * 1_000_000, 6).slice(0, digits);
  const time = [Math.floor(secondOfDay / 3600), Math.floor(secondOfDay / 60) % 60, secondOfDay % 60]
    .map((part) => pad(part))
    .join(":");
  return `${formatDate(days)}T${time}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** Returns a number from the last characters of a time, which vary most. */
function sampleTime(text: string): number {
  const { length } = text;
  return (
    length * 7 + text.charCodeAt(length - 2) + text.charCodeAt(length - 3) * 10 + text.charCodeAt(length - 5) * 100
  );
}

/** Creates a parser that caches recent times, because a poll mostly repeats the times of the previous one. */
export function createInstantReader(): (text: string | undefined) => Instant {
  const parseCached = cacheByText(parseInstant, sampleTime);
  return (text) =>
    typeof text !== "string" || text.length < 5 || text.length > maxCharacters ? noInstant : parseCached(text);
}
