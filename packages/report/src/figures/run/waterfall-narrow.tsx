import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { counted, formatDuration, formatSize } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { palette } from "../../printers/html/palette.ts";
import { measureOurDuration } from "./clock-brackets.tsx";
import { getEventColour } from "./event-ticks.tsx";
import { narrowWidth } from "../figure-frame.tsx";
import { NoticeBox } from "./notice-box.tsx";
import { listStreamPhases } from "./phase-bar.tsx";
import { StraightLine } from "../straight-line.tsx";
import { px } from "../svg-number.ts";
import { cutToWidth } from "../text-width.ts";
import { axisHeight, TimeAxis } from "./time-axis.tsx";
import { type TimeScale, createTimeScale } from "./time-scale.ts";
import { computeScaleEnd, selectDrawnLanes, placeNotices } from "./waterfall-layout.ts";

const plot = { left: 8, right: narrowWidth - 8, noticeColumns: 46 } as const;
const rowHeight = 34;
const barHeight = 12;

/** A filled time span. */
interface Bar {
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly colour: string;
  readonly opacity: number;
}

/** A name, its total, and bars below. */
interface Row {
  readonly name: string;
  readonly total: string;
  readonly bars: readonly Bar[];
}

/** Merges overlapping bars of one colour, which keeps the page small. */
const mergeBars = (bars: readonly Bar[], scale: TimeScale): readonly Bar[] => {
  const mergedBars: Bar[] = [];
  for (const bar of bars) {
    const last = mergedBars.at(-1);
    if (last === undefined || scale.x(bar.fromMicros) - scale.x(last.toMicros) > 1) {
      mergedBars.push(bar);
    } else {
      mergedBars[mergedBars.length - 1] = { ...last, toMicros: Math.max(last.toMicros, bar.toMicros) };
    }
  }
  return mergedBars;
};

const createClockRows = (timeline: StreamTimeline): readonly Row[] => {
  const { serverDurationMs } = timeline;
  if (serverDurationMs === undefined) {
    return [];
  }
  const { fromMicros, toMicros } = measureOurDuration(timeline);
  const targetMicros = 1000 * serverDurationMs;
  const clockRow = (name: string, micros: number, colour: string): Row => ({
    name,
    total: `search took ${formatDuration(micros)}`,
    bars: [{ fromMicros, toMicros: fromMicros + micros, colour, opacity: 0.7 }],
  });
  return [
    clockRow("target's clock", targetMicros, palette.second),
    clockRow("our clock", toMicros - fromMicros, palette.muted),
  ];
};

const createWaterfallRows = (timeline: StreamTimeline, scale: TimeScale): readonly Row[] => [
  {
    name: "connection",
    total: timeline.headersMicros === undefined ? "" : `head after ${formatDuration(timeline.headersMicros)}`,
    bars: listStreamPhases(timeline),
  },
  ...selectDrawnLanes(timeline).map(({ event, events, ticks }): Row => ({
    name: escapeForDisplay(event, "name"),
    total: `${counted(events, "event")}, ${formatSize(ticks.reduce((sum, { bytes }) => sum + bytes, 0))}`,
    bars: mergeBars(
      ticks.map((tick) => ({ ...tick, colour: getEventColour(event), opacity: 0.85 })),
      scale,
    ),
  })),
  ...createClockRows(timeline),
];

const RowMarks = ({
  row: { name, total, bars },
  y,
  scale,
}: {
  readonly row: Row;
  readonly y: number;
  readonly scale: TimeScale;
}) => (
  <g fill="currentColor">
    <text x={plot.left} y={y + 13} font-size="12" font-weight="600">
      {cutToWidth(name, 150, 12)}
    </text>
    <text x={plot.right} y={y + 13} font-size="11.5" text-anchor="end">
      {total}
    </text>
    {bars.map(({ fromMicros, toMicros, colour, opacity }) => (
      <rect
        x={px(scale.x(fromMicros))}
        y={y + 18}
        width={px(Math.max(2, scale.x(toMicros) - scale.x(fromMicros)))}
        height={barHeight}
        fill={colour}
        fill-opacity={opacity}
      />
    ))}
  </g>
);

/** Draws a stream for a narrow page: a row for the connection, each kind of event and each clock, with labels above the bars. */
export const drawNarrowWaterfall = (
  timeline: StreamTimeline,
): { readonly height: number; readonly children: JSX.Element } => {
  const scale = createTimeScale(computeScaleEnd(timeline), plot.left, plot.right);
  const rows = createWaterfallRows(timeline, scale);
  const notices = placeNotices(timeline, plot.noticeColumns);
  const top = notices.reduce((bottom, notice) => Math.max(bottom, notice.top + notice.height + 8), 4);
  const bottom = top + rows.length * rowHeight + 4;
  const { firstMatchMicros } = timeline;
  return {
    height: bottom + axisHeight,
    children: (
      <>
        {notices.map((notice) => (
          <NoticeBox notice={notice} left={4} width={narrowWidth - 8} />
        ))}
        <TimeAxis scale={scale} top={top} bottom={bottom} since="since the request was sent" />
        {firstMatchMicros === undefined ? null : (
          <StraightLine
            from={[scale.x(firstMatchMicros), top]}
            to={[scale.x(firstMatchMicros), bottom]}
            stroke="currentColor"
            stroke-opacity="0.45"
            stroke-dasharray="3 3"
          />
        )}
        {rows.map((row, index) => (
          <RowMarks row={row} y={top + index * rowHeight} scale={scale} />
        ))}
      </>
    ),
  };
};
