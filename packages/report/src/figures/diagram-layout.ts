import type { StateDiagram } from "@assay/results";
import { boxAround } from "./boxes.ts";
import { stateBox } from "./edge-curve.ts";
import { type EdgeLabel, edgeLabels } from "./edge-labels.ts";
import { type RoutedEdge, edgeRoutes } from "./edge-routes.ts";
import { isOutside, isUnlisted } from "./edge-words.ts";

type State = StateDiagram["states"][number];

/** A state and the middle of its box. */
export interface PlacedState extends State {
  readonly x: number;
  readonly y: number;
  /** Questions that began in it although the documents do not allow that. */
  readonly begun: number;
}

export interface PlacedEdge extends RoutedEdge {
  /** Part of the widest line, from 0 to 1. */
  readonly share: number;
  /** Absent where there is no room for one. */
  readonly label?: EdgeLabel;
}

export interface DiagramLayout {
  readonly states: readonly PlacedState[];
  readonly edges: readonly PlacedEdge[];
  /** Base line of the legend. */
  readonly legendTop: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

/** Where the states that a document lists stand, and how much height they take. */
interface Places {
  readonly states: Readonly<Record<string, Point>>;
  readonly height: number;
}

/** What is finished stands on the right. */
const machines: Readonly<Record<string, Places>> = {
  legacy: { states: { processing: [250, 78], completed: [690, 78], pending: [470, 190] }, height: 222 },
  current: {
    states: { processing: [230, 182], completed: [650, 54], error: [650, 182], canceled: [650, 310] },
    height: 342,
  },
};
const noPlaces: Places = { states: {}, height: 30 };

/** The places of an interface; of one that nobody knows there are none, and all of its states stand in rows. */
const placesOf = (name: string): Places => (Object.hasOwn(machines, name) ? machines[name] : undefined) ?? noPlaces;

/** States beneath the others, in rows; and how many are drawn at all. Those of a result of ours are fewer. */
const perRow = 5;
const rowHeight = 112;
const maxStates = 24;
const maxEdges = 80;

/** How far the arrow into the first state reaches from the middle of its box. */
const arrival = { left: stateBox.x + 84, above: 26, below: 8 } as const;

/** How much height an arrow from below takes, into a state in which no question may begin, and how far its words reach. */
export const beginningHeight = 44;
const beginningReach = { left: 8, right: 96 } as const;

/** Height of a row of the legend. */
export const legendRowHeight = 18;

/** Lays out a machine: the states of the documents in their places, any other in rows beneath. */
export function diagramLayout({ interface: name, states: all, edges, beginnings = [] }: StateDiagram): DiagramLayout {
  const begun = new Map(beginnings.map(({ state, seen }) => [state, seen]));
  const own = withRoom(placesOf(name), begun);
  const states = placedStates(own, all.slice(0, maxStates), begun);
  const others = states.filter(({ state }) => !Object.hasOwn(own.states, state));
  const legendTop = own.height + Math.ceil(others.length / perRow) * rowHeight + 24;
  const placed = placedEdges(states, edges.slice(0, maxEdges), legendTop);
  const legendRows = placed.some((edge) => isOutside(edge)) ? 2 : 1;
  return { states, edges: placed, legendTop, height: legendTop + legendRows * legendRowHeight + 16 };
}

/** As high as it takes to show what leads into the lowest states from below. */
function withRoom({ states, height }: Places, begun: ReadonlyMap<string, number>): Places {
  const bottoms = Object.entries(states).flatMap(([state, [, y]]) =>
    begun.has(state) ? [y + stateBox.y + beginningHeight] : [],
  );
  return { states, height: Math.max(height, ...bottoms) };
}

function placedStates(
  { states: places, height }: Places,
  states: readonly State[],
  begun: ReadonlyMap<string, number>,
): readonly PlacedState[] {
  const others = states.filter(({ state }) => !Object.hasOwn(places, state));
  return states.map((state) => {
    const own = Object.hasOwn(places, state.state) ? places[state.state] : undefined;
    const [x, y] = own ?? placeInRows(others.indexOf(state), others.length, height);
    return { ...state, x, y, begun: begun.get(state.state) ?? 0 };
  });
}

function placeInRows(index: number, count: number, top: number): Point {
  const row = Math.floor(index / perRow);
  const inRow = Math.min(perRow, count - row * perRow);
  return [(960 * ((index % perRow) + 0.5)) / inRow, top + (row + 0.5) * rowHeight];
}

function placedEdges(
  states: readonly PlacedState[],
  edges: StateDiagram["edges"],
  legendTop: number,
): readonly PlacedEdge[] {
  const area = { left: 6, right: 954, top: 22, bottom: legendTop - 16 };
  const drawn = edges.map((edge) => ({ ...edge, isUnlisted: isUnlisted(edge, states) }));
  const routed = edgeRoutes(drawn, new Map(states.map((state) => [state.state, state] as const)), area);
  const labels = edgeLabels(routed, { area, taken: states.flatMap(takenBy) });
  const most = routed.reduce((largest, { seen }) => Math.max(largest, seen), 1);
  return routed.map((edge, index) => {
    const label = labels[index];
    const share = Math.sqrt(Math.max(0, edge.seen) / most);
    return { ...edge, share, ...(label === undefined ? {} : { label }) };
  });
}

/** Boxes that no label may cover: that of the state, and what leads into the first one. */
const takenBy = ({ state, x, y, begun }: PlacedState) => [
  boxAround(x, y, { x: stateBox.x + 2, y: stateBox.y + 2 }),
  ...(state === firstState
    ? [{ left: x - arrival.left, right: x, top: y - arrival.above, bottom: y + arrival.below }]
    : []),
  ...(begun > 0
    ? [
        {
          left: x - beginningReach.left,
          right: x + beginningReach.right,
          top: y,
          bottom: y + stateBox.y + beginningHeight,
        },
      ]
    : []),
];

/** The state in which every question begins. */
export const firstState = "processing";
