import { nestsTooDeep } from "@assay/stream-grammar";
import type { Frame } from "@assay/stream-grammar";
import { member } from "@assay/reading";

/** What an event meant for the course of its stream. */
export interface Milestone {
  /** Elements of its `matches` array. */
  readonly matches: number;
}

/** When what was reached, in microseconds since the start of the run; what was not is left out. */
export interface Reached {
  firstEventAtMicros?: number;
  firstMatchAtMicros?: number;
  finalProgressAtMicros?: number;
  doneAtMicros?: number;
  /** Of the last progress that tells it, in milliseconds. */
  serverDurationMs?: number;
}

/** Follows the course of one stream. */
export interface Milestones {
  take(frame: Frame, atMicros: number): Milestone;
  readonly reached: Readonly<Reached>;
}

/** Milestones of a stream of which nothing has come. What its events hold is read only where it tells something. */
export function createMilestones(): Milestones {
  const reached: Reached = {};
  return {
    take(frame, atMicros) {
      reached.firstEventAtMicros ??= atMicros;
      if (reached.doneAtMicros !== undefined) {
        // What stands behind the end belongs to no search.
        return frame.name === "matches" ? { matches: lengthOf(valueOf(frame)) } : { matches: 0 };
      }
      switch (frame.name) {
        case "matches":
          return takeMatches(reached, valueOf(frame), atMicros);
        case "progress":
          takeProgress(reached, valueOf(frame), atMicros);
          break;
        case "done":
          reached.doneAtMicros ??= atMicros;
          break;
        default:
          break;
      }
      return { matches: 0 };
    },
    reached,
  };
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function takeMatches(reached: Reached, value: unknown, atMicros: number): Milestone {
  const matches = lengthOf(value);
  if (matches > 0) {
    reached.firstMatchAtMicros ??= atMicros;
  }
  return { matches };
}

function takeProgress(reached: Reached, value: unknown, atMicros: number): void {
  const durationMs = member(value, "durationMs");
  if (typeof durationMs === "number" && Number.isFinite(durationMs) && durationMs >= 0) {
    reached.serverDurationMs = durationMs;
  }
  if (member(value, "done") === true) {
    reached.finalProgressAtMicros ??= atMicros;
  }
}

/** The data of an event; nothing where it is no JSON, which has a rule of its own, nor where it nests too deep to be judged. */
function valueOf(frame: Frame): unknown {
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
