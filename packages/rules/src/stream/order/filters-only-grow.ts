import type { StreamEvent } from "@assay/stream-grammar";
import { dataPlace } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";

/** Maximum number of suggestions. Above it nothing is reported, because a target may have its own maximum. */
const maxValues = 2000;

/** Longer values are not tracked. */
const maxLength = 1000;

interface State {
  /** Every value suggested so far. Undefined if there are too many. */
  suggested: Set<string> | undefined;
}

const collectValues = (filters: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    filters
      .map((filter) => member(filter, "value"))
      .filter((value) => typeof value === "string")
      .filter((value) => value !== ""),
  );

function findMissing(values: ReadonlySet<string>, suggested: ReadonlySet<string>): string | undefined {
  for (const value of suggested) {
    if (!values.has(value)) {
      return value;
    }
  }
  return undefined;
}

function addFilters(state: State, event: StreamEvent, report: Reporter): void {
  const { suggested } = state;
  // An empty array may be sent if there are no suggestions.
  if (suggested === undefined || !Array.isArray(event.value) || event.value.length === 0) {
    return;
  }
  const values = collectValues(event.value);
  report.observation(Number(suggested.size > 0));
  const missing = findMissing(values, suggested);
  if (missing !== undefined) {
    const message = `the filter \`${formatValue(missing)}\` of an earlier \`filters\` is missing`;
    report.violation({ message, ...dataPlace(event, "") });
  }
  for (const value of values) {
    if (value.length <= maxLength) {
      suggested.add(value);
    }
  }
  if (suggested.size > maxValues) {
    state.suggested = undefined;
  }
}

/**
 * Later filters may have more entries than earlier ones. The specification does not require them to keep the earlier
 * ones. Source: search-stream, section 6.
 */
export const filtersOnlyGrow = defineStreamRule<State>({
  id: "stream/filters-only-grow",
  start: () => ({ suggested: new Set() }),
  on: { filters: addFilters },
});
