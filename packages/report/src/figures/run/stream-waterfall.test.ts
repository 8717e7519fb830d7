import { repetitions } from "@assay/tools/proving";
import type { StreamTimeline } from "@assay/results";
import fc from "fast-check";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { elementsNamed } from "../../testing/parse-xml.ts";
import { StreamWaterfall } from "./stream-waterfall.tsx";
import { figureProblems, readFigure } from "../testing/markup-of.ts";
import { arbitraryStream, sampleStream } from "../testing/sample-timelines.ts";
import { measureTextWidth } from "../text-width.ts";
import { waterfall, computeWaterfallLayout } from "./waterfall-layout.ts";

const figure = (timeline: StreamTimeline) => readFigure(h(StreamWaterfall, { id: "w", timeline }));
const ticksOf = (timeline: StreamTimeline) =>
  elementsNamed(figure(timeline).root, "rect").filter(({ children }) =>
    children.some(({ name, text }) => name === "title" && !/^(?:connect|wait|body)/u.test(text)),
  );

describe("the waterfall of a stream", () => {
  test("names its lanes, milestones and both clocks", () => {
    const { texts } = figure(sampleStream);
    for (const text of [
      "matches",
      "3 events, 2.1 kB",
      "first byte 24.9 ms",
      "first match 60 ms",
      "final progress 120 ms",
      "done 120 ms",
      "close 121 ms",
      "target's clock",
      "search took 110 ms",
      "search took 118 ms",
      "head after 24 ms",
      "matches: 3 events, 2.1 kB, 12 matches, 55 ms to 60 ms",
    ]) {
      expect(texts).toContain(text);
    }
    expect(texts.join(" ")).not.toContain("Buffered");
  });

  test("has a visible mark for each tick, higher for more bytes", () => {
    const ticks = ticksOf(sampleStream);
    const number = (index: number, name: string): number => Number(ticks[index]?.attributes.get(name));
    expect(ticks).toHaveLength(4);
    expect(ticks.every(({ attributes }) => Number(attributes.get("width")) >= 1.5)).toBe(true);
    expect(number(2, "width")).toBeGreaterThan(20);
    expect(number(2, "height")).toBeGreaterThan(number(0, "height"));
  });

  const captionOf = (timeline: StreamTimeline): string | undefined =>
    elementsNamed(figure(timeline).root, "figcaption")[0]?.text;

  test("says that a mark is one event if no events are merged", () => {
    const tick = { fromMicros: 1, toMicros: 2, bytes: 1, events: 1, matches: 0 };
    expect(captionOf({ ...sampleStream, lanes: [{ event: "done", events: 2, ticks: [tick, tick] }] })).toMatch(
      / A mark for each event, as wide as its bytes took to arrive\.$/u,
    );
  });

  test("counts merged events", () => {
    expect(captionOf(sampleStream)).toMatch(
      / 3 of 6 events are merged into 1 mark, each from the first to the last of its events\.$/u,
    );
  });

  test("says that it was buffered, and for how long nothing arrived", () => {
    const { texts, root } = figure({
      ...sampleStream,
      buffered: "up to 120 ms is a burst; no cause",
      firstByteMicros: 119_000,
    });
    expect(texts).toContain("✗ Buffered on the way");
    expect(texts).toContain("up to 120 ms is a burst; no cause");
    expect(texts).toContain("nothing arrived for 117 ms");
    expect(elementsNamed(root, "desc")[0]?.text).toContain("Buffered on the way");
  });

  test("says that it is incomplete", () => {
    const { texts } = figure({ ...sampleStream, failure: "the connection was reset" });
    expect(texts).toContain("! Incomplete stream");
    expect(texts).toContain("broke off 121 ms");
    expect(texts).not.toContain("close 121 ms");
  });

  test("has its values in a table with headers", () => {
    const { root } = figure(sampleStream);
    expect(elementsNamed(root, "caption")[0]?.text).toContain("stream 0001");
    const heads = elementsNamed(root, "th").map(({ text, attributes }) => `${attributes.get("scope") ?? ""} ${text}`);
    expect(heads).toContain("col Bytes");
    expect(heads).toContain("row event matches");
    expect(elementsNamed(root, "td").map(({ text }) => text)).toContain("2100");
  });

  test.each([
    { name: "nothing", timeline: { exchange: "", probe: "", url: "", bytes: 0, endedMicros: 0, lanes: [] } },
    {
      name: "one event at once",
      timeline: {
        ...sampleStream,
        endedMicros: 0,
        lanes: [{ event: "done", events: 1, ticks: [{ fromMicros: 0, toMicros: 0, bytes: 0, events: 1, matches: 0 }] }],
      },
    },
  ])("of $name is one all the same", ({ timeline }) => {
    expect(figureProblems(figure(timeline), "w")).toEqual([]);
  });

  test("is cut if it has too many lanes and ticks", () => {
    const ticks = Array.from({ length: 5000 }, (_, index) => ({
      fromMicros: index,
      toMicros: index,
      bytes: 1,
      events: 1,
      matches: 0,
    }));
    const lanes = Array.from({ length: 50 }, (_, index) => ({ event: `e${index}`, events: 5000, ticks }));
    const { markup } = figure({ ...sampleStream, lanes });
    expect(elementsNamed(figure({ ...sampleStream, lanes }).root, "text").some(({ text }) => text === "e16")).toBe(
      false,
    );
    expect(markup.length).toBeLessThan(1_000_000);
  });

  test.each(hostileStrings.map((text, index) => ({ name: index, text })))(
    "shows hostile text $name as text",
    ({ text }) => {
      const [lane] = sampleStream.lanes;
      const timeline = {
        ...sampleStream,
        exchange: text,
        probe: text,
        url: text,
        buffered: text,
        failure: text,
        lanes: [{ event: text, events: 1, ticks: lane?.ticks ?? [] }],
      };
      expect(figureProblems(figure(timeline), "w")).toEqual([]);
    },
  );

  test("follows the rules of all figures, and equal timelines give equal bytes", () => {
    fc.assert(
      fc.property(arbitraryStream, (timeline) => {
        const read = figure(timeline);
        expect(figureProblems(read, "w")).toEqual([]);
        expect(figure(timeline).markup).toBe(read.markup);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });

  test("has labels inside the figure that do not overlap", () => {
    fc.assert(
      fc.property(arbitraryStream, (timeline) => {
        const { milestones, labelsBottom, notices } = computeWaterfallLayout(timeline);
        const boxes = milestones.map(({ x, text, row }) => ({
          left: x,
          right: x + 4 + measureTextWidth(text, waterfall.labelSize),
          row,
        }));
        for (const [index, one] of boxes.entries()) {
          const met = boxes.filter(
            (other, at) => at !== index && other.row === one.row && other.left < one.right && one.left < other.right,
          );
          expect(met).toEqual([]);
          expect(one.right).toBeLessThanOrEqual(960);
        }
        const top =
          labelsBottom - milestones.reduce((max, { row }) => Math.max(max, row + 1), 0) * waterfall.labelHeight;
        expect(notices.every((notice) => notice.top + notice.height <= top)).toBe(true);
      }),
    );
  });
});
