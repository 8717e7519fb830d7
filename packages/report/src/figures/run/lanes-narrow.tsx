import type { JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapText } from "../../printers/terminal/wrap-text.ts";
import { narrowWidth } from "../figure-frame.tsx";
import { type LanesLayout, lanesPlot, type PlacedQuestion } from "./lanes-layout.ts";
import { palette } from "../../printers/html/palette.ts";
import { sortFramesFirst } from "./question-row.tsx";
import { drawLinePath } from "../shapes.ts";
import { SpanMark } from "./span-mark.tsx";
import { StatePatterns } from "./state-marks.tsx";
import { px } from "../svg-number.ts";
import { cutToWidth } from "../text-width.ts";
import { axisHeight, TimeAxis } from "./time-axis.tsx";
import { createTimeScale } from "./time-scale.ts";

const plot = {
  left: 8,
  right: narrowWidth - 8,
  headingHeight: 22,
  nameHeight: 18,
  pollsHeight: 12,
  lineHeight: 15,
  columns: 48,
} as const;

/** Maximum number of lines of states below the bar of a question. */
const maxLines = 4;

interface Row {
  readonly question: PlacedQuestion;
  readonly top: number;
  readonly lines: readonly string[];
}

interface Group {
  readonly heading: string;
  readonly top: number;
  readonly rows: readonly Row[];
}

const rowHeight = ({ lines }: Pick<Row, "lines">): number =>
  plot.nameHeight + lanesPlot.barHeight + plot.pollsHeight + lines.length * plot.lineHeight + 8;

const formatStateLines = ({ spans }: PlacedQuestion): readonly string[] => {
  const lines = wrapText(spans.map(({ label }) => label).join(" "), plot.columns);
  return lines.length > maxLines ? [...lines.slice(0, maxLines - 1), "…"] : lines;
};

/** Places groups and rows from top to bottom. Returns the bottom of the last one too. */
const placeGroups = ({ groups }: LanesLayout): { readonly groups: readonly Group[]; readonly bottom: number } => {
  let bottom = 4;
  const narrowGroups = groups.map(({ interface: name, questions }): Group => {
    const top = bottom;
    bottom += plot.headingHeight;
    const rows = questions.map((question): Row => {
      const row = { question, top: bottom, lines: formatStateLines(question) };
      bottom += rowHeight(row);
      return row;
    });
    return { heading: `${name} interface`, top, rows };
  });
  return { groups: narrowGroups, bottom };
};

/** The polls of a question as dots, each with a line from its sending. */
const Polls = ({ row: { question, top }, x }: { readonly row: Row; readonly x: (micros: number) => number }) => {
  const y = top + plot.nameHeight + lanesPlot.barHeight + 6;
  const { polls } = question.lane;
  const sendingLines = polls.flatMap(
    ({ sentMicros, answeredMicros }) => [[x(sentMicros), y], [x(answeredMicros), y], undefined] as const,
  );
  const dots = polls.flatMap(
    ({ answeredMicros }) => [[x(answeredMicros), y], [x(answeredMicros), y], undefined] as const,
  );
  return polls.length === 0 ? null : (
    <g fill="none" stroke={palette.muted}>
      <path d={drawLinePath(sendingLines)} />
      <path d={drawLinePath(dots)} stroke-width="5" stroke-linecap="round" />
    </g>
  );
};

const RowTexts = ({ row: { question, top, lines } }: { readonly row: Row }): JSX.Element => {
  const { lane } = question;
  const linesTop = top + plot.nameHeight + lanesPlot.barHeight + plot.pollsHeight + 11;
  return (
    <g fill="currentColor">
      <text x={plot.left} y={top + 13} font-size="12">
        {cutToWidth(escapeForDisplay(lane.question, "name"), 240, 12)}
      </text>
      <text x={plot.right} y={top + 13} font-size="11.5" text-anchor="end">
        {counted(lane.polls.length + lane.morePolls, "poll")}
      </text>
      {lines.map((line, index) => (
        <text x={plot.left} y={linesTop + index * plot.lineHeight} font-size="11.5">
          {line}
        </text>
      ))}
    </g>
  );
};

interface NarrowLanes {
  readonly height: number;
  readonly children: JSX.Element;
}

/** Draws a conversation for a narrow page: the name of each question above its bar, its states in words below. `id` is the prefix of its patterns. */
export const drawNarrowLanes = (id: string, layout: LanesLayout): NarrowLanes => {
  const scale = createTimeScale(layout.scale.endMicros, plot.left, plot.right);
  const { groups, bottom } = placeGroups(layout);
  return {
    height: bottom + axisHeight,
    children: (
      <>
        <StatePatterns id={id} />
        <TimeAxis scale={scale} top={plot.headingHeight} bottom={bottom} since="since its first request" />
        {groups.map(({ heading, top, rows }) => (
          <g>
            <text x={plot.left} y={px(top + 14)} font-size="12" font-weight="700" fill="currentColor">
              {heading}
            </text>
            {rows.map((row) => (
              <>
                <RowTexts row={row} />
                <Polls row={row} x={(micros) => scale.x(micros - layout.startMicros)} />
                {sortFramesFirst(row.question.spans).map((span) => (
                  <SpanMark
                    id={id}
                    layout={{ scale, startMicros: layout.startMicros }}
                    barTop={row.top + plot.nameHeight}
                    span={span}
                  />
                ))}
              </>
            ))}
          </g>
        ))}
      </>
    ),
  };
};
