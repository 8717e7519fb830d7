import type { StateEdge } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { polygonPath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import { shownText } from "../../document/shown-text.ts";
import type { PlacedEdge, StepLine } from "./diagram-layout.ts";

/** How an edge is drawn, and what it says besides. */
interface EdgeMark {
  readonly colour: string;
  readonly dashes?: string;
  readonly words: string;
}

const edgeMarks = {
  seen: { colour: palette.good, words: "allowed, seen" },
  unseen: { colour: palette.muted, dashes: "6 5", words: "allowed, not seen" },
  forbidden: { colour: palette.bad, words: "✗ not allowed, but seen" },
  unstated: { colour: palette.unknown, dashes: "1.5 5", words: "not stated by the specifications" },
} as const satisfies Readonly<Record<string, EdgeMark>>;

/** The kinds of edges, as a legend names them. */
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

const wordsOf = (edge: StateEdge): string =>
  `${shownText(edge.from, "name")} to ${shownText(edge.to, "name")}: ${markOf(edge).words}; ${counted(edge.seen, "question")}`;

/** From this number on there is room for nothing but the number. */
const longNumber = 100_000;

/** What stands beside the line of a step: how often it was taken, and of one that the specifications do not list that they do not. */
export function edgeLabel({ standing, seen }: StateEdge): string {
  const words = { allowed: "", "not-allowed": "✗ not allowed: ", unstated: "not stated: " }[standing];
  if (seen >= longNumber) {
    return standing === "not-allowed" ? `✗ ${seen}` : String(seen);
  }
  if (seen > 0 || standing === "not-allowed") {
    return `${words}${seen}`;
  }
  return standing === "allowed" ? "not seen" : "not stated, not seen";
}

/** The direction in which a line ends, of length one. */
function directionOf({ control, to }: StepLine): readonly [x: number, y: number] {
  const [dx, dy] = [to[0] - control[0], to[1] - control[1]];
  const length = Math.hypot(dx, dy);
  return [dx / length, dy / length];
}

/** A triangle with its tip at the end of a line. */
function trianglePath(line: StepLine, size: number): string {
  const [x, y] = directionOf(line);
  const [tipX, tipY] = line.to;
  const [backX, backY] = [tipX - x * size, tipY - y * size];
  const half = size / 2;
  return polygonPath([line.to, [backX - y * half, backY + x * half], [backX + y * half, backY - x * half]]);
}

/** A line that ends so far before its end, where the head begins. */
function shaftPath(line: StepLine, before: number): string {
  const [x, y] = directionOf(line);
  const { from, control, to } = line;
  return `M${px(from[0])},${px(from[1])}Q${px(control[0])},${px(control[1])},${px(to[0] - x * before)},${px(to[1] - y * before)}`;
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
  const { line, share, seen } = edge;
  const width = seen > 0 ? 1.8 + 4.2 * share : 1.6;
  // A wide line has to end inside its head.
  const size = 9 + width * 1.2;
  return (
    <g class="fig-hover">
      <title>{wordsOf(edge)}</title>
      <path
        d={shaftPath(line, size * 0.8)}
        fill="none"
        stroke={colour}
        stroke-width={px(width)}
        {...(dashes === undefined ? {} : { "stroke-dasharray": dashes, "stroke-linecap": "round" })}
      />
      <path d={trianglePath(line, size)} fill={colour} />
    </g>
  );
};

/** How often a step was taken, beside its line; of one that is not allowed, that it is not. */
export const EdgeLabel = ({ edge }: { readonly edge: PlacedEdge }): JSX.Element => (
  <text
    x={px(edge.line.label[0])}
    y={px(edge.line.label[1])}
    text-anchor="middle"
    font-size={13}
    {...(edge.standing === "not-allowed" ? { "font-weight": "700" } : {})}
    {...paperEdge}
    fill="currentColor"
  >
    {edgeLabel(edge)}
  </text>
);
