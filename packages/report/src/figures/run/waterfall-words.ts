import type { StreamTimeline } from "@assay/results";
import { counted, durationText, sizeText, groupedNumber } from "../../document/counted.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { shownText } from "../../document/shown-text.ts";

/** Returns the title, with the stream's exchange and times. */
export function waterfallTitle({ exchange, probe, firstMatchMicros, endedMicros }: StreamTimeline): string {
  const match = firstMatchMicros === undefined ? "no match" : `first match after ${durationText(firstMatchMicros)}`;
  return `Stream ${shownText(exchange, "name")} (${shownText(probe, "name")}): ${match}, closed after ${durationText(endedMicros)}`;
}

/** Reports whether everything arrived at about the same time: its marks would overlap. */
export const isSingleBurst = ({ firstByteMicros, endedMicros }: StreamTimeline): boolean =>
  firstByteMicros !== undefined && endedMicros - firstByteMicros < 0.05 * endedMicros;

/** Describes a stream in a few words. */
export function waterfallHeading(timeline: StreamTimeline): string {
  const { firstByteMicros, firstMatchMicros, endedMicros, buffered, failure } = timeline;
  const end = durationText(endedMicros);
  if (firstByteMicros === undefined) {
    return `Nothing arrived in ${end}`;
  }
  if (failure !== undefined) {
    return `Incomplete stream: it ended after ${end}`;
  }
  if (buffered !== undefined || isSingleBurst(timeline)) {
    return `${buffered === undefined ? "" : "Buffered: "}everything arrived at ${durationText(firstByteMicros)} of ${end}`.replace(
      /^e/u,
      "E",
    );
  }
  return firstMatchMicros === undefined
    ? `Streaming: first byte after ${durationText(firstByteMicros)} of ${end}, no match`
    : `Streaming: first match at ${Math.round((100 * firstMatchMicros) / Math.max(1, endedMicros))} % of the search (${durationText(firstMatchMicros)} of ${end})`;
}

/** Describes the figure for screen readers. */
export function waterfallDescription({ lanes, bytes, buffered, failure, ...times }: StreamTimeline): string {
  const firstByte = times.firstByteMicros;
  const sentences = [
    `${counted(countEvents(lanes), "event")} of ${counted(lanes.length, "kind")}, ${sizeText(bytes)}, drawn over the time since the request was sent.`,
    firstByte === undefined ? "Nothing arrived." : `The first byte arrived after ${durationText(firstByte)}.`,
    buffered === undefined ? "" : `Buffered on the way: ${shownText(buffered)}.`,
    failure === undefined ? "" : `Incomplete stream: ${shownText(failure)}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Describes the request, and explains the marks. */
export const waterfallCaption = ({ exchange, probe, url, status, lanes }: StreamTimeline): string =>
  `Exchange ${shownText(exchange, "name")}, probe ${shownText(probe, "name")}, status ${status ?? "none"}: ${shownText(url, "url")}. ${marksWords(lanes)}`;

const countEvents = (parts: readonly { readonly events: number }[]): number =>
  parts.reduce((sum, { events }) => sum + events, 0);

/** Explains whether a mark is one event or several merged ones. */
function marksWords(lanes: StreamTimeline["lanes"]): string {
  const mergedTicks = lanes.flatMap(({ ticks }) => ticks.filter(({ events }) => events > 1));
  return mergedTicks.length === 0
    ? "A mark for each event, as wide as its bytes took to arrive."
    : `A mark for one event is as wide as its bytes took to arrive. ${groupedNumber(countEvents(mergedTicks))} of ${counted(countEvents(lanes), "event")} are merged into ${counted(mergedTicks.length, "mark")}, each from the first to the last of its events.`;
}

/** Lists the values of the figure. */
export function waterfallTable(timeline: StreamTimeline): TableContent {
  const { exchange, bytes, serverDurationMs, lanes } = timeline;
  const namedTimes: readonly (readonly [string, number | undefined])[] = [
    ["connected", timeline.connectedMicros],
    ["head of the response", timeline.headersMicros],
    ["first byte", timeline.firstByteMicros],
    ["first event", timeline.firstEventMicros],
    ["first match", timeline.firstMatchMicros],
    ["final progress", timeline.finalProgressMicros],
    ["done", timeline.doneMicros],
    ["closed", timeline.endedMicros],
    ["the target's own duration", serverDurationMs === undefined ? undefined : 1000 * serverDurationMs],
  ];
  const none = "did not arrive";
  return {
    caption: `Times of stream ${shownText(exchange, "name")}, ${sizeText(bytes)} in all`,
    head: ["What", "Events", "Bytes", "Matches", "First", "Last"],
    rows: [
      ...namedTimes.map(([name, micros]) => [name, "", "", "", micros === undefined ? none : durationText(micros), ""]),
      ...lanes.map(({ event, events, ticks }) => [
        `event ${shownText(event, "name")}`,
        String(events),
        String(ticks.reduce((sum, tick) => sum + tick.bytes, 0)),
        String(ticks.reduce((sum, tick) => sum + tick.matches, 0)),
        durationText(ticks[0]?.fromMicros ?? 0),
        durationText(ticks.at(-1)?.toMicros ?? 0),
      ]),
    ],
  };
}
