import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { EventLane, StreamTimeline } from "@assay/results";
import { describeFailure } from "../judge/exchange-failures.ts";
import { readArrival } from "./stream-arrival.ts";
import type { StreamArrival } from "./stream-arrival.ts";

const maxUrlLength = 500;

/** Facts about a stream that its exchange does not contain. */
export interface StreamKnowledge {
  /** The message of the buffering verdict. */
  readonly bufferingMessage?: string | undefined;
  /** The arrival, if it was recorded while the stream was judged. Default: reads the body. */
  readonly arrival?: StreamArrival | undefined;
}

/**
 * Returns the timeline of the stream in one exchange. The bytes of an event extend to the end of its data. `buffered` is the message of the
 * buffering verdict.
 */
export function createStreamTimeline(exchange: RecordedExchange, known: StreamKnowledge = {}): StreamTimeline {
  const { id, probe, request, response, times } = exchange.record;
  const { bufferingMessage, arrival = findArrival(exchange) } = known;
  const toElapsed = elapsedSince(times.sentAtMicros);
  const endedMicros = toElapsed(Math.max(times.endedAtMicros, arrival.lastByteAtMicros));
  const failure = describeFailure(exchange) ?? arrival.limit;
  return {
    exchange: id,
    probe,
    url: visibleText(request.url, maxUrlLength),
    ...(response === undefined ? {} : { status: response.status }),
    bytes: response?.body.bytes ?? 0,
    ...findPhases(exchange, toElapsed, endedMicros),
    ...toMilestones(arrival, toElapsed),
    endedMicros,
    ...defined({ buffered: bufferingMessage }),
    lanes: arrival.lanes.map((lane) => withElapsedTicks(lane, toElapsed)),
    ...defined({ failure }),
  };
}

type ToElapsed = (atMicros: number) => number;

/** Returns a function that converts times to whole microseconds since the request was sent, and earlier times to 0. */
const elapsedSince =
  (sentAtMicros: number): ToElapsed =>
  (atMicros) =>
    Math.max(0, Math.round(atMicros - sentAtMicros));

function findPhases(
  { record: { times } }: RecordedExchange,
  toElapsed: ToElapsed,
  endedMicros: number,
): Pick<StreamTimeline, "connectedMicros" | "headersMicros"> {
  const { connectedAtMicros, headersAtMicros } = times;
  const toElapsedWithin = (atMicros: number): number => Math.min(toElapsed(atMicros), endedMicros);
  return {
    ...(connectedAtMicros === undefined ? {} : { connectedMicros: toElapsedWithin(connectedAtMicros) }),
    ...(headersAtMicros === undefined ? {} : { headersMicros: toElapsedWithin(headersAtMicros) }),
  };
}

type Milestones = Pick<
  StreamTimeline,
  | "firstByteMicros"
  | "firstEventMicros"
  | "firstMatchMicros"
  | "finalProgressMicros"
  | "doneMicros"
  | "serverDurationMs"
>;

function toMilestones(arrival: StreamArrival, toElapsed: ToElapsed): Milestones {
  const { firstByteAtMicros, firstEventAtMicros, firstMatchAtMicros } = arrival;
  const { finalProgressAtMicros, doneAtMicros, serverDurationMs } = arrival;
  return {
    ...(firstByteAtMicros === undefined ? {} : { firstByteMicros: toElapsed(firstByteAtMicros) }),
    ...(firstEventAtMicros === undefined ? {} : { firstEventMicros: toElapsed(firstEventAtMicros) }),
    ...(firstMatchAtMicros === undefined ? {} : { firstMatchMicros: toElapsed(firstMatchAtMicros) }),
    ...(finalProgressAtMicros === undefined ? {} : { finalProgressMicros: toElapsed(finalProgressAtMicros) }),
    ...(doneAtMicros === undefined ? {} : { doneMicros: toElapsed(doneAtMicros) }),
    ...defined({ serverDurationMs }),
  };
}

const withElapsedTicks = (lane: EventLane, toElapsed: ToElapsed): EventLane => ({
  ...lane,
  ticks: lane.ticks.map((tick) => ({
    ...tick,
    fromMicros: toElapsed(tick.fromMicros),
    toMicros: toElapsed(tick.toMicros),
  })),
});

const findArrival = (exchange: RecordedExchange): StreamArrival =>
  exchange.unreadable === undefined ? readArrival(exchange) : readChunkTimes(exchange);

/** Returns the arrival of a body whose bytes are no longer available, so that only times are known. */
function readChunkTimes({ record: { response } }: RecordedExchange): StreamArrival {
  const [first, ...more] = (response?.body.chunks ?? []).map(([, atMicros]) => atMicros);
  const lastByteAtMicros = more.reduce((latest, atMicros) => Math.max(latest, atMicros), first ?? 0);
  return {
    ...defined({ firstByteAtMicros: first }),
    lastByteAtMicros,
    lanes: [],
  };
}
