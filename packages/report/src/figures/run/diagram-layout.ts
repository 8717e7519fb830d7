import type { StateDiagram, StateEdge } from "@assay/results";
import type { Point } from "../shapes.ts";

type State = StateDiagram["states"][number];

/** A state and the middle of its box. */
export interface PlacedState extends State {
  readonly x: number;
  readonly y: number;
  /** Questions that began in it although the specifications do not allow that. */
  readonly begun: number;
}

/** Where the line of a step runs, a quadratic curve from box to box, and the middle of the base line of its label. */
export interface StepLine {
  readonly from: Point;
  readonly control: Point;
  readonly to: Point;
  readonly label: Point;
}

/** A step between two states that a document lists. */
export interface PlacedEdge extends StateEdge {
  readonly line: StepLine;
  /** Part of the widest line, from 0 to 1. */
  readonly share: number;
}

export interface DiagramLayout {
  readonly states: readonly PlacedState[];
  readonly edges: readonly PlacedEdge[];
  /** Base line of the legend. */
  readonly legendTop: number;
  readonly height: number;
}

/** Half the width and half the height of the box of a state. */
export const stateBox = { x: 74, y: 23 } as const;

/** The state in which every question begins. */
export const firstState = "processing";

/** How much height an arrow from below takes, into a state in which no question may begin. */
export const beginningHeight = 44;

type LineRow = readonly [from: string, to: string, from: Point, control: Point, to: Point, label: Point];

/** A machine as it is drawn: where its states stand, what is finished on the right, and where each step between them runs. */
interface Drawing {
  readonly states: Readonly<Record<string, Point>>;
  readonly lines: readonly LineRow[];
  readonly height: number;
}

const drawings: Readonly<Record<string, Drawing>> = {
  legacy: {
    states: { processing: [250, 78], completed: [690, 78], pending: [470, 190] },
    lines: [
      ["processing", "completed", [329, 78], [470, 78], [611, 78], [414, 67]],
      ["completed", "processing", [611, 101], [470, 142], [329, 101], [470, 141]],
      ["processing", "pending", [305, 106], [360, 134], [415, 162], [437, 98]],
      ["pending", "processing", [391, 191], [331, 191], [270, 106], [297, 223]],
      ["pending", "completed", [525, 162], [580, 134], [635, 106], [636, 167]],
      ["completed", "pending", [611, 77], [551, 77], [490, 162], [517, 54]],
    ],
    height: 236,
  },
  current: {
    states: { processing: [230, 182], completed: [650, 54], error: [650, 182], canceled: [650, 310] },
    lines: [
      ["processing", "completed", [309, 158], [440, 118], [571, 78], [446, 142]],
      ["processing", "error", [309, 182], [440, 182], [571, 182], [440, 172]],
      ["processing", "canceled", [309, 206], [440, 246], [571, 286], [340, 264]],
      ["completed", "processing", [571, 55], [421, 57], [273, 154], [409, 47]],
      ["error", "processing", [571, 206], [440, 246], [309, 206], [440, 206]],
      ["canceled", "processing", [571, 309], [421, 307], [273, 210], [409, 326]],
      ["completed", "error", [724, 60], [858, 118], [729, 176], [864, 84]],
      ["error", "completed", [724, 176], [814, 118], [729, 60], [565, 125]],
      ["error", "canceled", [724, 188], [858, 246], [729, 304], [864, 250]],
      ["canceled", "error", [724, 304], [814, 246], [729, 188], [565, 234]],
      ["completed", "canceled", [724, 60], [903, 182], [729, 304], [676, 262]],
      ["canceled", "completed", [724, 304], [859, 182], [729, 60], [857, 286]],
    ],
    height: 356,
  },
};

/** An interface that nobody knows has no drawing: all of its states stand in rows. */
const noDrawing: Drawing = { states: {}, lines: [], height: 30 };

const drawingOf = (name: string): Drawing => (Object.hasOwn(drawings, name) ? drawings[name] : undefined) ?? noDrawing;

/** States that no specification lists stand beneath the others, in rows; so many states are drawn at all. */
const perRow = 5;
const rowHeight = 112;
const maxStates = 24;

/** The states of the specifications and the steps between them in their places, any other state beneath; its steps are not drawn. */
export function diagramLayout({ interface: name, states: all, edges, beginnings = [] }: StateDiagram): DiagramLayout {
  const drawing = drawingOf(name);
  const begun = new Map(beginnings.map(({ state, seen }) => [state, seen]));
  const bottoms = Object.entries(drawing.states).flatMap(([state, [, y]]) =>
    begun.has(state) ? [y + stateBox.y + beginningHeight] : [],
  );
  const top = Math.max(drawing.height, ...bottoms);
  const others = all.slice(0, maxStates).filter(({ state }) => !Object.hasOwn(drawing.states, state));
  const states = all.slice(0, maxStates).map((state) => {
    const own = Object.hasOwn(drawing.states, state.state) ? drawing.states[state.state] : undefined;
    const [x, y] = own ?? placeInRows(others.indexOf(state), others.length, top);
    return { ...state, x, y, begun: begun.get(state.state) ?? 0 };
  });
  const legendTop = top + Math.ceil(others.length / perRow) * rowHeight + 24;
  return { states, edges: placedEdges(drawing, edges, states), legendTop, height: legendTop + 34 };
}

function placeInRows(index: number, count: number, top: number): Point {
  const row = Math.floor(index / perRow);
  const inRow = Math.min(perRow, count - row * perRow);
  return [(960 * ((index % perRow) + 0.5)) / inRow, top + (row + 0.5) * rowHeight];
}

/** Each step once, if both of its states are there. */
function placedEdges(
  { lines }: Drawing,
  edges: readonly StateEdge[],
  states: readonly PlacedState[],
): readonly PlacedEdge[] {
  const isThere = (name: string): boolean => states.some(({ state }) => state === name);
  const drawn = lines.flatMap(([from, to, start, control, end, label]) => {
    const edge = edges.find((each) => each.from === from && each.to === to);
    return edge === undefined || !isThere(from) || !isThere(to)
      ? []
      : [{ ...edge, line: { from: start, control, to: end, label } }];
  });
  const most = drawn.reduce((largest, { seen }) => Math.max(largest, seen), 1);
  return drawn.map((edge) => ({ ...edge, share: Math.sqrt(Math.max(0, edge.seen) / most) }));
}
