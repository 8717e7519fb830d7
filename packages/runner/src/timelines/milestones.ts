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

/** Creates the milestones of one stream. Parses only the data that milestones depend on. */
export function createMilestones(): Milestones {
  const times: MilestoneTimes = {};
  return {
    record(frame, atMicros) {
      times.firstEventAtMicros ??= atMicros;
      if (times.doneAtMicros !== undefined) {
        // Events after `done` are ignored.
        return frame.name === "matches" ? { matches: countEntries(parseValue(frame)) } : { matches: 0 };
      }
      switch (frame.name) {
        case "matches":
          return addMatches(times, parseValue(frame), atMicros);
        case "progress":
          addProgress(times, parseValue(frame), atMicros);
          break;
        case "done":
          times.doneAtMicros ??= atMicros;
          break;
        default:
          break;
      }
      return { matches: 0 };
    },
    times: times,
  };
}

const countEntries = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function addMatches(times: MilestoneTimes, value: unknown, atMicros: number): EventSummary {
  const matches = countEntries(value);
  if (matches > 0) {
    times.firstMatchAtMicros ??= atMicros;
  }
  return { matches };
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
