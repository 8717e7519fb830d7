import { howMany } from "@assay/config/proving";
import type { StateDiagram } from "@assay/results";
import fc from "fast-check";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { palette } from "../../printers/html/palette.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { elementsNamed } from "../../testing/parse-xml.ts";
import { StateDiagramFigure } from "./state-diagram-figure.tsx";
import { broken, readFigure } from "../testing/markup-of.ts";
import { arbitraryDiagram, sampleDiagram } from "../testing/sample-timelines.ts";

const figure = (diagram: StateDiagram) => readFigure(h(StateDiagramFigure, { id: "d", diagram }));

/** The line of the edge that these words are about. */
const lineOf = (diagram: StateDiagram, words: string) =>
  elementsNamed(figure(diagram).root, "g")
    .find(({ children }) => children[0]?.name === "title" && children[0].text.startsWith(words))
    ?.children.find(({ name }) => name === "path")?.attributes;

describe("the state diagram", () => {
  test.each([
    { edge: "processing to completed: allowed, seen", colour: palette.good, dashes: undefined },
    { edge: "processing to error: allowed, not seen", colour: palette.muted, dashes: "6 5" },
    { edge: "processing to canceled: not stated", colour: palette.unknown, dashes: "1.5 5" },
    { edge: "completed to processing: ✗ not allowed, but seen", colour: palette.bad, dashes: undefined },
  ])("draws $edge", ({ edge, colour, dashes }) => {
    const line = lineOf(sampleDiagram, edge);
    expect([line?.get("stroke"), line?.get("stroke-dasharray")]).toEqual([colour, dashes]);
  });

  test("says in words and numbers what its lines are", () => {
    const { texts } = figure(sampleDiagram);
    for (const text of [
      "2",
      "not seen",
      "not stated: 1",
      "✗ not allowed: 1",
      "allowed, seen",
      "✗ not allowed, but seen",
    ]) {
      expect(texts).toContain(text);
    }
  });

  test("draws a step the wider, the more questions took it", () => {
    const edges = [10, 1].map((seen, index) => ({
      from: "processing",
      to: index === 0 ? "completed" : "error",
      standing: "allowed" as const,
      seen,
    }));
    const widthOf = (to: string): number =>
      Number(lineOf({ ...sampleDiagram, edges }, `processing to ${to}`)?.get("stroke-width"));
    expect(widthOf("completed")).toBeGreaterThan(1.5 * widthOf("error"));
  });

  test("tells people who do not see it what was not allowed, and all steps in a table", () => {
    const { root } = figure(sampleDiagram);
    expect(elementsNamed(root, "desc")[0]?.text).toBe(
      "1 allowed step of 2 seen. Not allowed, but seen: completed to processing.",
    );
    expect(elementsNamed(root, "tr")).toHaveLength(5);
    const clean = { ...sampleDiagram, edges: sampleDiagram.edges.slice(0, 3) };
    expect(elementsNamed(figure(clean).root, "desc")[0]?.text).toBe(
      "1 allowed step of 2 seen. No step between listed states that is not allowed was seen.",
    );
  });

  describe("with a state that no specification lists", () => {
    const states = [...sampleDiagram.states, { state: "queued", listed: false, terminal: false, seen: 4 }];
    const edges = [
      ...sampleDiagram.edges.slice(0, 3),
      { from: "processing", to: "queued", standing: "unstated" as const, seen: 3 },
    ];
    const read = figure({ ...sampleDiagram, states, edges });

    test("names it, and does not say that the specifications leave its steps open", () => {
      expect(elementsNamed(read.root, "desc")[0]?.text).toMatch(
        / States that no specification lists: queued \(4 questions\)\.$/u,
      );
      expect(read.texts).toContain("not listed: 4");
      const rows = elementsNamed(read.root, "tr").map(({ children }) => children.map(({ text }) => text));
      expect(rows).toContainEqual(["processing", "queued", "a state that no specification lists", "3"]);
      expect(rows).toContainEqual(["processing", "canceled", "not stated by the specifications", "1"]);
    });
  });

  test("tells a beginning that is not allowed, in the drawing, in words and in the table", () => {
    const { root, texts } = figure({ ...sampleDiagram, beginnings: [{ state: "completed", seen: 2 }] });
    expect(texts).toContain("✗ asked: 2");
    expect(elementsNamed(root, "desc")[0]?.text).toMatch(
      / Not allowed as a beginning, but seen: completed \(2 questions\)\.$/u,
    );
    expect(elementsNamed(root, "tr")[1]?.children.map(({ text }) => text)).toEqual([
      "(when asked)",
      "completed",
      "not allowed",
      "2",
    ]);
    expect(figure(sampleDiagram).texts.join(" ")).not.toContain("✗ asked");
  });

  test("draws the states of an interface that nobody knows, too", () => {
    const { texts, root } = figure(Object.assign(structuredClone(sampleDiagram), { interface: "other" }));
    expect(texts).toContain("interface other");
    expect(elementsNamed(root, "caption")[0]?.text).toBe("State transitions of interface other");
  });

  test.each(hostileStrings.map((text, index) => ({ name: index, text })))(
    "shows hostile text $name as text",
    ({ text }) => {
      const states = [...sampleDiagram.states, { state: text, listed: false, terminal: false, seen: 1 }];
      const edges = [{ from: "processing", to: text, standing: "unstated" as const, seen: 1 }];
      expect(broken(figure({ ...sampleDiagram, states, edges }), "d")).toEqual([]);
    },
  );

  test("keeps the rules of all figures and is the same each time, whatever a diagram says", () => {
    fc.assert(
      fc.property(arbitraryDiagram, (diagram) => {
        const read = figure(diagram);
        expect(broken(read, "d")).toEqual([]);
        expect(figure(diagram).markup).toBe(read.markup);
      }),
      { numRuns: howMany(15, 60) },
    );
  });
});
