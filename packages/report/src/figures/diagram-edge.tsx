import type { StateEdge } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../counted.ts";
import { palette } from "../html/palette.ts";
import { px } from "../load-figures/svg-number.ts";
import { shownText } from "../shown-text.ts";
import type { PlacedEdge } from "./diagram-layout.ts";

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
} as const satisfies Readonly<Record<string, EdgeMark>>;

/** All kinds of edges, as a legend names them. */
export const edgeLegend: readonly EdgeMark[] = Object.values(edgeMarks);

const markOf = ({ standing, seen }: StateEdge): EdgeMark => {
  switch (standing) {
    case "allowed":
      return seen > 0 ? edgeMarks.seen : edgeMarks.unseen;
    case "not-allowed":
      return edgeMarks.forbidden;
    case "unstated":
      return edgeMarks.unstated;
  }
};

function labelOf({ standing, seen }: StateEdge): string {
  switch (standing) {
    case "allowed":
      return seen > 0 ? String(seen) : "not seen";
    case "not-allowed":
      return `✗ not allowed: ${seen}`;
    case "unstated":
      return seen > 0 ? `not stated: ${seen}` : "not stated, not seen";
  }
}

const wordsOf = (edge: StateEdge): string =>
  `${shownText(edge.from, "name")} to ${shownText(edge.to, "name")}: ${markOf(edge).words}; ${counted(edge.seen, "question")}`;

type Curve = PlacedEdge["curve"];
type Point = Curve["to"];

/** The direction in which a curve ends, of length one. */
function ending({ control, to }: Curve): Point {
  const length = Math.max(0.001, Math.hypot(to.x - control.x, to.y - control.y));
  return { x: (to.x - control.x) / length, y: (to.y - control.y) / length };
}

/** The point so far before the end of a curve. */
function before(curve: Curve, distance: number): Point {
  const { x, y } = ending(curve);
  return { x: curve.to.x - x * distance, y: curve.to.y - y * distance };
}

interface Head {
  readonly to: Point;
  readonly back: Point;
  readonly half: number;
}

/** The head of a line: a triangle with its tip at the end. */
function headOf(curve: Curve, { to, back, half }: Head): string {
  const { x, y } = ending(curve);
  const corners = [to, { x: back.x - y * half, y: back.y + x * half }, { x: back.x + y * half, y: back.y - x * half }];
  return `M${corners.map((corner) => `${px(corner.x)} ${px(corner.y)}`).join("L")}Z`;
}

/** The paper shows round a label that crosses a line. Without the style sheet the variable stands for nothing, and is left out. */
const paperEdge = {
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
  const { from, control, to } = curve;
  // A wide line has to end inside its head.
  const size = 9 + width * 1.2;
  const end = before(curve, size * 0.8);
  return (
    <g class="fig-hover">
      <title>{wordsOf(edge)}</title>
      <path
        d={`M${px(from.x)} ${px(from.y)}Q${px(control.x)} ${px(control.y)} ${px(end.x)} ${px(end.y)}`}
        fill="none"
        stroke={colour}
        stroke-width={px(width)}
        {...(dashes === undefined ? {} : { "stroke-dasharray": dashes, "stroke-linecap": "round" })}
      />
      <path d={headOf(curve, { to, back: before(curve, size), half: size / 2 })} fill={colour} />
    </g>
  );
};

/** How often a step was taken, beside its line; of one that is not allowed, that it is not. */
export const EdgeLabel = ({ edge }: { readonly edge: PlacedEdge }): JSX.Element => (
  <text
    x={px(edge.curve.label.x)}
    y={px(edge.curve.label.y)}
    text-anchor={edge.curve.label.anchor}
    font-size="13"
    {...(edge.standing === "not-allowed" ? { "font-weight": "700" } : {})}
    {...paperEdge}
    fill="currentColor"
  >
    {labelOf(edge)}
  </text>
);
