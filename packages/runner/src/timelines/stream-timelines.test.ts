import { describe, expect, test } from "vitest";
import { recorded, webPage } from "../testing/recorded.ts";
import { resultOf } from "../testing/result-of.ts";
import { selectStreamTimelines } from "./stream-timelines.ts";
import { arrived, eventText, sentAtMicros } from "./testing/arrived-stream.ts";

const none = { verdicts: [] };
const nobody: ReadonlySet<string> = new Set();
const known = (citedIds: ReadonlySet<string>) => ({ citedIds, arrivals: new Map() });
const done = eventText("done", {});

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(4, "0"));

describe("the streams that are shown", () => {
  test("are the answers that are streams, in the order of their exchanges", () => {
    const exchanges = [
      recorded({ id: "0003", body: done }),
      recorded({ id: "0001", body: done }),
      recorded({ id: "0002", body: webPage }),
      recorded({ id: "0004", status: 401, body: "no" }),
      recorded({ id: "0005", status: 0 }),
    ];
    const { streams, moreStreams } = selectStreamTimelines(exchanges, none, known(nobody));
    expect(streams.map(({ exchange }) => exchange)).toEqual(["0001", "0003"]);
    expect(moreStreams).toBe(0);
  });

  test("are those that violations name, those that were cut off and the slowest, if there are many", () => {
    const failed = { kind: "failed", code: "reset", message: "it broke off" } as const;
    const all = ids(100).map((id, index) =>
      arrived([[1000 + index, done]], { id, ...(id === "0007" ? { end: failed } : {}) }),
    );
    const { streams, moreStreams } = selectStreamTimelines(all, none, known(new Set(["0003"])));
    expect(streams.map(({ exchange }) => exchange)).toEqual(["0003", "0007", ...ids(100).slice(42)]);
    expect(moreStreams).toBe(40);
  });

  test("have fewer ticks if there are too many in total, but all of their events", () => {
    const matches = eventText("matches", [1]);
    const progress = eventText("progress", {});
    const many = Array.from({ length: 150 }, (_, index) => [100 * index, matches + progress] as const);
    const { streams } = selectStreamTimelines(
      ids(40).map((id) => arrived(many, { id })),
      none,
      known(nobody),
    );
    const lanes = streams.flatMap((stream) => stream.lanes);
    expect(lanes.reduce((sum, { ticks }) => sum + ticks.length, 0)).toBeLessThanOrEqual(4000);
    expect(lanes.map(({ events }) => events)).toEqual(lanes.map(() => 150));
    expect(lanes.map(({ ticks }) => ticks.reduce((sum, { events }) => sum + events, 0))).toEqual(lanes.map(() => 150));
  });
});

describe("a buffered stream", () => {
  const matches = eventText("matches", [{ type: "path" }]);
  /** Two consecutive streams, since one alone may be a coincidence. */
  const slow = (firstMs: number, lastMs: number) =>
    [0, 10_000].map((afterMs, index) =>
      arrived(
        [
          [1000 * (afterMs + firstMs), matches + eventText("progress", { done: false, durationMs: 0 })],
          [1000 * (afterMs + lastMs), eventText("progress", { done: true, durationMs: 3000 }) + done],
        ],
        {
          id: ids(2)[index] ?? "",
          times: {
            sentAtMicros: sentAtMicros + 1000 * afterMs,
            endedAtMicros: sentAtMicros + 1000 * (afterMs + lastMs),
          },
        },
      ),
    );

  test.each([
    { name: "is marked if the rule reports it", exchanges: slow(3000, 3001), says: /likely causes/u },
    { name: "is not marked if it was only slow", exchanges: slow(5, 3001), says: /^$/u },
  ])("$name", ({ exchanges, says }) => {
    const { streams } = selectStreamTimelines(exchanges, resultOf(exchanges), known(nobody));
    expect(streams.map(({ buffered = "" }) => buffered)).toEqual(exchanges.map(() => expect.stringMatching(says)));
    expect(sentAtMicros).toBeGreaterThan(0);
  });
});
