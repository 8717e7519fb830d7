import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { checkStream } from "./testing/check-stream.ts";
import { fixtureStreams } from "./testing/fixture-streams.ts";

type Delivered = readonly [name: string, data: string];

/**
 * The events that a client with a standard event-stream parser receives, up to `done`. An EventSource ignores unknown lines,
 * so the parser's errors about them do not count.
 */
function standardClient(bytes: Uint8Array): readonly Delivered[] {
  const events: Delivered[] = [];
  const parser = createParser({ onEvent: ({ event = "message", data }) => events.push([event, data]) });
  parser.feed(new TextDecoder().decode(bytes));
  const done = events.findIndex(([name]) => name === "done");
  return done === -1 ? events : events.slice(0, done + 1);
}

/** The events of the checker, and the number of events it could not deliver. */
function sent(bytes: Buffer): { readonly events: readonly Delivered[]; readonly malformed: boolean } {
  const { events, findings } = checkStream([bytes]);
  const isMalformed = (code: string): boolean =>
    ["missing-data", "missing-event", "unterminated-event", "no-last-separator"].includes(code);
  return {
    events: events.map(({ name, dataOffset, dataBytes }) => [
      name,
      bytes.toString("utf8", dataOffset, dataOffset + dataBytes),
    ]),
    malformed: findings.some(({ code }) => isMalformed(code)),
  };
}

function view(bytes: Buffer): string {
  const ours = sent(bytes);
  const same = !ours.malformed && JSON.stringify(standardClient(bytes)) === JSON.stringify(ours.events);
  return same ? "same-events" : "other-events";
}

const first = (bytes: Buffer): string | undefined => {
  const violation = checkStream([bytes]).findings.find(({ kind }) => kind === "violation");
  return violation?.kind === "violation" ? violation.standardClient : undefined;
};

/** Permitted, but a standard client then drops the last event, which is `done`. */
const lacksSeparator = (bytes: Buffer): boolean =>
  checkStream([bytes]).findings.some(({ code }) => code === "no-last-separator");

const streams = fixtureStreams();
// A carriage return ends a line for other clients. Streams with no other line ends have their own test below.
const comparable = streams.filter(({ name }) => !name.endsWith(".cr-only"));

describe("a standard event-stream client", () => {
  test.each(comparable)(
    "sees of $name what the first finding says, and without one what the checker sees",
    ({ bytes }) => {
      expect(view(bytes)).toBe(first(bytes) ?? (lacksSeparator(bytes) ? "other-events" : "same-events"));
    },
  );

  const unknown = "event: progress\ndata: {}\n";
  const page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n";
  const done = "event: done\ndata: {}\n\n";

  test.each([
    { name: "a field of another name", body: `${unknown}extra: 1\n\n${done}`, is: "same-events" },
    { name: "a line without a colon", body: `${unknown}searching\n\n${done}`, is: "same-events" },
    { name: "a web page between events", body: `${unknown}\n${page}\n${done}`, is: "same-events" },
    { name: "a web page before the next event", body: `${unknown}\n${page}${done}`, is: "same-events" },
    { name: "a web page inside an event", body: `${unknown}${page}\n${done}`, is: "same-events" },
    { name: "a second name without a value", body: `${unknown}event\n\n${done}`, is: "other-events" },
    { name: "second data without a value", body: `${unknown}data\n\n${done}`, is: "other-events" },
    { name: "half a line", body: `event: progress\ndata: {\r}\n\n${done}`, is: "other-events" },
  ])("sees $is for $name", ({ body, is }) => {
    expect([view(Buffer.from(body)), first(Buffer.from(body))]).toEqual([is, is]);
  });

  test("reads a stream whose only line ends are carriage returns", () => {
    const bytes = streams.find(({ name }) => name.endsWith(".cr-only"))?.bytes ?? Buffer.alloc(0);
    expect(standardClient(bytes).length).toBeGreaterThan(3);
    expect(sent(bytes).events).toEqual([]);
  });

  test("misses most violations of the format", () => {
    const broken = comparable.filter(({ bytes }) => first(bytes) !== undefined);
    const unnoticed = broken.filter(({ bytes }) => view(bytes) === "same-events");
    expect(unnoticed.length).toBeGreaterThan(broken.length / 2);
  });
});
