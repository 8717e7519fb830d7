import type { RecordedExchange } from "@assay/evidence";
import { createEvidenceJudge } from "@assay/rules";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goodStream, unreadable } from "../testing/recorded.ts";
import { resultOf } from "../testing/result-of.ts";
import { addExchange } from "../judge/rule-outcomes.ts";
import { createJudgedArrival, readArrival } from "./stream-arrival.ts";
import type { StreamArrival } from "./stream-arrival.ts";
import { createStreamTimeline } from "./stream-timeline.ts";
import { arrived, eventText, sentAtMicros } from "./testing/arrived-stream.ts";
import type { Arriving } from "./testing/arrived-stream.ts";

const matches = eventText("matches", [{ type: "path" }, { type: "path" }]);
const noMatches = eventText("matches", []);
const progress = eventText("progress", { done: false, durationMs: 3 });
const final = eventText("progress", { done: true, durationMs: 7 });
const done = eventText("done", {});

describe("the timeline of a stream", () => {
  test("has the time of each event and each milestone", () => {
    const half = matches.length / 2;
    const exchange = arrived(
      [
        [100, progress],
        [200, noMatches],
        [300, matches.slice(0, half)],
        [450, matches.slice(half)],
        [700, final],
        [800, done],
      ],
      {
        times: {
          sentAtMicros,
          connectedAtMicros: sentAtMicros + 20,
          headersAtMicros: sentAtMicros + 90,
          endedAtMicros: sentAtMicros + 950,
        },
      },
    );
    expect(createStreamTimeline(exchange)).toEqual({
      exchange: "0001",
      probe: "search",
      url: "http://code.example/.api/search/stream?q=x",
      status: 200,
      bytes: [progress, noMatches, matches, final, done].join("").length,
      connectedMicros: 20,
      headersMicros: 90,
      firstByteMicros: 100,
      firstEventMicros: 100,
      firstMatchMicros: 450,
      finalProgressMicros: 700,
      doneMicros: 800,
      endedMicros: 950,
      serverDurationMs: 7,
      lanes: [
        {
          event: "progress",
          events: 2,
          ticks: [
            { fromMicros: 100, toMicros: 100, bytes: progress.length - 2, events: 1, matches: 0 },
            { fromMicros: 700, toMicros: 700, bytes: final.length - 2, events: 1, matches: 0 },
          ],
        },
        {
          event: "matches",
          events: 2,
          ticks: [
            { fromMicros: 200, toMicros: 200, bytes: noMatches.length - 2, events: 1, matches: 0 },
            { fromMicros: 300, toMicros: 450, bytes: matches.length - 2, events: 1, matches: 2 },
          ],
        },
        {
          event: "done",
          events: 1,
          ticks: [{ fromMicros: 800, toMicros: 800, bytes: done.length - 2, events: 1, matches: 0 }],
        },
      ],
    });
  });

  const failed = { kind: "failed", code: "reset", message: "the connection was reset" } as const;

  test.each<{ name: string; chunks: readonly Arriving[]; lanes: readonly (readonly [string, number])[] }>([
    { name: "nothing", chunks: [], lanes: [] },
    { name: "a comment", chunks: [[1, ": still here\n\n"]], lanes: [] },
    { name: "invalid JSON", chunks: [[1, "event: progress\ndata: {\n\n"]], lanes: [["progress", 1]] },
    { name: "data before its name", chunks: [[1, "data: {}\nevent: done\n\n"]], lanes: [["done", 1]] },
    { name: "an event without data", chunks: [[1, "event: done\n\n"]], lanes: [] },
    { name: "an event without a name", chunks: [[1, "data: {}\n\n"]], lanes: [] },
    { name: "bytes that are not text", chunks: [[1, Buffer.from([0xff, 0xfe, 0x0a, 0x0a, 0x00])]], lanes: [] },
    {
      name: "events after `done`",
      chunks: [[1, done + matches + done]],
      lanes: [
        ["done", 2],
        ["matches", 1],
      ],
    },
    {
      name: "a last event without its end",
      chunks: [[1, matches + done.slice(0, -2)]],
      lanes: [
        ["matches", 1],
        ["done", 1],
      ],
    },
  ])("of $name has the events that have both fields", ({ chunks, lanes }) => {
    expect(createStreamTimeline(arrived(chunks)).lanes.map(({ event, events }) => [event, events])).toEqual(lanes);
  });

  test("reaches no milestone after its first `done`", () => {
    const timeline = createStreamTimeline(
      arrived([
        [1, progress + done],
        [2, matches + final + done],
      ]),
    );
    expect(timeline).toMatchObject({ firstEventMicros: 1, doneMicros: 1, serverDurationMs: 3 });
    expect([timeline.firstMatchMicros, timeline.finalProgressMicros]).toEqual([undefined, undefined]);
  });

  test("of a stream that was cut off has only complete events and the failure", () => {
    const timeline = createStreamTimeline(arrived([[5, matches + done.slice(0, -2)]], { end: failed }));
    expect(timeline.lanes.map(({ event }) => event)).toEqual(["matches"]);
    expect(timeline.failure).toContain("the connection was reset");
  });

  test("of a deleted body has its times and the reason", () => {
    const exchange = unreadable({ body: goodStream }, "the body was pruned");
    expect(createStreamTimeline(exchange)).toMatchObject({
      bytes: goodStream.length,
      firstByteMicros: 1000,
      endedMicros: 8000,
      lanes: [],
      failure: "the body was pruned",
    });
  });

  test("of very long names and data is small and fast", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => eventText(`name ${index}`, index)).join("");
    const long = eventText("n".repeat(2_000_000), "x".repeat(2_000_000));
    const timeline = createStreamTimeline(
      arrived([
        [1, names],
        [2, long],
        [3, done],
      ]),
    );
    expect(timeline.lanes.reduce((sum, { events }) => sum + events, 0)).toBe(20_002);
    expect(JSON.stringify(timeline).length).toBeLessThan(40_000);
  });

  test.each([
    { name: "no number", progress: { durationMs: "7" } },
    { name: "beyond all numbers", progress: undefined },
    { name: "negative", progress: { durationMs: -1 } },
  ])("has no duration of a server whose durationMs is $name", ({ progress: value }) => {
    const text = value === undefined ? 'event: progress\ndata: {"durationMs":1e999}\n\n' : eventText("progress", value);
    expect(createStreamTimeline(arrived([[1, text]])).serverDurationMs).toBeUndefined();
  });

  test("has the reason why it looks buffered, if it does", () => {
    expect(createStreamTimeline(arrived([[1, done]]), { bufferingMessage: "one burst" }).buffered).toBe("one burst");
    expect(createStreamTimeline(arrived([[1, done]]))).not.toHaveProperty("buffered");
  });
});

