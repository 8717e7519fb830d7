import type { HeaderField } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, describeReport } from "../../testing/searches.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";

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
      name: "a time that is not a number",
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
    expect(describeReport(id, lasting(passedMs, progress))).toBe(is);
  });
});

/** Sent when the target's clock shows noon, and answered after a second. */
const fetched = (repoLastFetched: unknown, headers: readonly HeaderField[] = [noon]): ExchangeSketch => ({
  headers,
  tookMicros: 1_000_000,
  body: wireEvent("matches", [{ type: "repo" }, { type: "content", repoLastFetched }]) + doneEvent,
});
const unset: HeaderField = ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"];
const noon: HeaderField = ["Date", "Fri, 27 Nov 2026 12:00:00 GMT"];

describe("the latest `repoLastFetched`", () => {
  test.each<{ name: string; sketch: ExchangeSketch; is: string }>([
    { name: "long ago", sketch: fetched("2024-05-17T08:30:00Z"), is: "holds" },
    { name: "just now", sketch: fetched("2026-11-27T12:00:00.5Z"), is: "holds" },
    { name: "just now in another zone", sketch: fetched("2026-11-27T17:00:00+05:00"), is: "holds" },
    { name: "later by less than clocks differ", sketch: fetched("2026-11-27T12:30:01Z"), is: "holds" },
    { name: "later by more than clocks differ", sketch: fetched("2026-11-27T12:30:03Z"), is: "broken" },
    { name: "five hours later", sketch: fetched("2026-11-27T17:00:00Z"), is: "broken" },
    { name: "no time", sketch: fetched("yesterday"), is: "not observed" },
    { name: "no text", sketch: fetched(null), is: "not observed" },
    { name: "by no clock", sketch: fetched("2026-11-27T17:00:00Z", []), is: "not observed" },
    { name: "by a clock that was never set", sketch: fetched("2026-11-27T17:00:00Z", [unset]), is: "not observed" },
    { name: "in a cache", sketch: fetched("2026-11-27T17:00:00Z", [noon, ["Age", "9"]]), is: "not observed" },
  ])("is $name: $is", ({ sketch, is }) => {
    expect(describeReport(id, [sketch])).toBe(is);
  });

  test("is reported with how far it is ahead", () => {
    expect(reportOf(id, [fetched("2026-11-27T17:00:00Z")]).violations).toMatchObject([
      {
        code: "fetched-later",
        message: expect.stringMatching(
          /^a match of search \S+ has `repoLastFetched` `2026-11-27T17:00:00Z`, 300 minutes after the response ended by the clock of the target \(`Date`\)$/u,
        ),
      },
    ]);
  });
});

const isMilliseconds = "stream/duration-is-in-milliseconds";
const final = (durationMs: unknown) => ({ done: true, durationMs });
const hourMs = 60 * 60 * 1000;

describe("stream/duration-is-in-milliseconds", () => {
  test.each<{ name: string; passedMs: number; progress: object; is: string; warns: string }>([
    { name: "the time that passed", passedMs: 40, progress: final(38), is: "holds", warns: "holds" },
    { name: "no time", passedMs: 0, progress: final(0), is: "holds", warns: "holds" },
    { name: "less than passed", passedMs: 4000, progress: final(4), is: "holds", warns: "holds" },
    // The time of a search whose answer was kept.
    { name: "a slow search from a cache", passedMs: 1, progress: final(300_000), is: "holds", warns: "broken" },
    { name: "an hour at once", passedMs: 1, progress: final(hourMs), is: "holds", warns: "broken" },
    { name: "an hour and more at once", passedMs: 1, progress: final(hourMs + 1), is: "broken", warns: "not observed" },
    { name: "two hours in a minute", passedMs: 60_000, progress: final(2 * hourMs), is: "holds", warns: "broken" },
    { name: "nanoseconds", passedMs: 40, progress: final(38_000_000), is: "broken", warns: "not observed" },
    { name: "a point in time", passedMs: 40, progress: final(1_795_000_000_123), is: "broken", warns: "not observed" },
    { name: "one in seconds", passedMs: 40, progress: final(1_795_000_000), is: "broken", warns: "not observed" },
    { name: "one by no clock", passedMs: -1, progress: final(1_795_000_000_123), is: "broken", warns: "not observed" },
    { name: "two hours by no clock", passedMs: -1, progress: final(2 * hourMs), is: "holds", warns: "not observed" },
    { name: "text", passedMs: 40, progress: final("1795000000123"), is: "not observed", warns: "not observed" },
    {
      name: "a running progress",
      passedMs: 40,
      progress: { done: false, durationMs: 38_000_000 },
      is: "broken",
      warns: "not observed",
    },
  ])("$name: $is", ({ passedMs, progress, is, warns }) => {
    expect([
      describeReport(isMilliseconds, lasting(passedMs, progress)),
      describeReport(id, lasting(passedMs, progress)),
    ]).toEqual([is, warns]);
  });

  test("the longest time is shown, with what it reads as", () => {
    const search = {
      sentAtMicros: -40_000,
      body:
        wireEvent("progress", { done: false, durationMs: 1_795_000_000_123 }) +
        wireEvent("progress", final(3)) +
        doneEvent,
    };
    expect(reportOf(isMilliseconds, [search]).violations).toMatchObject([
      {
        message: expect.stringMatching(
          /^a `progress` event of search \S+ has `durationMs` 1795000000123, but arrived 40 ms after the request was sent: it looks like a timestamp in milliseconds$/u,
        ),
      },
    ]);
  });
});
