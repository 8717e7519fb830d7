import type { EventLane, StreamTimeline } from "@assay/results";
import { formatDuration } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapText } from "../../printers/terminal/wrap-text.ts";
import { assignLabelRows } from "../label-rows.ts";
import { measureTextWidth } from "../text-width.ts";
import { isSingleBurst } from "./waterfall-words.ts";
import { createTimeScale } from "./time-scale.ts";
import type { TimeScale } from "./time-scale.ts";

/** Dimensions of the waterfall of a stream. */
export const waterfall = {
  left: 132,
  /** Totals and the last labels extend beyond it. */
  right: 792,
  labelSize: 11,
  labelHeight: 15,
  laneHeight: 27,
  phaseHeight: 24,
  noticeLine: 16,
  noticeWidth: 940,
} as const;

/** Characters in a line of a notice. */
const noticeColumns = 128;

/** Limits for edited files; our own results are smaller. */
const maxLanes = 16;
const maxTicks = 400;

/** A named time. */
export interface Milestone {
  readonly name: string;
  readonly micros: number;
  readonly text: string;
  readonly x: number;
  /** 0 is the lowest. */
  readonly row: number;
}

/** A box with text above the plot. */
export interface Notice {
  readonly kind: "buffered" | "failure";
  readonly heading: string;
  readonly lines: readonly string[];
  readonly top: number;
  readonly height: number;
}

/** A lane and its base line. */
export interface PlacedLane {
  readonly lane: EventLane;
  readonly base: number;
}

export interface WaterfallLayout {
  readonly scale: TimeScale;
  readonly notices: readonly Notice[];
  readonly milestones: readonly Milestone[];
  /** Top of the lowest row of labels, and of the lanes. */
  readonly labelsBottom: number;
  readonly phaseTop: number;
  readonly lanes: readonly PlacedLane[];
  /** Base lines of the two brackets. Absent if the target sent no duration. */
  readonly brackets?: { readonly targetClock: number; readonly ourClock: number };
  readonly bottom: number;
}

/** Returns the lanes and ticks of a stream that are drawn. */
export const selectDrawnLanes = ({ lanes }: StreamTimeline): readonly EventLane[] =>
  lanes.slice(0, maxLanes).map((lane) => ({ ...lane, ticks: lane.ticks.slice(0, maxTicks) }));

/** Lays out the timeline of a stream, from top to bottom. */
export function computeWaterfallLayout(timeline: StreamTimeline): WaterfallLayout {
  const { left, right, labelHeight, laneHeight, phaseHeight } = waterfall;
  const scale = createTimeScale(computeScaleEnd(timeline), left, right);
  const notices = placeNotices(timeline, noticeColumns);
  const milestones = placeMilestones(timeline, scale);
  const rows = milestones.reduce((max, { row }) => Math.max(max, row + 1), 1);
  const labelsBottom =
    notices.reduce((bottom, { top, height }) => Math.max(bottom, top + height + 10), 4) + rows * labelHeight;
  const phaseTop = labelsBottom + 8;
  const lanesTop = phaseTop + phaseHeight + 6;
  const lanes = selectDrawnLanes(timeline).map((lane, index) => ({
    lane,
    base: lanesTop + (index + 1) * laneHeight - 3,
  }));
  const lanesBottom = lanesTop + lanes.length * laneHeight;
  const hasBrackets = timeline.serverDurationMs !== undefined;
  return {
    scale,
    notices,
    milestones,
    labelsBottom,
    phaseTop,
    lanes,
    ...(hasBrackets ? { brackets: { targetClock: lanesBottom + 22, ourClock: lanesBottom + 44 } } : {}),
    bottom: lanesBottom + (hasBrackets ? 54 : 6),
  };
}

/** Returns the end of the scale: the end of the stream, or of the target's own duration unless that is implausibly long. */
export function computeScaleEnd({ endedMicros, connectedMicros = 0, serverDurationMs = 0 }: StreamTimeline): number {
  const targetEnd = connectedMicros + 1000 * serverDurationMs;
  return targetEnd <= 2 * endedMicros ? Math.max(endedMicros, targetEnd) : endedMicros;
}

function placeMilestones(timeline: StreamTimeline, scale: TimeScale): readonly Milestone[] {
  const reached = [
    { name: "first byte", micros: timeline.firstByteMicros },
    { name: "first event", micros: timeline.firstEventMicros },
    { name: "first match", micros: timeline.firstMatchMicros },
    { name: "final progress", micros: timeline.finalProgressMicros },
    { name: "done", micros: timeline.doneMicros },
    { name: timeline.failure === undefined ? "close" : "broke off", micros: timeline.endedMicros },
  ].flatMap(({ name, micros }) =>
    micros === undefined ? [] : [{ name, micros, text: `${name} ${formatDuration(micros)}`, x: scale.x(micros) }],
  );
  const [first] = reached;
  if (isSingleBurst(timeline) && first !== undefined && reached.length > 1) {
    return [{ ...first, name: "everything", text: `everything at ${formatDuration(first.micros)}`, row: 0 }];
  }
  const rows = assignLabelRows(
    reached.map(({ x, text }) => ({ x, width: measureTextWidth(text, waterfall.labelSize) })),
  );
  return reached.map((milestone, index) => ({ ...milestone, row: rows[index] ?? 0 }));
}

/** Lays out notices about problems of a stream from top to bottom, with lines of at most `columns` characters. */
export function placeNotices({ buffered, failure }: StreamTimeline, columns: number): readonly Notice[] {
  const drafts = [
    { kind: "buffered", heading: "Buffered on the way", text: buffered },
    { kind: "failure", heading: "Incomplete stream", text: failure },
  ] as const;
  let top = 4;
  return drafts.flatMap(({ kind, heading, text }) => {
    if (text === undefined) {
      return [];
    }
    const lines = wrapText(escapeForDisplay(text), columns);
    const notice = { kind, heading, lines, top, height: 24 + lines.length * waterfall.noticeLine };
    top += notice.height + 6;
    return notice;
  });
}
