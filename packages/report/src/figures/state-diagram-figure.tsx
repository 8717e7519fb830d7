import type { StateDiagram } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../load-figures/figure-frame.tsx";
import { StraightLine } from "../load-figures/straight-line.tsx";
import { px } from "../load-figures/svg-number.ts";
import { Beginnings } from "./beginnings.tsx";
import { DiagramEdge, EdgeLabel, edgeLegend } from "./diagram-edge.tsx";
import { diagramLayout, legendRowHeight } from "./diagram-layout.ts";
import type { DiagramLayout } from "./diagram-layout.ts";
import { DiagramState } from "./diagram-state.tsx";
import {
  diagramCaption,
  diagramDescription,
  diagramHeading,
  diagramTable,
  diagramTitle,
} from "./state-diagram-words.ts";

interface StateDiagramFigureProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly diagram: StateDiagram;
}

/** So many kinds of lines stand side by side in the legend. */
const kindsInRow = 4;

const Legend = ({ layout: { legendTop, edges } }: { readonly layout: DiagramLayout }): JSX.Element => (
  <g font-size="12" fill="currentColor">
    {edgeLegend(edges).map(({ colour, words, dashes }, index) => {
      const left = 20 + (index % kindsInRow) * 232;
      const top = legendTop + Math.floor(index / kindsInRow) * legendRowHeight;
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
  const { states, edges, height } = layout;
  return (
    <FigureFrame
      id={id}
      title={diagramTitle(diagram)}
      description={diagramDescription(diagram)}
      height={Math.ceil(height)}
      caption={diagramCaption(layout)}
      table={diagramTable(diagram)}
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
      <Legend layout={layout} />
    </FigureFrame>
  );
};
