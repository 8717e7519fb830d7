import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { EventLane, RunResult, RunTimelines, StreamTimeline } from "@assay/results";
import { answerGroup } from "../judge/answer-group.ts";
import { maxTicks } from "./event-lanes.ts";
import { mergeTicks } from "./merge-ticks.ts";
import { streamTimeline } from "./stream-timeline.ts";

const maxStreams = 60;

/** Maximum number of ticks of all streams together, to keep pages small. */
const maxTicksInAll = 4000;

/**
 * Selects the most informative streams of a run: first those in violations, then those that were cut off, then the slowest. Returns them
 * in the order of their exchanges. Skips responses that are not streams.
 */
export function streamTimelines(
  exchanges: readonly RecordedExchange[],
  result: Pick<RunResult, "verdicts">,
  citedIds: ReadonlySet<string>,
): Pick<RunTimelines, "streams" | "moreStreams"> {
  const streams = exchanges.filter((exchange) => exchange.record.interface === "stream" && isStream(exchange));
  const chosen = [...streams].sort(byInterest(citedIds)).slice(0, maxStreams).sort(byId);
  const buffered = bufferedStreams(result);
  const timelines = chosen.map((exchange) => streamTimeline(exchange, buffered.get(exchange.record.id)));
  return { streams: withinBudget(timelines), moreStreams: streams.length - chosen.length };
}

const isStream = (exchange: RecordedExchange): boolean =>
  exchange.record.response !== undefined && answerGroup(exchange) === "stream";

const byId = ({ record: one }: RecordedExchange, { record: other }: RecordedExchange): number =>
  one.id < other.id ? -1 : Number(one.id > other.id);

const byInterest =
  (citedIds: ReadonlySet<string>) =>
  (a: RecordedExchange, b: RecordedExchange): number =>
    findRank(a, citedIds) - findRank(b, citedIds) || lastedMicros(b) - lastedMicros(a) || byId(a, b);

const findRank = ({ record, unreadable }: RecordedExchange, citedIds: ReadonlySet<string>): number => {
  if (citedIds.has(record.id)) {
    return 0;
  }
  return record.end.kind === "failed" ? 1 : unreadable === undefined ? 2 : 3;
};

const lastedMicros = ({ record: { times } }: RecordedExchange): number => times.endedAtMicros - times.sentAtMicros;

/** The rule that detects buffered streams. Its findings contain their exchange ids. */
const bufferingRule: RuleId = "stream/results-arrive-incrementally";

function bufferedStreams({ verdicts }: Pick<RunResult, "verdicts">): ReadonlyMap<string, string> {
  const verdict = verdicts.find(({ rule }) => rule === bufferingRule)?.verdict;
  const findings = verdict?.outcome === "failed" || verdict?.outcome === "warned" ? verdict.findings : [];
  return new Map(
    findings.flatMap(({ kind, exchange, message }) =>
      kind === "violation" && exchange !== undefined ? [[exchange, message] as const] : [],
    ),
  );
}

const ticksIn = (streams: readonly StreamTimeline[]): number =>
  streams.reduce((sum, { lanes }) => sum + lanes.reduce((inLanes, { ticks }) => inLanes + ticks.length, 0), 0);

/** Reduces the number of ticks in each lane until all streams fit. */
function withinBudget(streams: readonly StreamTimeline[]): readonly StreamTimeline[] {
  let fitting = streams;
  for (let max = maxTicks / 2; ticksIn(fitting) > maxTicksInAll && max >= 1; max = Math.floor(max / 2)) {
    fitting = fitting.map((stream) => ({ ...stream, lanes: stream.lanes.map((lane) => shortened(lane, max)) }));
  }
  return fitting;
}

const shortened = (lane: EventLane, max: number): EventLane => ({ ...lane, ticks: mergeTicks(lane.ticks, max) });
