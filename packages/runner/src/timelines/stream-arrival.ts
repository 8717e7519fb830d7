import { defined } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { member } from "@assay/reading";
import type { EventLane } from "@assay/results";
import { countMatches, createMatchReader } from "@assay/rules";
import { createEventFramer, nestsTooDeep } from "@assay/stream-grammar";
import type { Frame, StreamEvent } from "@assay/stream-grammar";
import { createChunkClock } from "./chunk-clock.ts";
import { createEventLanes } from "./event-lanes.ts";

/** Maximum length of a line. Events after a longer line are not drawn. */
const maxLineBytes = 64 * 1024 * 1024;

/** The events and milestones of a stream. Times are microseconds since the start of the run. Milestones that were not reached are absent. */
export interface StreamArrival {
  readonly firstByteAtMicros?: number;
  readonly lastByteAtMicros: number;
  readonly firstEventAtMicros?: number;
  readonly firstMatchAtMicros?: number;
  readonly finalProgressAtMicros?: number;
  readonly doneAtMicros?: number;
  /** Taken from the last `progress` event that contains it, in milliseconds. */
  readonly serverDurationMs?: number;
  readonly lanes: readonly EventLane[];
  /** The reason why the end of the stream is not drawn. */
  readonly limit?: string;
}

/** The arrivals of streams that were recorded while they were judged, by the id of the exchange. */
export type StreamArrivals = ReadonlyMap<string, StreamArrival>;

type EventPosition = Pick<StreamEvent, "name" | "offset" | "dataOffset" | "dataBytes" | "atMicros">;

/** An event with the facts that are drawn. */
interface ArrivedEvent extends EventPosition {
  /** Number of elements in the event's `matches` array. */
  readonly matches: number;
  /** Returns the parsed data, or undefined if it is not JSON. Called only for events whose data is drawn. */
  readonly readValue: () => unknown;
}

/** Records the events of one stream. Memory use does not depend on the number of events. */
interface ArrivalRecorder {
  /** Adds the next chunk and returns its arrival time. */
  addChunk(bytes: number, atMicros: number): number;
  addEvent(event: ArrivedEvent): void;
  build(limit?: string): StreamArrival;
}

function createArrivalRecorder(): ArrivalRecorder {
  const clock = createChunkClock();
  const lanes = createEventLanes();
  const milestones: { -readonly [Name in keyof StreamArrival]?: StreamArrival[Name] } = {};
  let lastByteAtMicros = 0;
  const addProgress = (value: unknown, atMicros: number): void => {
    const durationMs = member(value, "durationMs");
    if (typeof durationMs === "number" && Number.isFinite(durationMs) && durationMs >= 0) {
      milestones.serverDurationMs = durationMs;
    }
    if (member(value, "done") === true) {
      milestones.finalProgressAtMicros ??= atMicros;
    }
  };
  const addMilestones = ({ name, matches, readValue }: ArrivedEvent, atMicros: number): void => {
    milestones.firstEventAtMicros ??= atMicros;
    // Events after `done` reach no milestone.
    if (milestones.doneAtMicros !== undefined) {
      return;
    }
    if (matches > 0) {
      milestones.firstMatchAtMicros ??= atMicros;
    } else if (name === "progress") {
      addProgress(readValue(), atMicros);
    } else if (name === "done") {
      milestones.doneAtMicros = atMicros;
    }
  };
  return {
    addChunk(bytes, atMicros) {
      lastByteAtMicros = clock.add(bytes, atMicros);
      if (bytes > 0) {
        milestones.firstByteAtMicros ??= lastByteAtMicros;
      }
      return lastByteAtMicros;
    },
    addEvent(event) {
      const { name, offset, dataOffset, dataBytes, matches } = event;
      const fromMicros = clock.timeAt(offset);
      const toMicros = Math.max(event.atMicros, fromMicros);
      addMilestones(event, toMicros);
      const bytes = Math.max(0, dataOffset + dataBytes - offset);
      lanes.add({ name, fromMicros, toMicros, bytes, matches });
    },
    build: (limit) => ({ ...milestones, lastByteAtMicros, lanes: lanes.lanes(), ...defined({ limit }) }),
  };
}

/**
 * Reads the arrival of a stream from its recorded bytes. It contains each event that has both fields, including events after `done` and
 * events that are not JSON. Takes linear time, and memory for the longest line.
 */
export function readArrival(exchange: RecordedExchange): StreamArrival {
  const recorder = createArrivalRecorder();
  const reader = createMatchReader();
  let limit: string | undefined;
  const framer = createEventFramer({
    maxLineBytes,
    onTooLong() {
      limit = `a line is longer than ${maxLineBytes} bytes; what follows is not drawn`;
    },
    onViolation() {},
    onObservation() {},
    onBlockEnd() {},
    onFrame(frame) {
      const { name, offset, dataOffset, start, end, atMicros } = frame;
      const readValue = (): unknown => parseValue(frame);
      const matches = name === "matches" ? (reader.finish(frame)?.length ?? countEntries(readValue())) : 0;
      recorder.addEvent({ name, offset, dataOffset, dataBytes: end - start, atMicros, matches, readValue });
    },
  });
  for (const { bytes, atMicros } of exchange.chunks()) {
    framer.push(bytes, recorder.addChunk(bytes.length, atMicros));
  }
  // If the stream was cut off inside an event, that event is incomplete.
  if (exchange.record.end.kind === "complete") {
    framer.end();
  }
  return recorder.build(limit);
}

const countEntries = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Parses the data of an event. Returns undefined if it is nested too deeply or is not JSON, which a separate rule reports. */
function parseValue(frame: Frame): unknown {
  if (nestsTooDeep(frame)) {
    return undefined;
  }
  const { buffer, start, end, mayHoldNonAscii } = frame;
  try {
    return JSON.parse(buffer.toString(mayHoldNonAscii ? "utf8" : "latin1", start, end));
  } catch {
    return undefined;
  }
}

/** Records the arrival of a stream while it is judged, so that a long stream is not read twice. */
export interface JudgedArrival {
  addChunk(bytes: number, atMicros: number): void;
  readonly addEvent: (event: StreamEvent) => void;
  /** Returns what `readArrival` returns, or undefined for a stream that has bytes after `done`, no `done`, or chunks with disordered times. */
  build(): StreamArrival | undefined;
}

/** Length of the two longest line ends, which may follow the data of the last event. */
const maxEndBytes = "\r\n\r\n".length;

/** Creates the arrival of one stream. */
export function createJudgedArrival(): JudgedArrival {
  const recorder = createArrivalRecorder();
  let bodyBytes = 0;
  let isOrdered = true;
  // The judge does not read what follows `done`.
  let doneEndOffset = Number.NEGATIVE_INFINITY;
  return {
    addChunk(bytes, atMicros) {
      bodyBytes += bytes;
      isOrdered &&= recorder.addChunk(bytes, atMicros) === atMicros;
    },
    addEvent(event) {
      const { name, offset, dataOffset, dataBytes, atMicros } = event;
      const matches = name === "matches" ? (countMatches(event) ?? 0) : 0;
      recorder.addEvent({ name, offset, dataOffset, dataBytes, atMicros, matches, readValue: () => event.value });
      if (name === "done") {
        doneEndOffset = dataOffset + dataBytes;
      }
    },
    build: () => (isOrdered && bodyBytes <= doneEndOffset + maxEndBytes ? recorder.build() : undefined),
  };
}
