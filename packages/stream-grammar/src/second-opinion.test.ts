import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { checkStream } from "./testing/check-stream.ts";
import { fixtureStreams } from "./testing/fixture-streams.ts";

type Delivered = readonly [name: string, data: string];

/** What a client built on a standard event-stream parser is given: its events up to `done`, and whether it complained. */
function standardClient(bytes: Uint8Array): { readonly events: readonly Delivered[]; readonly complained: boolean } {
  const events: Delivered[] = [];
  let complained = false;
  const parser = createParser({
    onEvent: ({ event = "message", data }) => events.push([event, data]),
    onError: () => {
      complained = true;
    },
  });
  parser.feed(new TextDecoder().decode(bytes));
  const done = events.findIndex(([name]) => name === "done");
  return { events: done === -1 ? events : events.slice(0, done + 1), complained };
}

/** What was sent: the events of the checker, and how many it counted that could not be handed over. */
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
  const standard = standardClient(bytes);
  const ours = sent(bytes);
  const same = !ours.malformed && JSON.stringify(standard.events) === JSON.stringify(ours.events);
  return (
    [["error", standard.complained] as const, ["same-events", same] as const].find(([, holds]) => holds)?.[0] ??
    "other-events"
  );
}

const first = (bytes: Buffer): string | undefined => {
  const violation = checkStream([bytes]).findings.find(({ kind }) => kind === "violation");
  return violation?.kind === "violation" ? violation.standardClient : undefined;
};

/** Permitted, and yet such a client drops the last event, which is `done`. */
const lacksSeparator = (bytes: Buffer): boolean =>
  checkStream([bytes]).findings.some(({ code }) => code === "no-last-separator");

const streams = fixtureStreams();
// A carriage return is a line end for other clients: a stream with no other line ends is its own case below.
const comparable = streams.filter(({ name }) => !name.endsWith(".cr-only"));

describe("a standard event-stream client", () => {
  test.each(comparable)(
    "sees of $name what the first finding says, and without one what the checker sees",
    ({ bytes }) => {
      expect(view(bytes)).toBe(first(bytes) ?? (lacksSeparator(bytes) ? "other-events" : "same-events"));
    },
  );

  test("reads a stream whose only line ends are carriage returns", () => {
    const bytes = streams.find(({ name }) => name.endsWith(".cr-only"))?.bytes ?? Buffer.alloc(0);
    expect(standardClient(bytes).events.length).toBeGreaterThan(3);
    expect(sent(bytes).events).toEqual([]);
  });

  test("does not notice most departures from the format", () => {
    const broken = comparable.filter(({ bytes }) => first(bytes) !== undefined);
    const unnoticed = broken.filter(({ bytes }) => view(bytes) === "same-events");
    expect(unnoticed.length).toBeGreaterThan(broken.length / 2);
  });
});
