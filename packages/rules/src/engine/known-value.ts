import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "./event-place.ts";
import { formatValue } from "./format-value.ts";
import type { Reporter } from "./reporter.ts";

/** Values observed so far and the new ones of one stream. */
export interface KnownValues {
  readonly known: ReadonlySet<unknown>;
  readonly reported: Set<string>;
}

export const knownValues = (values: readonly string[]): KnownValues => ({
  known: new Set(values),
  reported: new Set(),
});

/** Maximum number of different new values of one stream. */
const maxNewValues = 50;

interface SeenValue {
  readonly value: unknown;
  readonly what: string;
  readonly pointer: string;
}

interface Place {
  readonly report: Reporter;
  readonly event: StreamEvent;
}

/** Counts a value of an open set, and notes a new one once. */
export function takeValue({ known, reported }: KnownValues, seen: SeenValue, { report, event }: Place): void {
  const { value, what, pointer } = seen;
  if (typeof value !== "string") {
    return;
  }
  report.observation();
  if (!known.has(value) && !reported.has(value) && reported.size < maxNewValues) {
    reported.add(value);
    report.note({ message: `new ${what}: \`${formatValue(value)}\``, ...dataOf(event, pointer) });
  }
}
