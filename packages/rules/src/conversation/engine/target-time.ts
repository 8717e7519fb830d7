import { responseDateMicros } from "../../engine/response-date.ts";
import type { ConversationCall } from "./conversation-call.ts";

/** A time span on the target's clock, in Unix microseconds. */
export interface TargetSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}

const secondMicros = 1_000_000;
const quarterMicros = 900 * secondMicros;
/** Maximum difference between clocks of one target; small enough to distinguish time zones. */
export const toleranceMicros = 30 * secondMicros;
/** In a longer span, too many times look like those of another zone. */
const maxSpanMicros = 300 * secondMicros;
/** Time zones are at most 14 hours from UTC. */
const maxQuarters = 56;
const minQuarters = 2;

/**
 * The time span in which the target worked on a call, by its `Date` header; undefined without one. Source: RFC 9110,
 * section 6.6.1.
 */
export function serverSpan(call: ConversationCall): TargetSpan | undefined {
  const date = responseDateMicros(call.record);
  const { sentAtMicros, headersAtMicros, endedAtMicros } = call.record.times;
  const tookMicros = Math.max(0, (headersAtMicros ?? endedAtMicros) - sentAtMicros);
  return Number.isNaN(date) ? undefined : { fromMicros: date - tookMicros, toMicros: date + secondMicros + tookMicros };
}

/**
 * Minutes between a time and a span, if this is a difference between time zones: a multiple of a quarter of an hour,
 * from half an hour to 14 hours. Undefined for other differences, which may come from inexact clocks.
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
