import type { Point } from "../load-figures/shapes.ts";
import { type Box, boxAround, isWithin, meet, pointsIn } from "./boxes.ts";
import { type Middle, outside, pointOf, pointsOf } from "./edge-curve.ts";
import { curveParts, type RoutedEdge } from "./edge-routes.ts";
import { edgeLabel, shortEdgeLabel } from "./edge-words.ts";
import { textWidth } from "./text-width.ts";

/** Words beside a line, centred. */
export interface EdgeLabel {
  readonly text: string;
  readonly x: number;
  /** Base line. */
  readonly y: number;
  readonly box: Box;
}

/** Height of the letters of a label. */
export const labelSize = 13;

/** Half the height that a label takes, from its middle to its base line, and what is kept free at both of its ends. */
const halfHeight = 9;
const baseBelowMiddle = 4.5;
const endSpace = 4;
/** Half a wide line. */
const lineSpace = 3;

/** Where along a line a label may stand, and how far from it; what is tried first first. */
const parts = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2, 0.9, 0.1] as const;
const distances = [6, 16, 28] as const;

/** Where labels may stand, and what they may not cover. */
export interface LabelRoom {
  readonly area: Box;
  readonly taken: readonly Box[];
}

/**
 * A label for each line, in the order of the lines: never over another label or over what is taken, over as few lines as can
 * be. Where there is no room for the words the number alone is taken; a line without room even for that has none.
 */
export function edgeLabels(
  edges: readonly RoutedEdge[],
  { area, taken }: LabelRoom,
): readonly (EdgeLabel | undefined)[] {
  const lines = edges.map(({ curve }) => pointsOf(curve, curveParts));
  const placed = new Map<RoutedEdge, EdgeLabel>();
  for (const edge of byWeight(edges)) {
    const room = { area, taken: [...taken, ...[...placed.values()].map(({ box }) => box)] };
    const label =
      freestLabel(edge, edgeLabel(edge), { lines, ...room }) ??
      freestLabel(edge, shortEdgeLabel(edge), { lines, ...room });
    if (label !== undefined) {
      placed.set(edge, label);
    }
  }
  return edges.map((edge) => placed.get(edge));
}

/** What is not allowed chooses first. */
const byWeight = (edges: readonly RoutedEdge[]): readonly RoutedEdge[] => [
  ...edges.filter(({ standing }) => standing === "not-allowed"),
  ...edges.filter(({ standing }) => standing !== "not-allowed"),
];

function freestLabel(
  edge: RoutedEdge,
  text: string,
  { lines, area, taken }: LabelRoom & { readonly lines: readonly (readonly Point[])[] },
): EdgeLabel | undefined {
  const half = { x: textWidth(text, labelSize) / 2 + endSpace, y: halfHeight };
  let best: { readonly middle: Middle; readonly box: Box; readonly hits: number } | undefined;
  for (const middle of middlesOf(edge, half)) {
    const box = boxAround(middle.x, middle.y, half);
    if (!isWithin(box, area) || taken.some((other) => meet(box, other))) {
      continue;
    }
    const wider = boxAround(middle.x, middle.y, { x: half.x + lineSpace, y: half.y + lineSpace });
    const hits = lines.reduce((count, line) => count + pointsIn(wider, line), 0);
    if (best === undefined || hits < best.hits) {
      best = { middle, box, hits };
    }
    if (hits === 0) {
      break;
    }
  }
  return best && { text, x: best.middle.x, y: best.middle.y + baseBelowMiddle, box: best.box };
}

/** Middles of a label beside a line, on either side; first on the one that belongs to it where there is a line the other way. */
function* middlesOf({ curve, hasReverse }: RoutedEdge, half: Middle): Generator<Middle> {
  const outer = outside(curve.from, curve.to);
  const first = hasReverse && curve.isStraight ? -1 : 1;
  for (const distance of distances) {
    for (const part of parts) {
      const at = pointOf(curve, part);
      for (const side of [first, -first]) {
        const by = Math.abs(outer.x) * half.x + Math.abs(outer.y) * half.y + distance;
        yield { x: at.x + side * outer.x * by, y: at.y + side * outer.y * by };
      }
    }
  }
}
