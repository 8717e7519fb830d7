import { currentMachine, legacyMachine } from "@assay/contract";
import type { StateDiagram, StateEdge } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { edgeLabel } from "./diagram-edge.tsx";
import { beginningHeight, diagramLayout, stateBox } from "./diagram-layout.ts";
import type { DiagramLayout, PlacedEdge } from "./diagram-layout.ts";
import { textWidth } from "../text-width.ts";
import { arbitraryDiagram, sampleDiagram } from "../testing/sample-timelines.ts";

const machines = { legacy: legacyMachine, current: currentMachine } as const;
const interfaces = ["legacy", "current"] as const;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxAround = (x: number, y: number, half: { readonly x: number; readonly y: number }): Box => ({
  left: x - half.x,
  right: x + half.x,
  top: y - half.y,
  bottom: y + half.y,
});
const meet = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const isWithin = (one: Box, outer: Box): boolean =>
  one.left >= outer.left && one.right <= outer.right && one.top >= outer.top && one.bottom <= outer.bottom;

const stateBoxes = ({ states }: DiagramLayout): readonly Box[] => states.map(({ x, y }) => boxAround(x, y, stateBox));
const labelBox = (edge: PlacedEdge): Box => {
  const [x, y] = edge.line.label;
  return boxAround(x, y - 4.5, { x: textWidth(edgeLabel(edge), 13) / 2, y: 8 });
};
const labelBoxes = ({ edges }: DiagramLayout): readonly Box[] => edges.map(labelBox);

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

/** Whether a line runs through a state that it is not about, looked at in forty places. */
const crossesState = ({ from, to, line }: PlacedEdge, { states }: DiagramLayout): boolean => {
  const points = Array.from({ length: 41 }, (_, index) => {
    const part = index / 40;
    const at = (axis: 0 | 1): number =>
      (1 - part) ** 2 * line.from[axis] + 2 * part * (1 - part) * line.control[axis] + part ** 2 * line.to[axis];
    return boxAround(at(0), at(1), { x: 0, y: 0 });
  });
  return states
    .filter(({ state }) => state !== from && state !== to)
    .some(({ x, y }) => points.some((point) => isWithin(point, boxAround(x, y, stateBox))));
};

const nameOf = ({ from, to }: StateEdge): string => `${from} to ${to}`;

/** The machine of an interface with these steps between states of the specifications, and these further states. */
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
  const whole = diagramLayout(
    diagramOf(
      name,
      Array.from({ length: fixed + optional }, () => 1234),
    ),
  );

  test("has a line for each step between its states, with its label apart from all others", () => {
    expect(whole.edges).toHaveLength(fixed + optional);
    expect(collisions(whole)).toEqual([]);
  });

  test("has no line that runs through a state it is not about", () => {
    expect(whole.edges.filter((edge) => crossesState(edge, whole)).map(nameOf)).toEqual([]);
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

  test.each([1, 2, 3, 9])("has its labels apart with %i states that no specification lists", (count) => {
    const further = Array.from({ length: count }, (_, at) => `state-${at}`);
    const layout = diagramLayout(diagramOf(name, [12], further));
    expect(collisions(layout)).toEqual([]);
    expect(layout.edges.map(nameOf).filter((step) => step.includes("state-"))).toEqual([]);
  });
});

describe("whatever a diagram says", () => {
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
