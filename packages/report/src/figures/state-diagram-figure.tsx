import type { StateDiagram } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../counted.ts";
import { palette } from "../html/palette.ts";
import type { TableContent } from "../load-figures/data-table.tsx";
import { FigureFrame } from "../load-figures/figure-frame.tsx";
import { polygonPath } from "../load-figures/shapes.ts";
import { px } from "../load-figures/svg-number.ts";
import { shownText } from "../shown-text.ts";
import { DiagramEdge, EdgeLabel, edgeLegend } from "./diagram-edge.tsx";
import { diagramLayout, firstState } from "./diagram-layout.ts";
import type { DiagramLayout } from "./diagram-layout.ts";
import { DiagramState } from "./diagram-state.tsx";
import { stateBox } from "./edge-curve.ts";
import { StraightLine } from "../load-figures/straight-line.tsx";

interface StateDiagramFigureProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly diagram: StateDiagram;
}

/** What the states of an interface are those of. */
const subjects: Readonly<Record<string, string>> = {
  legacy: "a legacy question",
  current: "a conversation of the current interface",
};
const headings: Readonly<Record<string, string>> = {
  legacy: "legacy interface: status of a question",
  current: "current interface: state of a conversation",
};

const wordsFor = (words: typeof subjects, { interface: name }: StateDiagram): string =>
  (Object.hasOwn(words, name) ? words[name] : undefined) ?? `interface ${shownText(name, "name")}`;

/** Where every question begins: an arrow out of nothing into the first state of the documents. */
const Beginning = ({ states }: Pick<DiagramLayout, "states">): JSX.Element | null => {
  const first = states.find(({ state }) => state === firstState);
  if (first === undefined) {
    return null;
  }
  const right = first.x - stateBox.x - 5;
  return (
    <g>
      <title>A new question</title>
      <circle cx={px(right - 58)} cy={px(first.y)} r="5" fill={palette.muted} />
      <StraightLine from={[right - 53, first.y]} to={[right - 8, first.y]} stroke={palette.muted} stroke-width="1.8" />
      <path
        d={polygonPath([
          [right, first.y],
          [right - 10, first.y - 5],
          [right - 10, first.y + 5],
        ])}
        fill={palette.muted}
      />
      <text x={px(right - 58)} y={px(first.y - 12)} text-anchor="middle" font-size="11" fill="currentColor">
        asked
      </text>
    </g>
  );
};

const Legend = ({ top }: { readonly top: number }): JSX.Element => (
  <g font-size="12" fill="currentColor">
    {edgeLegend.map(({ colour, words, dashes }, index) => {
      const left = 20 + index * 232;
      return (
        <g>
          <StraightLine
            from={[left, top]}
            to={[left + 36, top]}
            stroke={colour}
            stroke-width="3"
            {...(dashes === undefined ? {} : { "stroke-dasharray": dashes, "stroke-linecap": "round" })}
          />
          <text x={left + 44} y={px(top + 4)}>
            {words}
          </text>
        </g>
      );
    })}
  </g>
);

/** The steps that the documents allow and those that were taken, one machine for each interface. */
export const StateDiagramFigure = ({ id, diagram }: StateDiagramFigureProps): JSX.Element => {
  const layout = diagramLayout(diagram);
  const { states, edges, legendTop, height } = layout;
  return (
    <FigureFrame
      id={id}
      title={`States of ${wordsFor(subjects, diagram)}: observed against allowed steps`}
      description={descriptionOf(diagram)}
      height={Math.ceil(height)}
      caption={captionOf(edges)}
      table={tableOf(diagram)}
    >
      <text x="10" y="16" font-size="12" font-weight="700" fill="currentColor">
        {wordsFor(headings, diagram)}
      </text>
      <Beginning states={states} />
      {edges.map((edge) => (
        <DiagramEdge edge={edge} />
      ))}
      {edges.map((edge) => (
        <EdgeLabel edge={edge} />
      ))}
      {states.map((state) => (
        <DiagramState state={state} />
      ))}
      <Legend top={legendTop} />
    </FigureFrame>
  );
};

function captionOf(edges: DiagramLayout["edges"]): string {
  const silent = edges.filter(({ label }) => label === undefined).length;
  return [
    "The wider a line, the more questions took the step. A second border marks an end.",
    "Polls that overlap have no order, so a step counts only where one poll was answered before the next was sent.",
    ...(silent === 0 ? [] : [`There is no room to label ${counted(silent, "line")}: the table has all numbers.`]),
  ].join(" ");
}

function descriptionOf({ edges }: StateDiagram): string {
  const forbidden = edges.filter(({ standing }) => standing === "not-allowed");
  const seen = edges.filter(({ standing, seen: times }) => standing === "allowed" && times > 0);
  const steps = forbidden
    .slice(0, 8)
    .map(({ from, to }) => `${shownText(from, "name")} to ${shownText(to, "name")}`)
    .join(", ");
  const last = forbidden.length === 0 ? "Nothing that is not allowed was seen." : `Not allowed, but seen: ${steps}.`;
  return `${counted(seen.length, "allowed step")} of ${edges.filter(({ standing }) => standing === "allowed").length} seen. ${last}`;
}

const standingWords = {
  allowed: "allowed",
  "not-allowed": "not allowed",
  unstated: "not stated by the documents",
} as const;

const tableOf = (diagram: StateDiagram): TableContent => ({
  caption: `Steps between states of ${wordsFor(subjects, diagram)}`,
  head: ["From", "To", "Documents", "Questions that took it"],
  rows: diagram.edges
    .slice(0, 100)
    .map(({ from, to, standing, seen }) => [
      shownText(from, "name"),
      shownText(to, "name"),
      standingWords[standing],
      String(seen),
    ]),
});
