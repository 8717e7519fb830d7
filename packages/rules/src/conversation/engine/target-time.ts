import { responseDateMicros } from "../../engine/response-date.ts";
import type { ConversationCall } from "./conversation-call.ts";

/** A span of time of the target's clock, in Unix microseconds. */
export interface TargetSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}

const secondMicros = 1_000_000;
const quarterMicros = 900 * secondMicros;
/** Clocks of one target may differ by this, and still be told from those of two zones. */
export const toleranceMicros = 30 * secondMicros;
/** In a longer span too many times look like those of another zone. */
const maxSpanMicros = 300 * secondMicros;
/** Zones are at most 14 hours from UTC. */
const maxQuarters = 56;
const minQuarters = 2;

/**
 * When the target worked on a call, by the clock of its header `Date`; nothing where an answer has none. Source: RFC 9110,
 * section 6.6.1.
 */
export function workedBetween(call: ConversationCall): TargetSpan | undefined {
  const date = responseDateMicros(call.record);
  const { sentAtMicros, headersAtMicros, endedAtMicros } = call.record.times;
  const tookMicros = Math.max(0, (headersAtMicros ?? endedAtMicros) - sentAtMicros);
  return Number.isNaN(date) ? undefined : { fromMicros: date - tookMicros, toMicros: date + secondMicros + tookMicros };
}

/**
 * How many minutes a time lies beside a span, if that is a difference between zones: a whole number of quarters of an hour, from
 * half an hour to 14 hours. Nothing for any other difference, which may be one between clocks.
 */
export function zoneMinutes(micros: number, { fromMicros, toMicros }: TargetSpan): number | undefined {
  const half = (toMicros - fromMicros) / 2;
  const aside = micros - (fromMicros + half);
  const quarters = Math.round(aside / quarterMicros);
  const size = Math.abs(quarters);
  const isZone =
    half * 2 <= maxSpanMicros &&
    size >= minQuarters &&
    size <= maxQuarters &&
    Math.abs(aside - quarters * quarterMicros) <= half + toleranceMicros;
  return isZone ? quarters * 15 : undefined;
}
