import { responseDateMicros } from "../../engine/response-date.ts";
import type { ConversationCall } from "./conversation-call.ts";

/** A time span on the target's clock, in Unix microseconds. */
export interface TargetSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}

const secondMicros = 1_000_000;
const quarterMicros = 900 * secondMicros;
/** Maximum difference between the clocks of one target. Small enough to distinguish time zones. */
export const toleranceMicros = 30 * secondMicros;
/** In a longer span, too many times look like times of another zone. */
const maxSpanMicros = 300 * secondMicros;
/** Time zones are at most 14 hours from UTC. */
const maxQuarters = 56;
const minQuarters = 2;

/**
 * Returns the time span in which the target processed a call, from its `Date` header, or undefined without one. Source:
 * RFC 9110, section 6.6.1.
 */
export function serverSpan(call: ConversationCall): TargetSpan | undefined {
  const date = responseDateMicros(call.record);
  const { sentAtMicros, headersAtMicros, endedAtMicros } = call.record.times;
  const durationMicros = Math.max(0, (headersAtMicros ?? endedAtMicros) - sentAtMicros);
  return Number.isNaN(date)
    ? undefined
    : { fromMicros: date - durationMicros, toMicros: date + secondMicros + durationMicros };
}

/**
 * Returns the minutes between a time and a span if they are a difference between time zones: a multiple of a quarter of
 * an hour, from half an hour to 14 hours. It returns undefined for other differences, which inexact clocks may explain.
 */
export function zoneMinutes(micros: number, { fromMicros, toMicros }: TargetSpan): number | undefined {
  const halfSpanMicros = (toMicros - fromMicros) / 2;
  const differenceMicros = micros - (fromMicros + halfSpanMicros);
  const quarters = Math.round(differenceMicros / quarterMicros);
  const absoluteQuarters = Math.abs(quarters);
  const isZoneDifference =
    halfSpanMicros * 2 <= maxSpanMicros &&
    absoluteQuarters >= minQuarters &&
    absoluteQuarters <= maxQuarters &&
    Math.abs(differenceMicros - quarters * quarterMicros) <= halfSpanMicros + toleranceMicros;
  return isZoneDifference ? quarters * 15 : undefined;
}
