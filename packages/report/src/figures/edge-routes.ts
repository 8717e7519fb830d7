import { type Box, boxAround, isWithin, meet, pointsIn } from "./boxes.ts";
import { type EdgeCurve, edgeCurve, type Middle, pointsOf, stateBox } from "./edge-curve.ts";
import type { DrawnEdge } from "./edge-words.ts";

/** A step between two states that have a place. */
export interface RoutedEdge extends DrawnEdge {
  readonly curve: EdgeCurve;
  /** Whether there is a line the other way too. */
  readonly hasReverse: boolean;
}

/** How far a line may be bent, what is tried first first. A line back is never straight, for there the line to the right runs. */
const bends = [0, 64, -64, 130, -130, 200, -200] as const;
const backBends = [64, 130, -64, -130, 200, -200] as const;
const sideBends = { down: [0, 24, 90], up: [0, 24, 90], downBeside: [44, 70, 130] } as const;

/** Parts of a curve that are looked at where it may meet something. */
export const curveParts = 32;

/** Kept free around a box. */
const around = { x: stateBox.x + 8, y: stateBox.y + 8 };

function bendsOf(from: Middle, to: Middle, hasReverse: boolean): readonly number[] {
  if (from.x === to.x) {
    return to.y < from.y ? sideBends.up : sideBends[hasReverse ? "downBeside" : "down"];
  }
  return hasReverse && to.x < from.x ? backBends : bends;
}

/** Lines between states: the least bent that run through no other state, or through as little of one as can be. */
export function edgeRoutes(
  edges: readonly DrawnEdge[],
  places: ReadonlyMap<string, Middle>,
  area: Box,
): readonly RoutedEdge[] {
  const both = new Set(edges.map(({ from, to }) => JSON.stringify([to, from])));
  return edges.flatMap((edge) => {
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    if (from === undefined || to === undefined || from === to) {
      return [];
    }
    const hasReverse = both.has(JSON.stringify([edge.from, edge.to]));
    const others = [...places.values()]
      .filter((place) => place !== from && place !== to)
      .map(({ x, y }) => boxAround(x, y, around));
    return [{ ...edge, hasReverse, curve: freest(bendsOf(from, to, hasReverse), { from, to, others, area }) }];
  });
}

interface Surroundings {
  readonly from: Middle;
  readonly to: Middle;
  readonly others: readonly Box[];
  readonly area: Box;
}

function freest(candidates: readonly number[], { from, to, others, area }: Surroundings): EdgeCurve {
  let best = { curve: edgeCurve(from, to, candidates[0] ?? 0), hits: Infinity };
  for (const bend of candidates) {
    const curve = edgeCurve(from, to, bend);
    const hits = hitsOf(curve, others, area);
    if (hits < best.hits) {
      best = { curve, hits };
    }
    if (hits === 0) {
      break;
    }
  }
  return best.curve;
}

/** How much of a curve lies in boxes or outside the drawing. */
function hitsOf(curve: EdgeCurve, others: readonly Box[], area: Box): number {
  const points = pointsOf(curve, curveParts);
  const reach = boundsOf(curve);
  const crossed = others.filter((box) => meet(box, reach)).reduce((count, box) => count + pointsIn(box, points), 0);
  return isWithin(reach, area) ? crossed : crossed + (points.length - pointsIn(area, points));
}

/** The triangle of a curve as a box: the curve lies in it. */
function boundsOf({ from, control, to }: EdgeCurve): Box {
  const [xs, ys] = [
    [from.x, control.x, to.x],
    [from.y, control.y, to.y],
  ];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
