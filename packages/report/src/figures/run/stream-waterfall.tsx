import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../figure-frame.tsx";
import { BracketNames, ClockBrackets } from "./clock-brackets.tsx";
import { EventTicks, LaneNames } from "./event-ticks.tsx";
import { NoticeBox } from "./notice-box.tsx";
import { PhaseBar, PhaseNames } from "./phase-bar.tsx";
import { TimeAxis, axisHeight } from "./time-axis.tsx";
import { waterfall, computeWaterfallLayout } from "./waterfall-layout.ts";
import type { PlacedLane, WaterfallLayout } from "./waterfall-layout.ts";
import { drawNarrowWaterfall } from "./waterfall-narrow.tsx";
import {
  formatWaterfallCaption,
  describeWaterfall,
  createWaterfallTable,
  formatWaterfallTitle,
} from "./waterfall-words.ts";
import { px } from "../svg-number.ts";
import { StraightLine } from "../straight-line.tsx";
import { palette } from "../../printers/html/palette.ts";
import { formatDuration } from "../../document/counted.ts";
import { measureTextWidth } from "../text-width.ts";

const size = 13;

/** Marks the time before the first byte of a buffered stream. */
const WaitingTime = ({
  timeline: { buffered, firstByteMicros, connectedMicros = 0 },
  layout: { scale, phaseTop, lanes, labelsBottom },
}: {
  readonly timeline: StreamTimeline;
  readonly layout: WaterfallLayout;
}): JSX.Element | null => {
  if (buffered === undefined || firstByteMicros === undefined || firstByteMicros <= connectedMicros) {
    return null;
  }
  const left = scale.x(connectedMicros);
  const width = scale.x(firstByteMicros) - left;
  const bottom = lanes.at(-1)?.base ?? phaseTop;
  // Between two lanes.
  const middle = lanes[Math.floor(lanes.length / 2)];
  const words = `nothing arrived for ${formatDuration(firstByteMicros - connectedMicros)}`;
  return (
    <g>
      <rect
        x={px(left)}
        y={px(labelsBottom)}
        width={px(width)}
        height={px(bottom - labelsBottom)}
        fill={palette.bad}
        fill-opacity="0.09"
      />
      {width < measureTextWidth(words, size) + 10 ? null : (
        <text
          x={px(left + width / 2)}
          y={px((middle?.base ?? bottom) - 9)}
          text-anchor="middle"
          font-size={size}
          font-weight="600"
          fill="currentColor"
        >
          {words}
        </text>
      )}
    </g>
  );
};

/** Draws each milestone as a line through all lanes with its name, in rows without overlap. */
const MilestoneMarks = ({ layout }: { readonly layout: WaterfallLayout }): JSX.Element => (
  <g font-size={waterfall.labelSize}>
    {layout.milestones.map(({ text, x, row }) => {
      const top = layout.labelsBottom - (row + 1) * waterfall.labelHeight;
      return (
        <g>
          <StraightLine
            from={[x, top + 2]}
            to={[x, layout.bottom]}
            stroke="currentColor"
            stroke-opacity="0.45"
            stroke-dasharray="3 3"
          />
          <text x={px(x + 4)} y={px(top + 11)} data-zoom-at={px(x)} fill="currentColor">
            {text}
          </text>
        </g>
      );
    })}
  </g>
);

interface StreamWaterfallProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly timeline: StreamTimeline;
}

const findMaxTickBytes = (lanes: readonly PlacedLane[]): number =>
  lanes.reduce((max, { lane }) => lane.ticks.reduce((laneMax, { bytes }) => Math.max(laneMax, bytes), max), 1);

/**
 * Shows how one stream arrived: connection and head, a lane for each kind of event, milestones, and the durations by the clocks of the
 * target and of Assay. A buffered stream has a notice.
 */
export const StreamWaterfall = ({ id, timeline }: StreamWaterfallProps): JSX.Element => {
  const layout = computeWaterfallLayout(timeline);
  const { scale, notices, lanes, bottom, phaseTop, labelsBottom } = layout;
  const maxBytes = findMaxTickBytes(lanes);
  return (
    <FigureFrame
      id={id}
      title={formatWaterfallTitle(timeline)}
      description={describeWaterfall(timeline)}
      height={Math.ceil(bottom + axisHeight)}
      caption={formatWaterfallCaption(timeline)}
      isZoomable
      narrow={drawNarrowWaterfall(timeline)}
      table={createWaterfallTable(timeline)}
    >
      {notices.map((notice) => (
        <NoticeBox notice={notice} left={10} width={waterfall.noticeWidth} />
      ))}
      <PhaseNames timeline={timeline} top={phaseTop} />
      {lanes.map((placed) => (
        <LaneNames placedLane={placed} />
      ))}
      <BracketNames timeline={timeline} layout={layout} />
      <g data-zoom-target={`${waterfall.left} ${waterfall.right}`}>
        <TimeAxis scale={scale} top={labelsBottom} bottom={bottom} since="since the request was sent" />
        <WaitingTime timeline={timeline} layout={layout} />
        <MilestoneMarks layout={layout} />
        <PhaseBar timeline={timeline} scale={scale} top={phaseTop} />
        {lanes.map((placed) => (
          <EventTicks placedLane={placed} scale={scale} maxBytes={maxBytes} />
        ))}
        <ClockBrackets timeline={timeline} layout={layout} />
      </g>
    </FigureFrame>
  );
};
