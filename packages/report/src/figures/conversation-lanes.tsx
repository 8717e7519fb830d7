import type { ConversationTimeline } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../load-figures/figure-frame.tsx";
import { px } from "../load-figures/svg-number.ts";
import { lanesLayout, lanesPlot } from "./lanes-layout.ts";
import { lanesCaption, lanesDescription, lanesTable, lanesTitle } from "./lanes-words.ts";
import { QuestionName, QuestionRow } from "./question-row.tsx";
import { SpanLegend, spanLegendHeight } from "./span-legend.tsx";
import { StatePatterns } from "./state-marks.tsx";
import { TimeAxis, axisHeight } from "./time-axis.tsx";

interface ConversationLanesProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly timeline: ConversationTimeline;
}

const headings = { legacy: "legacy interface", current: "current interface" } as const;

/** One conversation: a lane for each question and interface with its states, as far as they are known, and the polls that showed them. */
export const ConversationLanes = ({ id, timeline }: ConversationLanesProps): JSX.Element => {
  const layout = lanesLayout(timeline);
  const { groups, scale, top, bottom } = layout;
  return (
    <FigureFrame
      id={id}
      title={lanesTitle(timeline)}
      description={lanesDescription(layout)}
      height={Math.ceil(bottom + axisHeight + spanLegendHeight)}
      caption={lanesCaption(timeline, layout)}
      isZoomable
      table={lanesTable(timeline, layout)}
    >
      <StatePatterns id={id} />
      {groups.map(({ interface: name, heading, questions }) => (
        <g>
          <text x="10" y={px(heading)} font-size="12" font-weight="700" fill="currentColor">
            {headings[name]}
          </text>
          {questions.map((placed) => (
            <QuestionName placed={placed} />
          ))}
        </g>
      ))}
      <g data-zoom-target={`${lanesPlot.left} ${lanesPlot.right}`}>
        <TimeAxis scale={scale} top={top} bottom={bottom} since="since the first request about it" />
        {groups.map(({ questions }) =>
          questions.map((placed) => <QuestionRow id={id} layout={layout} placed={placed} />),
        )}
      </g>
      <SpanLegend top={bottom + axisHeight + 4} />
    </FigureFrame>
  );
};
