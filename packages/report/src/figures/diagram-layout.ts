import type { StateDiagram, StateEdge } from "@assay/results";
import { edgeCurve } from "./edge-curve.ts";
import type { EdgeCurve } from "./edge-curve.ts";

type State = StateDiagram["states"][number];

/** A state and the middle of its box. */
export interface PlacedState extends State {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge extends StateEdge {
  readonly curve: EdgeCurve;
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

type Point = readonly [x: number, y: number];

/** Where the states of the documents stand: what is finished on the right. */
const places: Readonly<Record<StateDiagram["interface"], Readonly<Record<string, Point>>>> = {
  legacy: { processing: [250, 78], completed: [690, 78], pending: [470, 190] },
  current: { processing: [230, 182], completed: [650, 54], error: [650, 182], canceled: [650, 310] },
};
const documentedHeight = { legacy: 222, current: 342 } as const;

/** States beneath the others, in rows; and how many are drawn at all. Those of a result of ours are fewer. */
const perRow = 5;
const rowHeight = 96;
const maxStates = 24;
const maxEdges = 80;

/** Lays out a machine: the states of the documents in their places, any other in rows beneath. */
export function diagramLayout({ interface: name, states: all, edges }: StateDiagram): DiagramLayout {
  const own = places[name];
  const states = all.slice(0, maxStates);
  const others = states.filter(({ state }) => !Object.hasOwn(own, state));
  const rows = Math.ceil(others.length / perRow);
  const legendTop = documentedHeight[name] + rows * rowHeight + 24;
  const placed = states.map((state): PlacedState => {
    const [x, y] =
      (Object.hasOwn(own, state.state) ? own[state.state] : undefined) ?? placeBeneath(name, others, state);
    return { ...state, x, y };
  });
  return { states: placed, edges: placedEdges(placed, edges), legendTop, height: legendTop + 34 };
}

function placeBeneath(name: StateDiagram["interface"], others: readonly State[], state: State): Point {
  const index = others.indexOf(state);
  const row = Math.floor(index / perRow);
  const inRow = Math.min(perRow, others.length - row * perRow);
  const x = (960 * ((index % perRow) + 0.5)) / inRow;
  return [x, documentedHeight[name] + (row + 0.5) * rowHeight];
}

function placedEdges(states: readonly PlacedState[], edges: readonly StateEdge[]): readonly PlacedEdge[] {
  const byName = new Map(states.map((state) => [state.state, state] as const));
  const drawn = edges.slice(0, maxEdges);
  const most = drawn.reduce((largest, { seen }) => Math.max(largest, seen), 1);
  const both = new Set(drawn.map(({ from, to }) => JSON.stringify([to, from])));
  return drawn.flatMap((edge) => {
    const from = byName.get(edge.from);
    const to = byName.get(edge.to);
    if (from === undefined || to === undefined) {
      return [];
    }
    const hasReverse = both.has(JSON.stringify([edge.from, edge.to]));
    return { ...edge, curve: edgeCurve(from, to, hasReverse), share: Math.sqrt(Math.max(0, edge.seen) / most) };
  });
}
