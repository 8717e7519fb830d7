import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { EventLane, StreamTimeline } from "@assay/results";
import { createEventFramer } from "@assay/stream-grammar";
import { describeFailure } from "../judge/exchange-failures.ts";
import { createChunkClock } from "./chunk-clock.ts";
import { createEventLanes } from "./event-lanes.ts";
import { createMilestones } from "./milestones.ts";
import type { MilestoneTimes } from "./milestones.ts";

/** Maximum length of a line. Events after a longer line are not drawn. */
const maxLineBytes = 64 * 1024 * 1024;
const maxUrlLength = 500;

/** The events and milestones of a stream. Times are relative to the start of the run. */
interface Arrival {
  readonly firstByteAtMicros?: number;
  readonly lastByteAtMicros: number;
  readonly milestoneTimes: MilestoneTimes;
  readonly lanes: readonly EventLane[];
  readonly limit?: string;
}

/**
 * Returns the timeline of the stream in one exchange. It contains each event that has both fields, including events after `done` and
 * events that are not JSON. The bytes of an event extend to the end of its data. `buffered` is the message of the buffering verdict.
 * Takes linear time, and memory for the longest line.
 */
export function createStreamTimeline(exchange: RecordedExchange, bufferingMessage?: string): StreamTimeline {
  const { id, probe, request, response, times } = exchange.record;
  const arrival = findArrival(exchange);
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

function toMilestones({ firstByteAtMicros, milestoneTimes }: Arrival, toElapsed: ToElapsed): Milestones {
  const { firstEventAtMicros, firstMatchAtMicros, finalProgressAtMicros, doneAtMicros, serverDurationMs } =
    milestoneTimes;
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

const findArrival = (exchange: RecordedExchange): Arrival =>
  exchange.unreadable === undefined ? readArrival(exchange) : readChunkTimes(exchange);

/** Returns the arrival of a body whose bytes are no longer available, so that only times are known. */
function readChunkTimes({ record: { response } }: RecordedExchange): Arrival {
  const [first, ...more] = (response?.body.chunks ?? []).map(([, atMicros]) => atMicros);
  const lastByteAtMicros = more.reduce((latest, atMicros) => Math.max(latest, atMicros), first ?? 0);
  return {
    ...defined({ firstByteAtMicros: first }),
    lastByteAtMicros,
    milestoneTimes: {},
    lanes: [],
  };
}

function readArrival(exchange: RecordedExchange): Arrival {
  const clock = createChunkClock();
  const lanes = createEventLanes();
  const milestones = createMilestones();
  let nowMicros = 0;
  let limit: string | undefined;
  let firstByteAtMicros: number | undefined;
  const framer = createEventFramer({
    maxLineBytes,
    onTooLong() {
      limit = `a line is longer than ${maxLineBytes} bytes; what follows is not drawn`;
    },
    onViolation() {},
    onObservation() {},
    onBlockEnd() {},
    onFrame(frame) {
      const toMicros = Math.max(frame.atMicros, clock.timeAt(frame.offset));
      const { matches } = milestones.record(frame, toMicros);
      const bytes = Math.max(0, frame.dataOffset + (frame.end - frame.start) - frame.offset);
      lanes.add({ name: frame.name, fromMicros: clock.timeAt(frame.offset), toMicros, bytes, matches });
    },
  });
  for (const { bytes, atMicros } of exchange.chunks()) {
    nowMicros = clock.add(bytes.length, atMicros);
    firstByteAtMicros ??= bytes.length > 0 ? nowMicros : undefined;
    framer.push(bytes, nowMicros);
  }
  // If the stream was cut off inside an event, that event is incomplete.
  if (exchange.record.end.kind === "complete") {
    framer.end();
  }
  return {
    ...defined({ firstByteAtMicros }),
    lastByteAtMicros: nowMicros,
    milestoneTimes: milestones.times,
    lanes: lanes.lanes(),
    ...defined({ limit }),
  };
}
