import { inReadingOrder } from "./reading-order.ts";
import type { RunTimelines } from "./run-timelines.ts";

const readingOrder = [
  ["exchange", "probe", "method", "url", "status", "bytes", "conversation", "interface", "question"],
  ["connectedMicros", "headersMicros", "firstByteMicros", "firstEventMicros", "firstMatchMicros"],
  ["finalProgressMicros", "doneMicros", "endedMicros", "serverDurationMs", "buffered", "failure"],
  ["event", "events", "fromMicros", "toMicros", "sentMicros", "answeredMicros", "state", "listed", "terminal"],
  ["from", "to", "standing", "seen", "matches", "ticks", "lanes", "moreLanes", "polls", "morePolls"],
  ["states", "edges", "requestHeaders", "requestBody", "responseHeaders", "bodyHead", "bodyBytes"],
].flat();
const ordered = inReadingOrder(readingOrder);

const line = (value: unknown): string => JSON.stringify(value, ordered);

const list = (values: readonly unknown[]): string =>
  values.length === 0 ? "[]" : `[\n${values.map((value) => `    ${line(value)}`).join(",\n")}\n  ]`;

/**
 * The bytes of `timelines.json`: one line for each stream, conversation, diagram and exchange, members in a fixed order, one line feed at
 * the end. Equal values give equal bytes.
 */
export function stringifyTimelines(timelines: RunTimelines): string {
  const { schemaVersion, runId, streams, moreStreams, conversations, moreConversations } = timelines;
  const { diagrams, exchanges, moreExchanges } = timelines;
  const members: readonly (readonly [string, string])[] = [
    ["schemaVersion", line(schemaVersion)],
    ["runId", line(runId)],
    ["streams", list(streams)],
    ["moreStreams", line(moreStreams)],
    ["conversations", list(conversations)],
    ["moreConversations", line(moreConversations)],
    ["diagrams", list(diagrams)],
    ["exchanges", list(exchanges)],
    ["moreExchanges", line(moreExchanges)],
  ];
  return `{\n${members.map(([name, value]) => `  "${name}": ${value}`).join(",\n")}\n}\n`;
}
