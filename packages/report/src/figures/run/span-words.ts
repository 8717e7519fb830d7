import { counted, durationText } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import type { StateSpan } from "./state-spans.ts";

/** Formats the start and end of a span, since the first request of a conversation. */
export const spanTimes = (
  { fromMicros, toMicros }: StateSpan,
  startMicros: number,
): readonly [from: string, to: string] => [
  durationText(Math.max(0, fromMicros - startMicros)),
  durationText(Math.max(0, toMicros - startMicros)),
];

/** Describes a span in one line: the state was certain throughout, or it was seen within that time. */
export function spanWords(span: StateSpan, startMicros: number): string {
  const [from, to] = spanTimes(span, startMicros);
  const times = span.isCertain ? `certainly from ${from} to ${to}` : `seen at some time between ${from} and ${to}`;
  return `${shownText(span.state, "name")}: ${times}, ${counted(span.polls, "poll")}`;
}
