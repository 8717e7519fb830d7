import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";

/** Maximum number of suggestions. Above it nothing is reported, because a target may have its own maximum. */
const maxValues = 2000;

/** Longer values are not tracked. */
const maxValueLength = 1000;

interface State {
  /** Every value suggested so far. Undefined if there are too many. */
  suggestedValues: Set<string> | undefined;
}

const collectValues = (filters: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    filters
      .map((filter) => member(filter, "value"))
      .filter((value) => typeof value === "string")
      .filter((value) => value !== ""),
  );

function findMissing(values: ReadonlySet<string>, suggestedValues: ReadonlySet<string>): string | undefined {
  for (const value of suggestedValues) {
    if (!values.has(value)) {
      return value;
    }
  }
  return undefined;
}

function addFilters(state: State, event: StreamEvent, report: Reporter): void {
  const { suggestedValues } = state;
  // An empty array may be sent if there are no suggestions.
  if (suggestedValues === undefined || !Array.isArray(event.value) || event.value.length === 0) {
    return;
  }
  const values = collectValues(event.value);
  report.observation(Number(suggestedValues.size > 0));
  const missingValue = findMissing(values, suggestedValues);
  if (missingValue !== undefined) {
    const message = `the filter \`${formatValue(missingValue)}\` of an earlier \`filters\` is missing`;
    report.violation({ message, ...dataPosition(event, "") });
  }
  for (const value of values) {
    if (value.length <= maxValueLength) {
      suggestedValues.add(value);
    }
  }
  if (suggestedValues.size > maxValues) {
    state.suggestedValues = undefined;
  }
}

/**
 * Later filters may have more entries than earlier ones. The specification does not require them to keep the earlier
 * ones. Source: search-stream, section 6.
 */
export const filtersOnlyGrow = defineStreamRule<State>({
  id: "stream/filters-only-grow",
  start: () => ({ suggestedValues: new Set() }),
  on: { filters: addFilters },
});
