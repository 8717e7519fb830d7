import { describe, expect, test } from "vitest";
import { said } from "../../testing/searches.ts";
import { doneEvent, wireEvent } from "../../testing/said-of-stream.ts";

const id = "stream/duration-fits-clock";

/** A search that was sent so long before its stream came, and what its last progress tells. */
const lasting = (passedMs: number, progress: object) => [
  { sentAtMicros: -passedMs * 1000, body: wireEvent("progress", progress) + doneEvent },
];

describe("stream/duration-fits-clock", () => {
  test.each<{ name: string; passedMs: number; progress: object; is: string }>([
    { name: "no time", passedMs: 0, progress: { done: true, durationMs: 0 }, is: "holds" },
    {
      name: "the time that passed",
      passedMs: 4000,
      progress: { done: true, durationMs: 4000 },
      is: "holds",
    },
    {
      name: "less, as behind a proxy",
      passedMs: 4000,
      progress: { done: true, durationMs: 3 },
      is: "holds",
    },
    { name: "seconds", passedMs: 4000, progress: { done: true, durationMs: 4 }, is: "holds" },
    {
      name: "as much as clocks may differ",
      passedMs: 4000,
      progress: { done: true, durationMs: 9000 },
      is: "holds",
    },
    {
      name: "more than clocks differ",
      passedMs: 4000,
      progress: { done: true, durationMs: 9001 },
      is: "broken",
    },
    {
      name: "a stamp that is older than the request",
      passedMs: -1,
      progress: { done: true, durationMs: 4000 },
      is: "not observed",
    },
    { name: "microseconds", passedMs: 4, progress: { done: true, durationMs: 4000 }, is: "broken" },
    {
      name: "a time that is no number",
      passedMs: 4,
      progress: { done: true, durationMs: "4000" },
      is: "not observed",
    },
    {
      name: "a progress while it runs",
      passedMs: 4,
      progress: { done: false, durationMs: 4000 },
      is: "not observed",
    },
  ])("$name: $is", ({ passedMs, progress, is }) => {
    expect(said(id, lasting(passedMs, progress))).toBe(is);
  });
});
