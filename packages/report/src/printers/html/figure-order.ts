import type { ConversationTimeline, RunTimelines, StreamTimeline } from "@assay/results";
import { findingsOf } from "./finding-kinds.ts";
import type { PageRun } from "./page-runs.ts";

/** Figures, those with problems first. The first `problems` figures are open. */
export interface OrderedFigures<Timeline> {
  readonly timelines: readonly Timeline[];
  /** Number of figures that show a problem. */
  readonly problems: number;
}

/** Returns the ids of exchanges with findings. */
const exchangesWithFindings = (run: PageRun): ReadonlySet<string> =>
  new Set(
    run.result.verdicts
      .flatMap((rule, index) => findingsOf({ run, index, rule }))
      .flatMap(({ exchange }) => exchange ?? []),
  );

const ordered = <Timeline>(
  timelines: readonly Timeline[],
  rankOf: (timeline: Timeline) => number,
): OrderedFigures<Timeline> => ({
  timelines: timelines.toSorted((one, other) => rankOf(one) - rankOf(other)),
  problems: timelines.filter((timeline) => rankOf(timeline) < 2).length,
});

/** Returns the share of a stream's duration between its first byte and its end. */
const spreadOf = ({ firstByteMicros, endedMicros }: StreamTimeline): number =>
  firstByteMicros === undefined ? 0 : (endedMicros - firstByteMicros) / Math.max(1, endedMicros);

/** Sorts streams: first those with findings, then buffered and failed ones, then the rest. Each group is sorted by descending spread. */
export const orderedStreams = (run: PageRun, { streams }: RunTimelines): OrderedFigures<StreamTimeline> => {
  const named = exchangesWithFindings(run);
  const spread = streams.toSorted((one, other) => spreadOf(other) - spreadOf(one));
  return ordered(spread, ({ exchange, buffered, failure }) => {
    if (named.has(exchange)) {
      return 0;
    }
    return buffered !== undefined || failure !== undefined ? 1 : 2;
  });
};

/** Sorts conversations: those with findings first. */
export const orderedConversations = (
  run: PageRun,
  { conversations }: RunTimelines,
): OrderedFigures<ConversationTimeline> => {
  const named = exchangesWithFindings(run);
  const isNamed = ({ lanes }: ConversationTimeline) =>
    lanes.some(({ polls }) => polls.some(({ exchange }) => named.has(exchange)));
  return ordered(conversations, (timeline) => (isNamed(timeline) ? 0 : 2));
};
