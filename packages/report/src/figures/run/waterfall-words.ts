import type { StreamTimeline } from "@assay/results";
import { counted, formatDuration, formatSize, formatGrouped } from "../../document/counted.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { escapeForDisplay } from "../../document/shown-text.ts";

/** Returns the title, with the stream's exchange and times. */
export function formatWaterfallTitle({ exchange, probe, firstMatchMicros, endedMicros }: StreamTimeline): string {
  const match = firstMatchMicros === undefined ? "no match" : `first match after ${formatDuration(firstMatchMicros)}`;
  return `Stream ${escapeForDisplay(exchange, "name")} (${escapeForDisplay(probe, "name")}): ${match}, closed after ${formatDuration(endedMicros)}`;
}

/** Reports whether everything arrived at about the same time: its marks would overlap. */
export const isSingleBurst = ({ firstByteMicros, endedMicros }: StreamTimeline): boolean =>
  firstByteMicros !== undefined && endedMicros - firstByteMicros < 0.05 * endedMicros;

/** Describes a stream in a few words. */
export function formatWaterfallHeading(timeline: StreamTimeline): string {
  const { firstByteMicros, firstMatchMicros, endedMicros, buffered, failure } = timeline;
  const end = formatDuration(endedMicros);
  if (firstByteMicros === undefined) {
    return `Nothing arrived in ${end}`;
  }
  if (failure !== undefined) {
    return `Incomplete stream: it ended after ${end}`;
  }
  if (buffered !== undefined || isSingleBurst(timeline)) {
    return `${buffered === undefined ? "" : "Buffered: "}everything arrived at ${formatDuration(firstByteMicros)} of ${end}`.replace(
      /^e/u,
      "E",
    );
  }
  return firstMatchMicros === undefined
    ? `Streaming: first byte after ${formatDuration(firstByteMicros)} of ${end}, no match`
    : `Streaming: first match at ${Math.round((100 * firstMatchMicros) / Math.max(1, endedMicros))} % of the search (${formatDuration(firstMatchMicros)} of ${end})`;
}

/** Describes the figure for screen readers. */
export function describeWaterfall({ lanes, bytes, buffered, failure, ...times }: StreamTimeline): string {
  const firstByte = times.firstByteMicros;
  const sentences = [
    `${counted(countEvents(lanes), "event")} of ${counted(lanes.length, "kind")}, ${formatSize(bytes)}, drawn over the time since the request was sent.`,
    firstByte === undefined ? "Nothing arrived." : `The first byte arrived after ${formatDuration(firstByte)}.`,
    buffered === undefined ? "" : `Buffered on the way: ${escapeForDisplay(buffered)}.`,
    failure === undefined ? "" : `Incomplete stream: ${escapeForDisplay(failure)}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Describes the request, and explains the marks. */
export const formatWaterfallCaption = ({ exchange, probe, url, status, lanes }: StreamTimeline): string =>
  `Exchange ${escapeForDisplay(exchange, "name")}, probe ${escapeForDisplay(probe, "name")}, status ${status ?? "none"}: ${escapeForDisplay(url, "url")}. ${getMarksWords(lanes)}`;

const countEvents = (parts: readonly { readonly events: number }[]): number =>
  parts.reduce((sum, { events }) => sum + events, 0);

/** Explains whether a mark is one event or several merged ones. */
function getMarksWords(lanes: StreamTimeline["lanes"]): string {
  const mergedTicks = lanes.flatMap(({ ticks }) => ticks.filter(({ events }) => events > 1));
  return mergedTicks.length === 0
    ? "A mark for each event, as wide as its bytes took to arrive."
    : `A mark for one event is as wide as its bytes took to arrive. ${formatGrouped(countEvents(mergedTicks))} of ${counted(countEvents(lanes), "event")} are merged into ${counted(mergedTicks.length, "mark")}, each from the first to the last of its events.`;
}

/** Lists the values of the figure. */
export function createWaterfallTable(timeline: StreamTimeline): TableContent {
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
    caption: `Times of stream ${escapeForDisplay(exchange, "name")}, ${formatSize(bytes)} in all`,
    head: ["What", "Events", "Bytes", "Matches", "First", "Last"],
    rows: [
      ...namedTimes.map(([name, micros]) => [
        name,
        "",
        "",
        "",
        micros === undefined ? none : formatDuration(micros),
        "",
      ]),
      ...lanes.map(({ event, events, ticks }) => [
        `event ${escapeForDisplay(event, "name")}`,
        String(events),
        String(ticks.reduce((sum, tick) => sum + tick.bytes, 0)),
        String(ticks.reduce((sum, tick) => sum + tick.matches, 0)),
        formatDuration(ticks[0]?.fromMicros ?? 0),
        formatDuration(ticks.at(-1)?.toMicros ?? 0),
      ]),
    ],
  };
}
