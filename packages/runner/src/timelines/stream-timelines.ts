import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { EventLane, RunResult, RunTimelines, StreamTimeline } from "@assay/results";
import { findAnswerGroup } from "../judge/answer-group.ts";
import { maxTicks } from "./event-lanes.ts";
import { mergeTicks } from "./merge-ticks.ts";
import type { StreamArrivals } from "./stream-arrival.ts";
import { createStreamTimeline } from "./stream-timeline.ts";

const maxStreams = 60;

/** Maximum number of ticks of all streams together, to keep pages small. */
const maxTotalTicks = 4000;

/**
 * Selects the most informative streams of a run: first those in violations, then those that were cut off, then the slowest. Returns them
 * in the order of their exchanges. Skips responses that are not streams. Reads the bodies of streams that are not in `arrivals`.
 */
export function selectStreamTimelines(
  exchanges: readonly RecordedExchange[],
  result: Pick<RunResult, "verdicts">,
  { citedIds, arrivals }: { readonly citedIds: ReadonlySet<string>; readonly arrivals: StreamArrivals },
): Pick<RunTimelines, "streams" | "moreStreams"> {
  const streams = exchanges.filter((exchange) => exchange.record.interface === "stream" && isStream(exchange));
  const selectedStreams = [...streams].sort(byRelevance(citedIds)).slice(0, maxStreams).sort(byId);
  const bufferingMessages = findBufferedStreams(result);
  const timelines = selectedStreams.map((exchange) =>
    createStreamTimeline(exchange, {
      bufferingMessage: bufferingMessages.get(exchange.record.id),
      arrival: arrivals.get(exchange.record.id),
    }),
  );
  return { streams: limitTicks(timelines), moreStreams: streams.length - selectedStreams.length };
}

const isStream = (exchange: RecordedExchange): boolean =>
  exchange.record.response !== undefined && findAnswerGroup(exchange) === "stream";

const byId = ({ record: first }: RecordedExchange, { record: second }: RecordedExchange): number =>
  first.id < second.id ? -1 : Number(first.id > second.id);

const byRelevance =
  (citedIds: ReadonlySet<string>) =>
  (a: RecordedExchange, b: RecordedExchange): number =>
    findRank(a, citedIds) - findRank(b, citedIds) || durationMicros(b) - durationMicros(a) || byId(a, b);

const findRank = ({ record, unreadable }: RecordedExchange, citedIds: ReadonlySet<string>): number => {
  if (citedIds.has(record.id)) {
    return 0;
  }
  return record.end.kind === "failed" ? 1 : unreadable === undefined ? 2 : 3;
};

const durationMicros = ({ record: { times } }: RecordedExchange): number => times.endedAtMicros - times.sentAtMicros;

/** The rule that detects buffered streams. Its findings contain their exchange ids. */
const bufferingRule: RuleId = "stream/results-arrive-incrementally";

function findBufferedStreams({ verdicts }: Pick<RunResult, "verdicts">): ReadonlyMap<string, string> {
  const verdict = verdicts.find(({ rule }) => rule === bufferingRule)?.verdict;
  const findings = verdict?.outcome === "failed" || verdict?.outcome === "warned" ? verdict.findings : [];
  return new Map(
    findings.flatMap(({ kind, exchange, message }) =>
      kind === "violation" && exchange !== undefined ? [[exchange, message] as const] : [],
    ),
  );
}

const countTicks = (streams: readonly StreamTimeline[]): number =>
  streams.reduce((sum, { lanes }) => sum + lanes.reduce((laneSum, { ticks }) => laneSum + ticks.length, 0), 0);

/** Reduces the number of ticks in each lane until all streams fit. */
function limitTicks(streams: readonly StreamTimeline[]): readonly StreamTimeline[] {
  let reducedStreams = streams;
  for (
    let maxLaneTicks = maxTicks / 2;
    countTicks(reducedStreams) > maxTotalTicks && maxLaneTicks >= 1;
    maxLaneTicks = Math.floor(maxLaneTicks / 2)
  ) {
    reducedStreams = reducedStreams.map((stream) => ({
      ...stream,
      lanes: stream.lanes.map((lane) => shortenLane(lane, maxLaneTicks)),
    }));
  }
  return reducedStreams;
}

const shortenLane = (lane: EventLane, maxLaneTicks: number): EventLane => ({
  ...lane,
  ticks: mergeTicks(lane.ticks, maxLaneTicks),
});
