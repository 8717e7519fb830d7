import { repetitions } from "@assay/tools/proving";
import type { ConversationTimeline } from "@assay/results";
import fc from "fast-check";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { elementsNamed } from "../../testing/parse-xml.ts";
import { ConversationLanes } from "./conversation-lanes.tsx";
import { computeLanesLayout, lanesPlot } from "./lanes-layout.ts";
import { figureProblems, readFigure } from "../testing/markup-of.ts";
import { arbitraryConversation, poll, sampleConversation } from "../testing/sample-timelines.ts";
import { measureTextWidth } from "../text-width.ts";

const figure = (timeline: ConversationTimeline) => readFigure(h(ConversationLanes, { id: "c", timeline }));

const legacyLane = { interface: "legacy" as const, question: "question 1", morePolls: 0 };

const baseOf = (timeline: ConversationTimeline, text: string): number =>
  Number(
    elementsNamed(figure(timeline).root, "text")
      .find((element) => element.text === text)
      ?.attributes.get("y"),
  );

describe("the lanes of a conversation", () => {
  test("have the state of each question in words, with its time", () => {
    const { texts } = figure(sampleConversation);
    for (const text of [
      "processing",
      "→ completed by 230 ms",
      "completed",
      "6 polls",
      "1 poll",
      "processing: certainly from 10 ms to 100 ms, 2 polls",
      "completed: seen at some time between 200 ms and 230 ms, 1 poll",
      "certainly there",
      "seen within this time, not certain throughout",
      "exchange 0007 shows completed: sent 200 ms, answered 230 ms",
    ]) {
      expect(texts).toContain(text);
    }
  });

  test("have the legacy interface above the current one, in any order of the input", () => {
    const other = { ...sampleConversation, lanes: sampleConversation.lanes.toReversed() };
    expect(baseOf(other, "legacy interface")).toBeLessThan(baseOf(other, "current interface"));
    expect(figure(other).markup).toBe(figure(sampleConversation).markup);
  });

  test("have the certain time of a state", () => {
    const polls = [poll("processing", 0, 10), poll("completed", 200, 230), poll("completed", 300, 310)];
    const { texts } = figure({ conversation: "1", lanes: [{ ...legacyLane, polls }] });
    expect(texts).toContain("→ completed 230 µs");
  });

  test("have a dot for each poll, a patterned bar for each certain state, and an empty frame for each other state", () => {
    const { root } = figure(sampleConversation);
    expect(elementsNamed(root, "circle")).toHaveLength(4);
    const fills = elementsNamed(root, "rect").map(({ attributes }) => attributes.get("fill") ?? "");
    const bars = fills.filter((fill) => fill.startsWith("url("));
    // Once on a wide page and once on a narrow one.
    expect(bars).toEqual(["url(#c-stripes)", "url(#c-narrow-stripes)"]);
    expect(fills.filter((fill) => fill === "transparent")).toHaveLength(2 * 2);
    const patterns = elementsNamed(root, "pattern").map(({ attributes }) => attributes.get("id"));
    expect(patterns).toContain("c-stripes");
    expect(patterns).toContain("c-solid");
    expect(patterns).toContain("c-narrow-stripes");
  });

  test("draw no bar for a state of one slow response, and explain it in words", () => {
    const polls = [poll("processing", 0, 2_540_000), poll("completed", 300_000, 340_000)];
    const lane = { ...legacyLane, polls: [...polls, poll("completed", 2_600_000, 2_630_000)] };
    const { root, texts } = figure({ conversation: "1", lanes: [lane] });
    expect(texts).toContain("processing: seen at some time between 0 µs and 2.54 s, 1 poll");
    expect(texts).toContain("completed: certainly from 340 ms to 2.6 s, 2 polls");
    const rows = elementsNamed(root, "tr").map(({ children }) => children.map(({ text }) => text).slice(2));
    expect(rows).toEqual([
      ["State", "Certainly from", "Certainly to", "Seen at some time between", "Polls"],
      ["processing", "", "", "0 µs and 2.54 s", "1"],
      ["completed", "340 ms", "2.6 s", "", "2"],
    ]);
    expect(elementsNamed(root, "desc")[0]?.text).toContain("processing (at some time), then completed.");
    expect(elementsNamed(root, "figcaption")[0]?.text).toContain("Frame: ");
  });

  test("count what was left out, and have their values in a table", () => {
    const { root } = figure({ ...sampleConversation, moreLanes: 2 });
    expect(elementsNamed(root, "figcaption")[0]?.text).toMatch(/3 polls left out\. 2 questions left out\.$/u);
    expect(elementsNamed(root, "tr")).toHaveLength(4);
  });

  test("stay low for a state that changes back and forth many times", () => {
    const polls = Array.from({ length: 900 }, (_, index) =>
      poll(index % 2 === 0 ? "completed" : "processing", 10 * index, 10 * index + 1),
    );
    const lanes = [{ interface: "legacy" as const, question: "q", polls, morePolls: 0 }];
    expect(computeLanesLayout({ conversation: "1", lanes }).bottom).toBeLessThan(200);
    expect(figureProblems(figure({ conversation: "1", lanes }), "c")).toEqual([]);
  });

  test.each([
    { name: "no lane", lanes: [] },
    {
      name: "a lane without polls",
      lanes: [{ interface: "legacy" as const, question: "q", polls: [], morePolls: 0 }],
    },
  ])("of $name are a figure all the same", ({ lanes }) => {
    expect(figureProblems(figure({ conversation: "1", lanes }), "c")).toEqual([]);
  });

  test.each(hostileStrings.map((text, index) => ({ name: index, text })))(
    "show hostile text $name as text",
    ({ text }) => {
      const lanes = [
        {
          interface: "current" as const,
          question: text,
          polls: [{ ...poll(text, 1, 2), exchange: text }, poll("x", 3, 4)],
          morePolls: 0,
        },
      ];
      expect(figureProblems(figure({ conversation: text, lanes }), "c")).toEqual([]);
    },
  );

  test("follow the rules of all figures, and equal timelines give equal bytes", () => {
    fc.assert(
      fc.property(arbitraryConversation, (timeline) => {
        const read = figure(timeline);
        expect(figureProblems(read, "c")).toEqual([]);
        expect(figure(timeline).markup).toBe(read.markup);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });

  test("have labels that do not overlap", () => {
    fc.assert(
      fc.property(arbitraryConversation, (timeline) => {
        const { groups, scale, startMicros } = computeLanesLayout(timeline);
        for (const { spans } of groups.flatMap(({ questions }) => questions)) {
          const boxes = spans.flatMap(({ label, row, fromMicros }) =>
            row === undefined
              ? []
              : { left: scale.x(fromMicros - startMicros), width: measureTextWidth(label, lanesPlot.labelSize), row },
          );
          for (const [index, one] of boxes.entries()) {
            const met = boxes.filter(
              (other, at) =>
                at !== index &&
                other.row === one.row &&
                other.left < one.left + one.width &&
                one.left < other.left + other.width,
            );
            expect(met).toEqual([]);
          }
        }
      }),
    );
  });
});
