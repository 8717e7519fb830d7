import { createMatchReader } from "@assay/rules";
import { nestsTooDeep } from "@assay/stream-grammar";
import type { Frame } from "@assay/stream-grammar";
import { member } from "@assay/reading";

/** The part of an event that milestones depend on. */
export interface EventSummary {
  /** Number of elements in the event's `matches` array. */
  readonly matches: number;
}

/** Times at which milestones were reached, in microseconds since the start of the run. Absent for milestones not reached. */
export interface MilestoneTimes {
  firstEventAtMicros?: number;
  firstMatchAtMicros?: number;
  finalProgressAtMicros?: number;
  doneAtMicros?: number;
  /** Taken from the last `progress` event that contains it, in milliseconds. */
  serverDurationMs?: number;
}

/** Records the milestones of one stream. */
export interface Milestones {
  record(frame: Frame, atMicros: number): EventSummary;
  readonly times: Readonly<MilestoneTimes>;
}

/** Creates the milestones of one stream. Reads only the data that milestones depend on, and counts matches without parsing them. */
export function createMilestones(): Milestones {
  const times: MilestoneTimes = {};
  const reader = createMatchReader();
  return {
    record(frame, atMicros) {
      const matches = frame.name === "matches" ? (reader.finish(frame)?.length ?? countEntries(parseValue(frame))) : 0;
      times.firstEventAtMicros ??= atMicros;
      // Events after `done` reach no milestone.
      if (times.doneAtMicros === undefined) {
        addEvent(times, { frame, atMicros, matches });
      }
      return { matches };
    },
    times: times,
  };
}

const countEntries = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

interface TimedEvent extends EventSummary {
  readonly frame: Frame;
  readonly atMicros: number;
}

function addEvent(times: MilestoneTimes, { frame, atMicros, matches }: TimedEvent): void {
  if (matches > 0) {
    times.firstMatchAtMicros ??= atMicros;
  } else if (frame.name === "progress") {
    addProgress(times, parseValue(frame), atMicros);
  } else if (frame.name === "done") {
    times.doneAtMicros = atMicros;
  }
}

function addProgress(times: MilestoneTimes, value: unknown, atMicros: number): void {
  const durationMs = member(value, "durationMs");
  if (typeof durationMs === "number" && Number.isFinite(durationMs) && durationMs >= 0) {
    times.serverDurationMs = durationMs;
  }
  if (member(value, "done") === true) {
    times.finalProgressAtMicros ??= atMicros;
  }
}

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