const oneEvent = fc.oneof(
  fc.constantFrom(matches, noMatches, progress, final, ": comment\n", "\n", "rubbish\n\n", "event: x\n\n"),
  fc.string({ maxLength: 8 }).map((name) => `event: ${name.replaceAll(/[\r\n]/gu, "")}\ndata: {}\n\n`),
);

/** A stream cut at arbitrary bytes, with times that may decrease. */
const stream = fc
  .record({ events: fc.array(oneEvent, { maxLength: 30 }), cuts: fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }) })
  .chain(({ events, cuts }) => {
    const bytes = Buffer.from(events.join("") + done);
    const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < bytes.length), bytes.length])].sort(
      (a, b) => a - b,
    );
    const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
    return fc
      .array(fc.nat({ max: 5000 }), { minLength: pieces.length, maxLength: pieces.length })
      .map((times) => pieces.map((piece, index): Arriving => [times[index] ?? 0, piece]));
  });

/** The arrival that is recorded while a stream is judged. */
function judgedArrival(exchange: RecordedExchange): StreamArrival | undefined {
  const arrival = createJudgedArrival();
  const judge = createEvidenceJudge([], { access: "undeclared" });
  addExchange(judge, exchange, { kind: "stream", arrival });
  return arrival.build();
}

describe("for any stream", () => {
  test("events of ticks add up to those of their lane, and their bytes to at most those received", () => {
    fc.assert(
      fc.property(stream, (chunks) => {
        const { lanes, bytes } = createStreamTimeline(arrived(chunks));
        for (const { events, ticks } of lanes) {
          expect(ticks.reduce((sum, tick) => sum + tick.events, 0)).toBe(events);
        }
        const drawn = lanes.flatMap(({ ticks }) => ticks).reduce((sum, tick) => sum + tick.bytes, 0);
        expect(drawn).toBeLessThanOrEqual(bytes);
      }),
    );
  });

  test("times of a lane never decrease, and none is after the end", () => {
    fc.assert(
      fc.property(stream, (chunks) => {
        const timeline = createStreamTimeline(arrived(chunks));
        for (const { ticks } of timeline.lanes) {
          const ends = ticks.map(({ toMicros }) => toMicros);
          expect(ends).toEqual([...ends].sort((one, other) => one - other));
          expect(ticks.every(({ fromMicros, toMicros }) => fromMicros >= 0 && fromMicros <= toMicros)).toBe(true);
          expect(ends.every((end) => end <= timeline.endedMicros)).toBe(true);
        }
      }),
    );
  });

  test("the first match is at the time that judging uses, if the clock never goes back", () => {
    fc.assert(
      fc.property(stream, (chunks) => {
        const forward = chunks.map(([, bytes], index): Arriving => [10 * index, bytes]);
        const exchange = arrived(forward);
        const [summary] = resultOf([exchange], { treatsAllAsStreams: true }).exchanges;
        expect(createStreamTimeline(exchange).firstMatchMicros).toBe(summary?.firstMatchMicros);
      }),
      { numRuns: repetitions(10, 40) },
    );
  });

  test("the arrival that judging records is what its bytes show, if it records one", () => {
    fc.assert(
      fc.property(stream, fc.boolean(), fc.constantFrom("", "\n", ": late\n"), (chunks, isForward, end) => {
        const all = [...chunks, ...(end === "" ? [] : [[5000, end] as const])];
        const timed = isForward ? all.map(([, bytes], index): Arriving => [10 * index, bytes]) : all;
        const exchange = arrived(timed);
        const recorded = judgedArrival(exchange);
        expect(recorded ?? readArrival(exchange)).toEqual(readArrival(exchange));
        // Nothing but the end of `done` follows it, unless an early `done` is among the events.
        const isPlain =
          isForward &&
          end === "" &&
          !String(Buffer.concat(timed.map(([, bytes]) => Buffer.from(bytes))))
            .slice(0, -done.length)
            .includes("done");
        expect(recorded !== undefined || !isPlain).toBe(true);
      }),
    );
  });

  test.each([
    { name: "after `done`", text: `${matches}${done}${progress}` },
    { name: "after a second `done`", text: `${matches}${done}${done}` },
    { name: "without `done`", text: matches },
  ])("no arrival is recorded for a stream $name", ({ text }) => {
    expect(judgedArrival(arrived([[1, text]]))).toBeUndefined();
  });
});
