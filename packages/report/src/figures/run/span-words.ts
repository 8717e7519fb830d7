import { counted, durationOf } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import type { StateSpan } from "./state-spans.ts";

/** The two instants of a span in words, since the first request of a conversation. */
export const spanTimes = (
  { fromMicros, toMicros }: StateSpan,
  startMicros: number,
): readonly [from: string, to: string] => [
  durationOf(Math.max(0, fromMicros - startMicros)),
  durationOf(Math.max(0, toMicros - startMicros)),
];

/** What a span says in one line: that its state was there all the time, or no more than that it was seen. */
export function spanWords(span: StateSpan, startMicros: number): string {
  const [from, to] = spanTimes(span, startMicros);
  const when = span.isCertain ? `certainly from ${from} to ${to}` : `seen at some moment between ${from} and ${to}`;
  return `${shownText(span.state, "name")}: ${when}, ${counted(span.polls, "poll")}`;
}
