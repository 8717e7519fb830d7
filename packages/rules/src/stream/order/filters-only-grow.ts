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
  /** For every value suggested so far the index of the last event that suggested it. Undefined if there are too many. */
  lastEvents: Map<string, number> | undefined;
}

function findMissing(lastEvents: ReadonlyMap<string, number>, event: StreamEvent): string | undefined {
  for (const [value, lastEvent] of lastEvents) {
    if (lastEvent !== event.index) {
      return value;
    }
  }
  return undefined;
}

function addFilters(state: State, event: StreamEvent, report: Reporter): void {
  const { lastEvents } = state;
  // An empty array may be sent if there are no suggestions.
  if (lastEvents === undefined || !Array.isArray(event.value) || event.value.length === 0) {
    return;
  }
  const earlierCount = lastEvents.size;
  let keptCount = 0;
  for (const filter of event.value) {
    const value = member(filter, "value");
    if (typeof value === "string" && value !== "" && value.length <= maxValueLength) {
      const lastEvent = lastEvents.get(value);
      keptCount += Number(lastEvent !== undefined && lastEvent !== event.index);
      lastEvents.set(value, event.index);
    }
  }
  report.observation(Number(earlierCount > 0));
  const missingValue = keptCount < earlierCount ? findMissing(lastEvents, event) : undefined;
  if (missingValue !== undefined) {
    const message = `the filter \`${formatValue(missingValue)}\` of an earlier \`filters\` is missing`;
    report.violation({ message, ...dataPosition(event, "") });
  }
  if (lastEvents.size > maxValues) {
    state.lastEvents = undefined;
  }
}

/**
 * Later filters may have more entries than earlier ones. The specification does not require them to keep the earlier
 * ones. Source: search-stream, section 6.
 */
export const filtersOnlyGrow = defineStreamRule<State>({
  id: "stream/filters-only-grow",
  start: () => ({ lastEvents: new Map() }),
  on: { filters: addFilters },
});
