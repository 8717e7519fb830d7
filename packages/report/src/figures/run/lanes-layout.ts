import type { ConversationTimeline, QuestionLane } from "@assay/results";
import { formatDuration } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { assignLabelRows } from "../label-rows.ts";
import { createStateSpans } from "./state-spans.ts";
import type { StateSpan } from "./state-spans.ts";
import { measureTextWidth } from "../text-width.ts";
import { createTimeScale } from "./time-scale.ts";
import type { TimeScale } from "./time-scale.ts";

/** Dimensions of the lanes of a conversation. */
export const lanesPlot = {
  left: 158,
  /** The last labels extend beyond it. */
  right: 812,
  labelSize: 11,
  labelHeight: 14,
  barHeight: 15,
  pollsHeight: 17,
  gap: 9,
  headingHeight: 24,
} as const;

/** Limits for edited files; our own results are smaller. */
const maxLanes = 48;
const maxPolls = 1000;
const maxLabelRows = 4;

/** A span of one state, with its label if there is room. */
export interface PlacedSpan extends StateSpan {
  readonly label: string;
  /** 0 is the lowest. Absent if there is no room for the label. */
  readonly row?: number;
}

export interface PlacedQuestion {
  readonly lane: QuestionLane;
  readonly spans: readonly PlacedSpan[];
  readonly barTop: number;
}

/** An interface of a conversation with its questions. */
export interface InterfaceGroup {
  readonly interface: QuestionLane["interface"];
  /** Base line of its heading. */
  readonly heading: number;
  readonly questions: readonly PlacedQuestion[];
}

export interface LanesLayout {
  readonly scale: TimeScale;
  /** The zero of the scale, since the start of the run. */
  readonly startMicros: number;
  readonly groups: readonly InterfaceGroup[];
  readonly top: number;
  readonly bottom: number;
}

const interfaces = ["legacy", "current"] as const;

/** Lays out a conversation: the legacy interface above the current one, a lane for each question. */
export function computeLanesLayout({ lanes: allLanes }: ConversationTimeline): LanesLayout {
  const lanes = allLanes.slice(0, maxLanes).map((lane) => ({ ...lane, polls: lane.polls.slice(0, maxPolls) }));
  const polls = lanes.flatMap((lane) => lane.polls);
  const startMicros = polls.reduce((min, { sentMicros }) => Math.min(min, sentMicros), Infinity);
  const endMicros = polls.reduce((max, { answeredMicros }) => Math.max(max, answeredMicros), 0);
  const start = Number.isFinite(startMicros) ? startMicros : 0;
  const scale = createTimeScale(endMicros - start, lanesPlot.left, lanesPlot.right);
  let bottom = 0;
  const groups = interfaces.flatMap((name) => {
    const interfaceLanes = lanes.filter((lane) => lane.interface === name);
    if (interfaceLanes.length === 0) {
      return [];
    }
    const heading = bottom + lanesPlot.headingHeight - 8;
    bottom += lanesPlot.headingHeight;
    const questions = interfaceLanes.map((lane) => {
      const question = placeQuestion(lane, { scale, start, top: bottom });
      bottom = question.barTop + lanesPlot.barHeight + lanesPlot.pollsHeight + lanesPlot.gap;
      return question;
    });
    return { interface: name, heading, questions };
  });
  return { scale, startMicros: start, groups, top: lanesPlot.headingHeight - 4, bottom: bottom };
}

interface RowPosition {
  readonly scale: TimeScale;
  readonly start: number;
  readonly top: number;
}

function placeQuestion(lane: QuestionLane, { scale, start, top }: RowPosition): PlacedQuestion {
  const spans = createStateSpans(lane.polls);
  const labels = spans.map(({ state, isCertain, fromMicros, toMicros }, index) => {
    const name = escapeForDisplay(state, "name");
    const since = isCertain
      ? formatDuration(Math.max(0, fromMicros - start))
      : `by ${formatDuration(Math.max(0, toMicros - start))}`;
    return index === 0 ? name : `→ ${name} ${since}`;
  });
  // More labels would be unreadable.
  const labelledSpans = spans.slice(0, 40);
  const rows = assignLabelRows(
    labelledSpans.map(({ fromMicros }, index) => ({
      x: scale.x(fromMicros - start),
      width: measureTextWidth(labels[index] ?? "", lanesPlot.labelSize),
    })),
  );
  const placedSpans = spans.map((span, index): PlacedSpan => {
    const row = rows[index] ?? maxLabelRows;
    return { ...span, label: labels[index] ?? "", ...(row < maxLabelRows ? { row } : {}) };
  });
  const labelRowCount = placedSpans.reduce((max, { row = 0 }) => Math.max(max, row + 1), 1);
  return { lane, spans: placedSpans, barTop: top + labelRowCount * lanesPlot.labelHeight + 2 };
}
