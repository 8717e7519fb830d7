import type { StateDiagram } from "@assay/results";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { sampleDiagram } from "../figures/testing/sample-timelines.ts";
import { HtmlSection } from "../printers/html/print-html.tsx";
import { foreignAttributes, foreignTags, markupOf, textOf } from "../testing/figure-markup.ts";
import { hostileStrings } from "../testing/hostile-strings.ts";
import { hiddenCharacters } from "../testing/styles.ts";
import { hasForbiddenTransition, createTransitionsSection } from "./state-transitions.ts";

const markup = (diagram: StateDiagram): string =>
  markupOf(h(HtmlSection, { section: createTransitionsSection(diagram) }));
const printed = (diagram: StateDiagram): string => textOf(markup(diagram));

describe("the state transitions of an interface", () => {
  test.each([
    "processing completed ✓ allowed 2",
    "processing error allowed, not seen 0",
    "processing canceled not stated by the specifications 1",
    "completed processing ✗ not allowed 1",
    "1 of 2 allowed transitions seen",
  ])("include: %s", (row) => {
    expect(printed(sampleDiagram)).toContain(row);
  });

  test("name a state that no specification lists, and do not call its transitions unstated", () => {
    const text = printed({
      ...sampleDiagram,
      states: [...sampleDiagram.states, { state: "queued", listed: false, terminal: false, seen: 4 }],
      edges: [...sampleDiagram.edges.slice(0, 3), { from: "processing", to: "queued", standing: "unstated", seen: 3 }],
    });
    expect(text).toContain("queued (4 questions, not listed by the specifications)");
    expect(text).toContain("processing queued a state that no specification lists 3");
  });

  test("begin with first states that are not allowed", () => {
    const diagram = { ...sampleDiagram, beginnings: [{ state: "completed", seen: 2 }] };
    expect(printed(diagram)).toContain("(first state) completed ✗ not allowed 2 processing");
    expect(printed(sampleDiagram)).not.toContain("(first state)");
  });

  test.each([
    { name: "a forbidden transition", changes: {}, expected: true },
    { name: "allowed transitions", changes: { edges: sampleDiagram.edges.slice(0, 3) }, expected: false },
    {
      name: "a forbidden first state",
      changes: { edges: [], beginnings: [{ state: "completed", seen: 1 }] },
      expected: true,
    },
    {
      name: "a forbidden transition that was not seen",
      changes: { edges: [{ from: "completed", to: "processing", standing: "not-allowed", seen: 0 }] },
      expected: false,
    },
  ] as const)("with $name: forbidden is $expected", ({ changes, expected }) => {
    expect(hasForbiddenTransition({ ...sampleDiagram, ...changes })).toBe(expected);
  });

  test("include those of an unknown interface", () => {
    expect(printed(Object.assign(structuredClone(sampleDiagram), { interface: "other" }))).toContain(
      "State transitions of interface other",
    );
  });

  test.each(hostileStrings.map((text, index) => ({ name: index, text })))("escape hostile text $name", ({ text }) => {
    const own = markup({
      ...sampleDiagram,
      states: [...sampleDiagram.states, { state: text, listed: false, terminal: false, seen: 1 }],
      edges: [{ from: "processing", to: text, standing: "unstated", seen: 1 }],
    });
    expect([foreignTags(own), foreignAttributes(own), hiddenCharacters(own)]).toEqual([[], [], []]);
  });
});
