import type { StreamEvent } from "@assay/stream-grammar";
import { dataPlace } from "./event-place.ts";
import { formatValue } from "./format-value.ts";
import type { Reporter } from "./reporter.ts";

/** The known values, and the new ones reported for one stream. */
export interface KnownValues {
  readonly known: ReadonlySet<unknown>;
  readonly reported: Set<string>;
}

export const knownValues = (values: readonly string[]): KnownValues => ({
  known: new Set(values),
  reported: new Set(),
});

/** Maximum number of distinct new values reported per stream. */
const maxNewValues = 50;

interface SeenValue {
  readonly value: unknown;
  readonly label: string;
  readonly pointer: string;
}

interface Context {
  readonly report: Reporter;
  readonly event: StreamEvent;
}

/** Records a value of an open set as an observation, and notes each new value once. */
export function recordValue({ known, reported }: KnownValues, seen: SeenValue, { report, event }: Context): void {
  const { value, label, pointer } = seen;
  if (typeof value !== "string") {
    return;
  }
  report.observation();
  if (!known.has(value) && !reported.has(value) && reported.size < maxNewValues) {
    reported.add(value);
    report.note({ message: `new ${label}: \`${formatValue(value)}\``, ...dataPlace(event, pointer) });
  }
}
