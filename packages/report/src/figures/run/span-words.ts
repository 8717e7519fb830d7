import { counted, durationOf } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import type { StateSpan } from "./state-spans.ts";

/** Start and end of a span in words, since the first request of a conversation. */
export const spanTimes = (
  { fromMicros, toMicros }: StateSpan,
  startMicros: number,
): readonly [from: string, to: string] => [
  durationOf(Math.max(0, fromMicros - startMicros)),
  durationOf(Math.max(0, toMicros - startMicros)),
];

/** A span in one line: the state was certain throughout, or it was seen within that time. */
export function spanWords(span: StateSpan, startMicros: number): string {
  const [from, to] = spanTimes(span, startMicros);
  const when = span.isCertain ? `certainly from ${from} to ${to}` : `seen at some time between ${from} and ${to}`;
  return `${shownText(span.state, "name")}: ${when}, ${counted(span.polls, "poll")}`;
}
