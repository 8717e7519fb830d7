import type { StateDiagram } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../figure-frame.tsx";
import { StraightLine } from "../straight-line.tsx";
import { px } from "../svg-number.ts";
import { DiagramEdge, EdgeLabel, edgeLegend, paperEdge } from "./diagram-edge.tsx";
import { beginningHeight, diagramLayout, firstState, stateBox } from "./diagram-layout.ts";
import type { DiagramLayout, PlacedState } from "./diagram-layout.ts";
import {
  diagramCaption,
  diagramDescription,
  diagramHeading,
  diagramTable,
  diagramTitle,
} from "./state-diagram-words.ts";
import { palette } from "../../printers/html/palette.ts";
import { polygonPath } from "../shapes.ts";
import { counted } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import { stateMark } from "./state-marks.tsx";
import { cutToWidth } from "../text-width.ts";

const wordsOf = ({ seen, listed }: PlacedState): string => {
  const times = seen === 0 ? "not seen" : counted(seen, "question");
  return listed ? times : `not listed: ${seen}`;
};

/** A state: its name and how many questions were in it. An end has a second border; what no specification lists a broken one. */
const DiagramState = ({ state }: { readonly state: PlacedState }): JSX.Element => {
  const { x, y, seen, listed, terminal } = state;
  const colour = listed ? stateMark(state.state).colour : palette.unknown;
  const name = shownText(state.state, "name");
  return (
    <g fill="currentColor" text-anchor="middle">
      <title>{`${name}: ${wordsOf(state)}${terminal ? "; an end" : ""}`}</title>
      <rect
        x={px(x - stateBox.x)}
        y={px(y - stateBox.y)}
        width={2 * stateBox.x}
        height={2 * stateBox.y}
        rx="9"
        fill={colour}
        fill-opacity={seen > 0 ? 0.16 : 0.04}
        stroke={colour}
        stroke-width="1.8"
        {...(listed ? {} : { "stroke-dasharray": "5 4" })}
      />
      {terminal ? (
        <rect
          x={px(x - stateBox.x + 4)}
          y={px(y - stateBox.y + 4)}
          width={2 * stateBox.x - 8}
          height={2 * stateBox.y - 8}
          rx="6"
          fill="none"
          stroke={colour}
        />
      ) : null}
      <text x={px(x)} y={px(y - 2)} font-size="14" font-weight="650">
        {cutToWidth(name, 2 * stateBox.x - 16, 14)}
      </text>
      <text x={px(x)} y={px(y + 13)} font-size="11" fill-opacity="0.85">
        {wordsOf(state)}
      </text>
    </g>
  );
};

/** Where every question begins: an arrow out of nothing into the first state of the specifications. */
const FirstBeginning = ({ state }: { readonly state: PlacedState }): JSX.Element => {
  const right = state.x - stateBox.x - 5;
  return (
    <g>
      <title>A new question</title>
      <circle cx={px(right - 58)} cy={px(state.y)} r="5" fill={palette.muted} />
      <StraightLine from={[right - 53, state.y]} to={[right - 8, state.y]} stroke={palette.muted} stroke-width="1.8" />
      <path
        d={polygonPath([
          [right, state.y],
          [right - 10, state.y - 5],
          [right - 10, state.y + 5],
        ])}
        fill={palette.muted}
      />
      <text x={px(right - 58)} y={px(state.y - 12)} text-anchor="middle" font-size="11" fill="currentColor">
        asked
      </text>
    </g>
  );
};

/** A beginning that the specifications do not allow: an arrow from below, with how many questions began so. */
const ForbiddenBeginning = ({ state: { x, y, begun } }: { readonly state: PlacedState }): JSX.Element => {
  const tip = y + stateBox.y + 3;
  const bottom = y + stateBox.y + beginningHeight - 8;
  return (
    <g>
      <StraightLine from={[x, bottom]} to={[x, tip + 8]} stroke={palette.bad} stroke-width="1.8" />
      <circle cx={px(x)} cy={px(bottom)} r="5" fill={palette.bad} />
      <path
        d={polygonPath([
          [x, tip],
          [x - 5, tip + 10],
          [x + 5, tip + 10],
        ])}
        fill={palette.bad}
      />
      <text x={px(x + 12)} y={px(bottom + 3)} font-size="12" font-weight="700" {...paperEdge} fill="currentColor">
        {`✗ asked: ${begun}`}
      </text>
    </g>
  );
};

/** How questions begin, and how some did although the specifications do not allow it. */
const Beginnings = ({ states }: Pick<DiagramLayout, "states">): JSX.Element => {
  const first = states.find(({ state }) => state === firstState);
  return (
    <>
      {first === undefined ? null : <FirstBeginning state={first} />}
      {states
        .filter(({ begun }) => begun > 0)
        .map((state) => (
          <ForbiddenBeginning state={state} />
        ))}
    </>
  );
};

interface StateDiagramFigureProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly diagram: StateDiagram;
}

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

/** The steps that the specifications allow and those that were taken, one machine for each interface. */
export const StateDiagramFigure = ({ id, diagram }: StateDiagramFigureProps): JSX.Element => {
  const layout = diagramLayout(diagram);
  const { states, edges, height } = layout;
  return (
    <FigureFrame
      id={id}
      title={diagramTitle(diagram)}
      description={diagramDescription(diagram)}
      height={Math.ceil(height)}
      caption={diagramCaption(layout)}
      table={diagramTable(diagram)}
      narrow="table"
    >
      <text x="10" y="16" font-size="12" font-weight="700" fill="currentColor">
        {diagramHeading(diagram)}
      </text>
      <Beginnings states={states} />
      {edges.map((edge) => (
        <DiagramEdge edge={edge} />
      ))}
      {edges.map((edge) => (
        <EdgeLabel edge={edge} />
      ))}
      {states.map((state) => (
        <DiagramState state={state} />
      ))}
      <Legend top={layout.legendTop} />
    </FigureFrame>
  );
};
