import type { JSX } from "preact";
import { counted } from "../counted.ts";
import { palette } from "../html/palette.ts";
import { linePath, polygonPath, smoothPath } from "../load-figures/shapes.ts";
import { px } from "../load-figures/svg-number.ts";
import { shownText } from "../shown-text.ts";
import type { PlacedEdge } from "./diagram-layout.ts";
import { type EdgeCurve, type Middle, pointsOf } from "./edge-curve.ts";
import { labelSize } from "./edge-labels.ts";
import { type DrawnEdge, isOutside } from "./edge-words.ts";

/** How an edge is drawn, and what it says besides. */
export interface EdgeMark {
  readonly colour: string;
  readonly dashes?: string;
  readonly words: string;
}

const edgeMarks = {
  seen: { colour: palette.good, words: "allowed, seen" },
  unseen: { colour: palette.muted, dashes: "6 5", words: "allowed, not seen" },
  forbidden: { colour: palette.bad, words: "✗ not allowed, but seen" },
  unstated: { colour: palette.unknown, dashes: "1.5 5", words: "not stated by the documents" },
  unlisted: { colour: palette.unknown, dashes: "9 5 1.5 5", words: "from or to a state that no document lists" },
} as const satisfies Readonly<Record<string, EdgeMark>>;

/** The kinds of edges, as a legend names them; the last one only where there is such an edge. */
export const edgeLegend = (edges: readonly DrawnEdge[]): readonly EdgeMark[] =>
  Object.values(edgeMarks).filter((mark) => mark !== edgeMarks.unlisted || edges.some((edge) => markOf(edge) === mark));

const markOf = (edge: DrawnEdge): EdgeMark => {
  const { standing, seen } = edge;
  switch (standing) {
    case "allowed":
      return seen > 0 ? edgeMarks.seen : edgeMarks.unseen;
    case "not-allowed":
      return edgeMarks.forbidden;
    case "unstated":
      return isOutside(edge) ? edgeMarks.unlisted : edgeMarks.unstated;
  }
};

const wordsOf = (edge: DrawnEdge): string =>
  `${shownText(edge.from, "name")} to ${shownText(edge.to, "name")}: ${markOf(edge).words}; ${counted(edge.seen, "question")}`;

/** Where the head of a line begins, and in which direction it points, of length one. */
function headOf({ control, to }: EdgeCurve): Middle {
  const length = Math.max(0.001, Math.hypot(to.x - control.x, to.y - control.y));
  return { x: (to.x - control.x) / length, y: (to.y - control.y) / length };
}

/** A triangle with its tip at the end of a curve. */
function trianglePath(curve: EdgeCurve, size: number): string {
  const { x, y } = headOf(curve);
  const { to } = curve;
  const back = { x: to.x - x * size, y: to.y - y * size };
  const half = size / 2;
  return polygonPath([
    [to.x, to.y],
    [back.x - y * half, back.y + x * half],
    [back.x + y * half, back.y - x * half],
  ]);
}

/** A line that ends so far before the end of its curve, where the head begins. */
function shaftPath(curve: EdgeCurve, before: number): string {
  const { x, y } = headOf(curve);
  const end = { x: curve.to.x - x * before, y: curve.to.y - y * before };
  const cut = { ...curve, to: end };
  return curve.isStraight ? linePath(pointsOf(cut, 1)) : smoothPath(pointsOf(cut, 8));
}

/** The paper shows round a label that crosses a line. Without the style sheet the variable stands for nothing, and is left out. */
export const paperEdge = {
  stroke: "var(--paper)",
  "stroke-width": "4",
  "stroke-linejoin": "round",
  "paint-order": "stroke",
} as const;

/** A step from one state to another: the wider, the more questions took it. */
export const DiagramEdge = ({ edge }: { readonly edge: PlacedEdge }): JSX.Element => {
  const { colour, dashes } = markOf(edge);
  const { curve, share, seen } = edge;
  const width = seen > 0 ? 1.8 + 4.2 * share : 1.6;
  // A wide line has to end inside its head.
  const size = 9 + width * 1.2;
  return (
    <g class="fig-hover">
      <title>{wordsOf(edge)}</title>
      <path
        d={shaftPath(curve, size * 0.8)}
        fill="none"
        stroke={colour}
        stroke-width={px(width)}
        {...(dashes === undefined ? {} : { "stroke-dasharray": dashes, "stroke-linecap": "round" })}
      />
      <path d={trianglePath(curve, size)} fill={colour} />
    </g>
  );
};

/** How often a step was taken, beside its line; of one that is not allowed, that it is not. Nothing where there is no room. */
export const EdgeLabel = ({ edge: { label, standing } }: { readonly edge: PlacedEdge }): JSX.Element | null =>
  label === undefined ? null : (
    <text
      x={px(label.x)}
      y={px(label.y)}
      text-anchor="middle"
      font-size={labelSize}
      {...(standing === "not-allowed" ? { "font-weight": "700" } : {})}
      {...paperEdge}
      fill="currentColor"
    >
      {label.text}
    </text>
  );
