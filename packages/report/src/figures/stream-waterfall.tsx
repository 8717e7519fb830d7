import type { StreamTimeline } from "@assay/results";
import type { JSX } from "preact";
import { FigureFrame } from "../load-figures/figure-frame.tsx";
import { BracketNames, ClockBrackets } from "./clock-brackets.tsx";
import { EventTicks, LaneNames } from "./event-ticks.tsx";
import { MilestoneMarks } from "./milestone-marks.tsx";
import { NoticeBox } from "./notice-box.tsx";
import { PhaseBar, PhaseNames } from "./phase-bar.tsx";
import { Silence } from "./silence.tsx";
import { TimeAxis, axisHeight } from "./time-axis.tsx";
import { waterfall, waterfallLayout } from "./waterfall-layout.ts";
import type { PlacedLane } from "./waterfall-layout.ts";
import { waterfallCaption, waterfallDescription, waterfallTable, waterfallTitle } from "./waterfall-words.ts";

interface StreamWaterfallProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  readonly timeline: StreamTimeline;
}

const largestTick = (lanes: readonly PlacedLane[]): number =>
  lanes.reduce((most, { lane }) => lane.ticks.reduce((inLane, { bytes }) => Math.max(inLane, bytes), most), 1);

/**
 * How one stream arrived: connection and head, a lane for each kind of event with marks of its events, what was reached
 * when, and the target's own clock beside ours. A stream that was held back says so in words.
 */
export const StreamWaterfall = ({ id, timeline }: StreamWaterfallProps): JSX.Element => {
  const layout = waterfallLayout(timeline);
  const { scale, notices, lanes, bottom, phaseTop, labelsBottom } = layout;
  const mostBytes = largestTick(lanes);
  return (
    <FigureFrame
      id={id}
      title={waterfallTitle(timeline)}
      description={waterfallDescription(timeline)}
      height={Math.ceil(bottom + axisHeight)}
      caption={waterfallCaption(timeline)}
      isZoomable
      table={waterfallTable(timeline)}
    >
      {notices.map((notice) => (
        <NoticeBox notice={notice} />
      ))}
      <PhaseNames timeline={timeline} top={phaseTop} />
      {lanes.map((placed) => (
        <LaneNames placed={placed} />
      ))}
      <BracketNames timeline={timeline} layout={layout} />
      <g data-zoom-target={`${waterfall.left} ${waterfall.right}`}>
        <TimeAxis scale={scale} top={labelsBottom} bottom={bottom} since="since the request was sent" />
        <Silence timeline={timeline} layout={layout} />
        <MilestoneMarks layout={layout} />
        <PhaseBar timeline={timeline} scale={scale} top={phaseTop} />
        {lanes.map((placed) => (
          <EventTicks placed={placed} scale={scale} mostBytes={mostBytes} />
        ))}
        <ClockBrackets timeline={timeline} layout={layout} />
      </g>
    </FigureFrame>
  );
};
