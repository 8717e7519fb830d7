import type { QuestionPoll } from "@assay/results";
import type { JSX } from "preact";
import { counted, formatDuration } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { drawLinePath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { lanesPlot } from "./lanes-layout.ts";
import type { LanesLayout, PlacedQuestion, PlacedSpan } from "./lanes-layout.ts";
import { SpanMark } from "./span-mark.tsx";
import { getStateMark } from "./state-marks.tsx";
import { cutToWidth } from "../text-width.ts";
import { StraightLine } from "../straight-line.tsx";

interface QuestionRowProps {
  /** Id of the figure; the prefix of its patterns. */
  readonly id: string;
  readonly layout: LanesLayout;
  readonly question: PlacedQuestion;
}

/** Name of a lane and its number of polls. */
export const QuestionName = ({ question: { lane, barTop } }: Pick<QuestionRowProps, "question">): JSX.Element => {
  const name = escapeForDisplay(lane.question, "name");
  const polls = lane.polls.length + lane.morePolls;
  return (
    <g fill="currentColor" text-anchor="end">
      <text x={lanesPlot.left - 12} y={px(barTop + 12)} font-size="12">
        <title>{name}</title>
        {cutToWidth(name, lanesPlot.left - 14, 12)}
      </text>
      <text x={lanesPlot.left - 12} y={px(barTop + lanesPlot.barHeight + 13)} font-size="11" fill-opacity="0.75">
        {counted(polls, "poll")}
      </text>
    </g>
  );
};

interface SpanLabelProps {
  readonly layout: LanesLayout;
  readonly barTop: number;
  readonly span: PlacedSpan;
}

/** A label, and the line to the beginning of its state. */
const SpanLabel = ({ layout: { scale, startMicros }, barTop, span }: SpanLabelProps) => {
  if (span.row === undefined) {
    return null;
  }
  const x = scale.x(span.fromMicros - startMicros);
  const base = barTop - 3 - span.row * lanesPlot.labelHeight;
  return (
    <g>
      <StraightLine from={[x, base - 9]} to={[x, barTop]} stroke="currentColor" stroke-opacity="0.55" />
      <text x={px(x + 4)} y={px(base)} data-zoom-at={px(x)} font-size={lanesPlot.labelSize} fill="currentColor">
        {span.label}
      </text>
    </g>
  );
};

interface PollMarksProps {
  readonly layout: LanesLayout;
  readonly polls: readonly QuestionPoll[];
  readonly y: number;
}

/** Each poll as a dot at its answer, with a line from its sending. */
const PollMarks = ({ layout: { scale, startMicros }, polls, y }: PollMarksProps): JSX.Element => (
  <g>
    {polls.length === 0 ? null : (
      <path
        d={drawLinePath(
          polls.flatMap(({ sentMicros, answeredMicros }) => {
            const [sent, answered] = [scale.x(sentMicros - startMicros), scale.x(answeredMicros - startMicros)];
            return [[sent, y - 3], [sent, y + 3], undefined, [sent, y], [answered, y], undefined] as const;
          }),
        )}
        fill="none"
        stroke={palette.muted}
      />
    )}
    {polls.map(({ exchange, state, sentMicros, answeredMicros }) => (
      <circle
        class="fig-hover"
        cx={px(scale.x(answeredMicros - startMicros))}
        cy={px(y)}
        r="3.2"
        fill={getStateMark(state).colour}
      >
        <title>
          {`exchange ${escapeForDisplay(exchange, "name")} shows ${escapeForDisplay(state, "name")}: sent ${formatDuration(Math.max(0, sentMicros - startMicros))}, answered ${formatDuration(Math.max(0, answeredMicros - startMicros))}`}
        </title>
      </circle>
    ))}
  </g>
);

/** Sorts frames first, so that bars are drawn over the frames of long polls. */
export const sortFramesFirst = (spans: readonly PlacedSpan[]): readonly PlacedSpan[] => [
  ...spans.filter(({ isCertain }) => !isCertain),
  ...spans.filter(({ isCertain }) => isCertain),
];

/** Shows the states of one question as bars and frames, and the polls below. */
export const QuestionRow = ({ id, layout, question: { lane, spans, barTop } }: QuestionRowProps): JSX.Element => (
  <g>
    <StraightLine
      from={[lanesPlot.left, barTop + lanesPlot.barHeight / 2]}
      to={[lanesPlot.right, barTop + lanesPlot.barHeight / 2]}
      stroke={palette.grid}
      stroke-opacity="0.5"
      stroke-dasharray="1 4"
    />
    {sortFramesFirst(spans).map((span) => (
      <SpanMark id={id} layout={layout} barTop={barTop} span={span} />
    ))}
    {spans.map((span) => (
      <SpanLabel layout={layout} barTop={barTop} span={span} />
    ))}
    <PollMarks layout={layout} polls={lane.polls} y={barTop + lanesPlot.barHeight + 9} />
  </g>
);
