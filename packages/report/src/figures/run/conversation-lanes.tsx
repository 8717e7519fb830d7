import type { ConversationTimeline } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../figure-frame.tsx";
import { px } from "../svg-number.ts";
import { drawNarrowLanes } from "./lanes-narrow.tsx";
import { computeLanesLayout, lanesPlot } from "./lanes-layout.ts";
import type { LanesLayout } from "./lanes-layout.ts";
import { QuestionName, QuestionRow } from "./question-row.tsx";
import { StatePatterns } from "./state-marks.tsx";
import { TimeAxis, axisHeight } from "./time-axis.tsx";
import { counted } from "../../document/counted.ts";
import type { TableContent } from "../../printers/html/data-table.tsx";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { getSpanTimes } from "./span-words.ts";
import type { StateSpan } from "./state-spans.ts";
import { palette } from "../../printers/html/palette.ts";
import { getSpanShape } from "./span-mark.tsx";

const spanLegendHeight = 24;

const legendEntries = [
  { isCertain: true, words: "certainly there", offset: 0 },
  { isCertain: false, words: "seen within this time, not certain throughout", offset: 150 },
] as const;

/** Explains certain and uncertain marks. */
const SpanLegend = ({ top }: { readonly top: number }): JSX.Element => (
  <g font-size="12" fill="currentColor">
    {legendEntries.map(({ isCertain, words, offset }) => {
      const left = lanesPlot.left + offset;
      return (
        <g>
          <rect
            x={left}
            width="30"
            {...getSpanShape(isCertain, top)}
            stroke={palette.muted}
            fill={isCertain ? palette.muted : "none"}
          />
          <text x={left + 38} y={px(top + 12)}>
            {words}
          </text>
        </g>
      );
    })}
  </g>
);

const countPolls = ({ lanes }: ConversationTimeline): number =>
  lanes.reduce((sum, { polls, morePolls }) => sum + polls.length + morePolls, 0);

const describeInterfaces = ({ lanes }: ConversationTimeline): string => {
  const names = [...new Set(lanes.map((lane) => lane.interface))];
  return names.length > 1 ? "both interfaces" : `the ${names[0] ?? "legacy"} interface`;
};

const formatLanesTitle = (timeline: ConversationTimeline): string =>
  `Conversation ${escapeForDisplay(timeline.conversation, "name")} through ${describeInterfaces(timeline)}: ${counted(countPolls(timeline), "poll")}`;

/** Describes the figure for screen readers. */
function describeLanes(layout: LanesLayout): string {
  const sentences = layout.groups.flatMap(({ interface: name, questions }) =>
    questions.slice(0, 6).map(
      ({ lane, spans }) =>
        `${escapeForDisplay(lane.question, "name")} of the ${name} interface: ${spans
          .slice(0, 8)
          .map(({ state, isCertain }) => `${escapeForDisplay(state, "name")}${isCertain ? "" : " (at some time)"}`)
          .join(", then ")}.`,
    ),
  );
  const note = areAllCertain(layout) ? "" : ' "At some time" means that the state was seen, but not for how long.';
  return [`The states of each question over time, and the polls that showed them.${note}`, ...sentences].join(" ");
}

const areAllCertain = ({ groups }: LanesLayout): boolean =>
  groups.every(({ questions }) => questions.every(({ spans }) => spans.every(({ isCertain }) => isCertain)));

/** Explains the marks, and counts omitted polls and questions. */
function formatLanesCaption(timeline: ConversationTimeline, layout: LanesLayout): string {
  const morePolls = timeline.lanes.reduce((sum, lane) => sum + lane.morePolls, 0);
  const omissions = [
    morePolls === 0 ? "" : ` ${counted(morePolls, "poll")} left out.`,
    timeline.moreLanes === undefined ? "" : ` ${counted(timeline.moreLanes, "question")} left out.`,
  ];
  const frame = areAllCertain(layout) ? "" : " Frame: state seen once.";
  return `Conversation ${escapeForDisplay(timeline.conversation, "name")}. Bar: state confirmed by polls at both ends.${frame} Gap: changed between polls. Dot: poll; its line begins when it was sent.${omissions.join("")}`;
}

/** Formats the certain times of a span, or the times between which it was seen. */
function formatTimeCells(span: StateSpan, startMicros: number): readonly string[] {
  const [from, to] = getSpanTimes(span, startMicros);
  return span.isCertain ? [from, to, ""] : ["", "", `${from} and ${to}`];
}

/** Lists the values of the figure. */
const createLanesTable = (timeline: ConversationTimeline, { groups, startMicros }: LanesLayout): TableContent => ({
  caption: `States of the questions of conversation ${escapeForDisplay(timeline.conversation, "name")}; times since its first request`,
  head: ["Question", "Interface", "State", "Certainly from", "Certainly to", "Seen at some time between", "Polls"],
  rows: groups.flatMap(({ interface: name, questions }) =>
    questions.flatMap(({ lane, spans }) =>
      spans
        .slice(0, 50)
        .map((span) => [
          escapeForDisplay(lane.question, "name"),
          name,
          escapeForDisplay(span.state, "name"),
          ...formatTimeCells(span, startMicros),
          String(span.polls),
        ]),
    ),
  ),
});

interface ConversationLanesProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly timeline: ConversationTimeline;
}

const headings = { legacy: "legacy interface", current: "current interface" } as const;

/** Shows one conversation: a lane for each question and interface with its known states, and the polls that showed them. */
export const ConversationLanes = ({ id, timeline }: ConversationLanesProps): JSX.Element => {
  const layout = computeLanesLayout(timeline);
  const { groups, scale, top, bottom } = layout;
  return (
    <FigureFrame
      id={id}
      title={formatLanesTitle(timeline)}
      description={describeLanes(layout)}
      height={Math.ceil(bottom + axisHeight + spanLegendHeight)}
      caption={formatLanesCaption(timeline, layout)}
      isZoomable
      narrow={drawNarrowLanes(`${id}-narrow`, layout)}
      table={createLanesTable(timeline, layout)}
    >
      <StatePatterns id={id} />
      {groups.map(({ interface: name, heading, questions }) => (
        <g>
          <text x="10" y={px(heading)} font-size="12" font-weight="700" fill="currentColor">
            {headings[name]}
          </text>
          {questions.map((placed) => (
            <QuestionName question={placed} />
          ))}
        </g>
      ))}
      <g data-zoom-target={`${lanesPlot.left} ${lanesPlot.right}`}>
        <TimeAxis scale={scale} top={top} bottom={bottom} since="since its first request" />
        {groups.map(({ questions }) =>
          questions.map((placed) => <QuestionRow id={id} layout={layout} question={placed} />),
        )}
      </g>
      <SpanLegend top={bottom + axisHeight + 4} />
    </FigureFrame>
  );
};
