import { counted, formatDuration } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import type { StateSpan } from "./state-spans.ts";

/** Formats the start and end of a span, since the first request of a conversation. */
export const getSpanTimes = (
  { fromMicros, toMicros }: StateSpan,
  startMicros: number,
): readonly [from: string, to: string] => [
  formatDuration(Math.max(0, fromMicros - startMicros)),
  formatDuration(Math.max(0, toMicros - startMicros)),
];

/** Describes a span in one line: the state was certain throughout, or it was seen within that time. */
export function getSpanWords(span: StateSpan, startMicros: number): string {
  const [from, to] = getSpanTimes(span, startMicros);
  const times = span.isCertain ? `certainly from ${from} to ${to}` : `seen at some time between ${from} and ${to}`;
  return `${escapeForDisplay(span.state, "name")}: ${times}, ${counted(span.polls, "poll")}`;
}
