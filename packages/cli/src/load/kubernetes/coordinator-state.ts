import { parseJson } from "@assay/evidence";
import { isRecord } from "@assay/reading";

/** Variable with the key that the coordinator and the runners share. */
export const coordinatorKeyName = "ASSAY_COORDINATOR_KEY";

export const coordinatorPort = 6570;

/** The state of a load, which the coordinator prints as a line of JSON. */
export interface CoordinatorState {
  /** Responses of the target that show that it can handle the load, and failed requests, of all runners so far. */
  readonly ok: number;
  readonly failed: number;
  /** Runners that are connected. */
  readonly runners: number;
  /** Number of times that a runner reported a target that asked for fewer requests. */
  readonly distress: number;
  /** Why the load was ended, as one sentence. */
  readonly end?: string;
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);

/** Parses a line that the coordinator has printed. Undefined for any other line. */
export function parseCoordinatorState(line: string): CoordinatorState | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) {
    return undefined;
  }
  const { ok, failed, runners, distress, end } = value;
  return isCount(ok) && isCount(failed) && isCount(runners) && isCount(distress)
    ? { ok, failed, runners, distress, ...(typeof end === "string" ? { end } : {}) }
    : undefined;
}
