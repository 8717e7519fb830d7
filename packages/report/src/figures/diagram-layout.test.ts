import { currentMachine, legacyMachine } from "@assay/contract";
import type { StateDiagram, StateEdge } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, boxAround, isWithin, meet, pointsIn } from "./boxes.ts";
import { beginningHeight, diagramLayout } from "./diagram-layout.ts";
import type { DiagramLayout, PlacedEdge } from "./diagram-layout.ts";
import { pointsOf, stateBox } from "./edge-curve.ts";
import { edgeLabel } from "./edge-words.ts";
import { arbitraryDiagram, sampleDiagram } from "./testing/sample-timelines.ts";

const machines = { legacy: legacyMachine, current: currentMachine } as const;
const interfaces = ["legacy", "current"] as const;

const stateBoxes = ({ states }: DiagramLayout): readonly Box[] => states.map(({ x, y }) => boxAround(x, y, stateBox));
const labelBoxes = ({ edges }: DiagramLayout): readonly Box[] =>
  edges.flatMap(({ label }) => (label === undefined ? [] : [label.box]));
const nameOf = ({ from, to }: StateEdge): string => `${from} to ${to}`;

/** Labels over each other, over a state or outside, a line each. */
const collisions = (layout: DiagramLayout): readonly string[] => {
  const labels = labelBoxes(layout);
  const states = stateBoxes(layout);
  const area = { left: 0, right: 960, top: 18, bottom: layout.legendTop - 12 };
  return labels.flatMap((label, at) => [
    ...(labels.some((other, index) => index > at && meet(label, other)) ? [`label ${at} over another`] : []),
    ...(states.some((state) => meet(label, state)) ? [`label ${at} over a state`] : []),
    ...(isWithin(label, area) ? [] : [`label ${at} outside`]),
  ]);
};

const shortened = ({ edges }: DiagramLayout): readonly string[] =>
  edges.filter((edge) => edge.label?.text !== edgeLabel(edge)).map(nameOf);

const crossesState = (edge: PlacedEdge, { states }: DiagramLayout): boolean =>
  states
    .filter(({ state }) => state !== edge.from && state !== edge.to)
    .some(({ x, y }) => pointsIn(boxAround(x, y, stateBox), pointsOf(edge.curve, 40)) > 0);

/** The machine of an interface with these steps between states of the documents, and these further states. */
const diagramOf = (
  name: (typeof interfaces)[number],
  seen: readonly number[],
  further: readonly string[] = [],
): StateDiagram => {
  const { states: listed, transitions, tolerated, terminal } = machines[name];
  const fixed = [
    ...transitions.map((step) => ({ ...step, standing: "allowed" as const })),
    ...tolerated.map((step) => ({ ...step, standing: "unstated" as const })),
  ];
  const steps = listed
    .flatMap((from) => listed.map((to) => ({ from, to, standing: "not-allowed" as const })))
    .filter(({ from, to }) => from !== to && !fixed.some((step) => step.from === from && step.to === to));
  const open = further.flatMap((state) => [
    { from: "processing", to: state, standing: "unstated" as const },
    { from: state, to: "completed", standing: "unstated" as const },
  ]);
  const all = [...fixed, ...steps, ...open];
  return {
    interface: name,
    states: [...listed, ...further].map((state) => ({
      state,
      listed: listed.includes(state),
      terminal: terminal.includes(state),
      seen: 12,
    })),
    edges: all
      .map((step, index) => ({ ...step, seen: seen[index % Math.max(1, seen.length)] ?? 0 }))
      .filter(({ standing, seen: times }) => standing !== "not-allowed" || times > 0),
  };
};

describe.each([
  { name: "legacy", optional: 5 },
  { name: "current", optional: 9 },
] as const)("the machine of the $name interface", ({ name, optional }) => {
  const fixed = machines[name].transitions.length + machines[name].tolerated.length;
  const subsets = Array.from({ length: 2 ** optional }, (_, bits) =>
    diagramOf(name, [
      ...Array.from({ length: fixed }, (_each, at) => at),
      ...Array.from({ length: optional }, (_each, at) => (Math.floor(bits / 2 ** at) % 2) * 12),
    ]),
  );
  const layouts = subsets.map((diagram) => diagramLayout(diagram));

  test("has all of its labels in full and apart, whatever was seen that is not allowed", () => {
    expect(layouts.flatMap(collisions)).toEqual([]);
    expect([...new Set(layouts.flatMap(shortened))]).toEqual([]);
  });

  test("has no line that runs through a state it is not about", () => {
    const through = layouts.flatMap((layout) => layout.edges.filter((edge) => crossesState(edge, layout)).map(nameOf));
    expect([...new Set(through)]).toEqual([]);
  });

  test("has room for a beginning in each of its states", () => {
    const diagram = diagramOf(name, [12]);
    const beginnings = diagram.states.map(({ state }) => ({ state, seen: 120 }));
    const layout = diagramLayout({ ...diagram, beginnings });
    const arrows = layout.states.map(({ x, y }) => ({
      left: x - 6,
      right: x + 90,
      top: y + stateBox.y + 2,
      bottom: y + stateBox.y + beginningHeight - 2,
    }));
    const boxes = [...stateBoxes(layout), ...labelBoxes(layout)];
    expect(arrows.filter((arrow) => boxes.some((box) => meet(arrow, box)))).toEqual([]);
    expect(arrows.filter(({ bottom }) => bottom > layout.legendTop - 12)).toEqual([]);
    expect(collisions(layout)).toEqual([]);
  });

  test.each([1, 2, 3, 9])("has its labels apart with %i states that no document lists", (count) => {
    const further = Array.from({ length: count }, (_, at) => `state-${at}`);
    const layout = diagramLayout(diagramOf(name, [12], further));
    expect(collisions(layout)).toEqual([]);
    expect(layout.edges.filter(({ label }) => label === undefined)).toEqual([]);
  });
});

describe("whatever a diagram says", () => {
  test("no label lies over another, over a state or outside", () => {
    fc.assert(
      fc.property(arbitraryDiagram, (diagram) => {
        expect(collisions(diagramLayout(diagram))).toEqual([]);
      }),
    );
  });

  test("its states do not overlap and lie in the figure", () => {
    fc.assert(
      fc.property(arbitraryDiagram, (diagram) => {
        const layout = diagramLayout(diagram);
        const boxes = stateBoxes(layout);
        const area = { left: 0, right: 960, top: 0, bottom: layout.legendTop };
        expect(boxes.filter((box, at) => boxes.some((other, index) => index > at && meet(box, other)))).toEqual([]);
        expect(boxes.filter((box) => !isWithin(box, area))).toEqual([]);
      }),
    );
  });
});

test("a step from or to a state that is not there is left out", () => {
  const edges = [{ from: "processing", to: "nowhere", standing: "allowed" as const, seen: 1 }];
  expect(diagramLayout({ ...sampleDiagram, edges }).edges).toEqual([]);
});
