import type { ConversationTimeline, RunTimelines, StreamTimeline } from "@assay/results";
import { listVerdictFindings } from "./finding-kinds.ts";
import type { PageRun } from "./page-runs.ts";

/** Figures sorted so that those with problems come first. */
export interface OrderedFigures<Timeline> {
  readonly timelines: readonly Timeline[];
  /** Number of figures that show a problem. */
  readonly problemCount: number;
}

/** Returns the ids of exchanges with findings. */
const listExchangesWithFindings = (run: PageRun): ReadonlySet<string> =>
  new Set(
    run.result.verdicts
      .flatMap((rule, index) => listVerdictFindings({ run, index, rule }))
      .flatMap(({ exchange }) => exchange ?? []),
  );

/** Ranks 0 and 1 are problems, rank 2 is none. */
const sortByRank = <Timeline>(
  timelines: readonly Timeline[],
  rank: (timeline: Timeline) => number,
): OrderedFigures<Timeline> => ({
  timelines: timelines.toSorted((a, b) => rank(a) - rank(b)),
  problemCount: timelines.filter((timeline) => rank(timeline) < 2).length,
});

/** Returns the share of a stream's duration between its first byte and its end. */
const measureArrivalSpread = ({ firstByteMicros, endedMicros }: StreamTimeline): number =>
  firstByteMicros === undefined ? 0 : (endedMicros - firstByteMicros) / Math.max(1, endedMicros);

/** Sorts streams: first those with findings, then buffered and failed ones, then all others. Each group is sorted by descending spread. */
export const orderStreams = (run: PageRun, { streams }: RunTimelines): OrderedFigures<StreamTimeline> => {
  const withFindings = listExchangesWithFindings(run);
  const bySpread = streams.toSorted((a, b) => measureArrivalSpread(b) - measureArrivalSpread(a));
  return sortByRank(bySpread, ({ exchange, buffered, failure }) => {
    if (withFindings.has(exchange)) {
      return 0;
    }
    return buffered !== undefined || failure !== undefined ? 1 : 2;
  });
};

/** Sorts conversations: those with findings first. */
export const orderConversations = (
  run: PageRun,
  { conversations }: RunTimelines,
): OrderedFigures<ConversationTimeline> => {
  const withFindings = listExchangesWithFindings(run);
  const hasFinding = ({ lanes }: ConversationTimeline) =>
    lanes.some(({ polls }) => polls.some(({ exchange }) => withFindings.has(exchange)));
  return sortByRank(conversations, (timeline) => (hasFinding(timeline) ? 0 : 2));
};
