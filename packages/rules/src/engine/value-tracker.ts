import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "./event-position.ts";
import { formatValue } from "./format-value.ts";
import type { Reporter } from "./reporter.ts";

/** The known values, and the new ones reported for one stream. */
export interface ValueTracker {
  readonly knownValues: ReadonlySet<unknown>;
  readonly reportedValues: Set<string>;
}

/** Creates a tracker for one stream, for which these values are known. */
export const createValueTracker = (values: readonly string[]): ValueTracker => ({
  knownValues: new Set(values),
  reportedValues: new Set(),
});

/** Maximum number of distinct new values reported per stream. */
const maxNewValues = 50;

interface TrackedValue {
  readonly value: unknown;
  readonly label: string;
  readonly pointer: string;
}

interface EventContext {
  readonly report: Reporter;
  readonly event: StreamEvent;
}

/** Records a value of an open set as an observation, and notes each new value once. */
export function recordValue(
  { knownValues, reportedValues }: ValueTracker,
  trackedValue: TrackedValue,
  { report, event }: EventContext,
): void {
  const { value, label, pointer } = trackedValue;
  if (typeof value !== "string") {
    return;
  }
  report.observation();
  if (!knownValues.has(value) && !reportedValues.has(value) && reportedValues.size < maxNewValues) {
    reportedValues.add(value);
    report.note({ message: `new ${label}: \`${formatValue(value)}\``, ...dataPosition(event, pointer) });
  }
}
