import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { EventLane, StreamTimeline } from "@assay/results";
import { createEventFramer } from "@assay/stream-grammar";
import { describeFailure } from "../judge/exchange-failures.ts";
import { createChunkClock } from "./chunk-clock.ts";
import { createEventLanes } from "./event-lanes.ts";
import { createMilestones } from "./milestones.ts";
import type { Reached } from "./milestones.ts";

/** Maximum length of a line. Events after a longer line are not drawn. */
const maxLineBytes = 64 * 1024 * 1024;
const urlLength = 500;

/** The events and milestones of a stream. Times are relative to the start of the run. */
interface Arrival {
  readonly firstByteAtMicros?: number;
  readonly lastByteAtMicros: number;
  readonly reached: Reached;
  readonly lanes: readonly EventLane[];
  readonly limit?: string;
}

/**
 * Returns the timeline of the stream in one exchange. It contains each event that has both fields, including events after `done` and
 * events that are not JSON. The bytes of an event extend to the end of its data. `buffered` is the message of the buffering verdict.
 * Takes linear time, and memory for the longest line.
 */
export function streamTimeline(exchange: RecordedExchange, buffered?: string): StreamTimeline {
  const { id, probe, request, response, times } = exchange.record;
  const arrival = arrivalOf(exchange);
  const since = sinceMicros(times.sentAtMicros);
  const endedMicros = since(Math.max(times.endedAtMicros, arrival.lastByteAtMicros));
  const failure = describeFailure(exchange) ?? arrival.limit;
  return {
    exchange: id,
    probe,
    url: visibleText(request.url, urlLength),
    ...(response === undefined ? {} : { status: response.status }),
    bytes: response?.body.bytes ?? 0,
    ...findPhases(exchange, since, endedMicros),
    ...toMilestones(arrival, since),
    endedMicros,
    ...defined({ buffered }),
    lanes: arrival.lanes.map((lane) => sinceSent(lane, since)),
    ...defined({ failure }),
  };
}

type Since = (atMicros: number) => number;

/** Returns a function that converts times to whole microseconds since the request was sent, and earlier times to 0. */
const sinceMicros =
  (sentAtMicros: number): Since =>
  (atMicros) =>
    Math.max(0, Math.round(atMicros - sentAtMicros));

function findPhases(
  { record: { times } }: RecordedExchange,
  since: Since,
  endedMicros: number,
): Pick<StreamTimeline, "connectedMicros" | "headersMicros"> {
  const { connectedAtMicros, headersAtMicros } = times;
  const within = (atMicros: number): number => Math.min(since(atMicros), endedMicros);
  return {
    ...(connectedAtMicros === undefined ? {} : { connectedMicros: within(connectedAtMicros) }),
    ...(headersAtMicros === undefined ? {} : { headersMicros: within(headersAtMicros) }),
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

function toMilestones({ firstByteAtMicros, reached }: Arrival, since: Since): Milestones {
  const { firstEventAtMicros, firstMatchAtMicros, finalProgressAtMicros, doneAtMicros, serverDurationMs } = reached;
  return {
    ...(firstByteAtMicros === undefined ? {} : { firstByteMicros: since(firstByteAtMicros) }),
    ...(firstEventAtMicros === undefined ? {} : { firstEventMicros: since(firstEventAtMicros) }),
    ...(firstMatchAtMicros === undefined ? {} : { firstMatchMicros: since(firstMatchAtMicros) }),
    ...(finalProgressAtMicros === undefined ? {} : { finalProgressMicros: since(finalProgressAtMicros) }),
    ...(doneAtMicros === undefined ? {} : { doneMicros: since(doneAtMicros) }),
    ...defined({ serverDurationMs }),
  };
}

const sinceSent = (lane: EventLane, since: Since): EventLane => ({
  ...lane,
  ticks: lane.ticks.map((tick) => ({ ...tick, fromMicros: since(tick.fromMicros), toMicros: since(tick.toMicros) })),
});

const arrivalOf = (exchange: RecordedExchange): Arrival =>
  exchange.unreadable === undefined ? readArrival(exchange) : arrivalOfChunks(exchange);

/** Returns the arrival of a body whose bytes are no longer available, so that only times are known. */
function arrivalOfChunks({ record: { response } }: RecordedExchange): Arrival {
  const [first, ...more] = (response?.body.chunks ?? []).map(([, atMicros]) => atMicros);
  const lastByteAtMicros = more.reduce((latest, atMicros) => Math.max(latest, atMicros), first ?? 0);
  return {
    ...defined({ firstByteAtMicros: first }),
    lastByteAtMicros,
    reached: {},
    lanes: [],
  };
}

function readArrival(exchange: RecordedExchange): Arrival {
  const clock = createChunkClock();
  const lanes = createEventLanes();
  const milestones = createMilestones();
  let now = 0;
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
      const toMicros = Math.max(frame.atMicros, clock.at(frame.offset));
      const { matches } = milestones.take(frame, toMicros);
      const bytes = Math.max(0, frame.dataOffset + (frame.end - frame.start) - frame.offset);
      lanes.add({ name: frame.name, fromMicros: clock.at(frame.offset), toMicros, bytes, matches });
    },
  });
  for (const { bytes, atMicros } of exchange.chunks()) {
    now = clock.add(bytes.length, atMicros);
    firstByteAtMicros ??= bytes.length > 0 ? now : undefined;
    framer.push(bytes, now);
  }
  // If the stream was cut off inside an event, that event is incomplete.
  if (exchange.record.end.kind === "complete") {
    framer.end();
  }
  return {
    ...defined({ firstByteAtMicros }),
    lastByteAtMicros: now,
    reached: milestones.reached,
    lanes: lanes.lanes(),
    ...defined({ limit }),
  };
}
