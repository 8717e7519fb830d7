import type { ConversationTimeline, RunTimelines, StreamTimeline } from "@assay/results";
import { findingsOf } from "./finding-kinds.ts";
import type { PageRun } from "./page-runs.ts";

/** Drawings with those first that somebody who looks for a fault looks at first; `told` of them are open from the start. */
export interface OrderedFigures<Timeline> {
  readonly timelines: readonly Timeline[];
  /** How many of them show something that is not well. */
  readonly told: number;
}

/** Exchanges that a finding is about. */
const namedIn = (run: PageRun): ReadonlySet<string> =>
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
  told: timelines.filter((timeline) => rankOf(timeline) < 2).length,
});

/** How much of the time of a stream lay between its first byte and its end. */
const spreadOf = ({ firstByteMicros, endedMicros }: StreamTimeline): number =>
  firstByteMicros === undefined ? 0 : (endedMicros - firstByteMicros) / Math.max(1, endedMicros);

/** Streams with findings, then those that were held back or failed, then the rest; of each the one with the widest spread first. */
export const orderedStreams = (run: PageRun, { streams }: RunTimelines): OrderedFigures<StreamTimeline> => {
  const named = namedIn(run);
  const spread = streams.toSorted((one, other) => spreadOf(other) - spreadOf(one));
  return ordered(spread, ({ exchange, buffered, failure }) => {
    if (named.has(exchange)) {
      return 0;
    }
    return buffered !== undefined || failure !== undefined ? 1 : 2;
  });
};

/** Conversations with findings, then the rest; each in its order. */
export const orderedConversations = (
  run: PageRun,
  { conversations }: RunTimelines,
): OrderedFigures<ConversationTimeline> => {
  const named = namedIn(run);
  const isNamed = ({ lanes }: ConversationTimeline) =>
    lanes.some(({ polls }) => polls.some(({ exchange }) => named.has(exchange)));
  return ordered(conversations, (timeline) => (isNamed(timeline) ? 0 : 2));
};
