import { describe, expect, test } from "vitest";
import type { RunTimelines } from "./run-timelines.ts";
import { stringifyTimelines } from "./stringify-timelines.ts";

const empty: RunTimelines = {
  schemaVersion: 1,
  runId: "run-1",
  streams: [],
  moreStreams: 0,
  conversations: [],
  moreConversations: 0,
  diagrams: [],
  exchanges: [],
  moreExchanges: 0,
};

const filled: RunTimelines = {
  ...empty,
  streams: [
    {
      exchange: "0001",
      probe: "search",
      url: "http://code.example/",
      status: 200,
      bytes: 24,
      firstByteMicros: 5,
      endedMicros: 9,
      lanes: [{ event: "done", events: 1, ticks: [{ fromMicros: 5, toMicros: 6, bytes: 21, events: 1, matches: 0 }] }],
    },
    { exchange: "0002", probe: "search", url: "", bytes: 0, endedMicros: 9, lanes: [], failure: "it broke off" },
  ],
  conversations: [
    {
      conversation: "1",
      lanes: [
        {
          interface: "legacy",
          question: "question 1",
          polls: [{ exchange: "0003", sentMicros: 1, answeredMicros: 2, state: "processing" }],
          morePolls: 0,
        },
      ],
    },
  ],
};

/** The same value with the members of each object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(reversed);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .map(([name, inner]) => [name, reversed(inner)] as const)
          .reverse(),
      )
    : value;
};

describe("the bytes of timelines", () => {
  test.each([
    { name: "without timelines", timelines: empty },
    { name: "with timelines of all kinds", timelines: filled },
  ])("of a run $name are JSON of the same value and end with one line feed", ({ timelines }) => {
    const text = stringifyTimelines(timelines);
    expect(JSON.parse(text)).toEqual(timelines);
    expect(text.endsWith("}\n")).toBe(true);
  });

  test("do not depend on the order of members", () => {
    const other: RunTimelines = JSON.parse(JSON.stringify(reversed(filled)));
    expect(Object.keys(other)).not.toEqual(Object.keys(filled));
    expect(stringifyTimelines(other)).toBe(stringifyTimelines(filled));
  });

  test("have one line for each stream", () => {
    const lines = stringifyTimelines(filled).split("\n");
    expect(lines.filter((line) => line.startsWith('    {"exchange":"000'))).toHaveLength(2);
  });
});
