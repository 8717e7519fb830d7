import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries } from "../../engine/skipped-entry.ts";
import { extractFilter } from "../../engine/compare/query-filter.ts";

/** The number that the specification suggests. */
const specifiedCount = 1000;

/** Returns the number of `count:` in the query, or 0 if it is missing, `all` or unknown. */
function readRequestedCount(q: string): number {
  const value = extractFilter(q, "count")?.value ?? "";
  return /^\d+$/u.test(value) ? Number(value) : 0;
}

/** Returns the number in a suggestion, or undefined if it is not a `count:` filter. */
function readSuggestedCount(entry: unknown): number | undefined {
  const expression = member(member(entry, "suggested"), "queryExpression");
  const [, count] = typeof expression === "string" ? (/^count:(all|\d+)$/u.exec(expression) ?? []) : [];
  return count === undefined ? undefined : count === "all" ? Number.POSITIVE_INFINITY : Number(count);
}

function describeInvalid(entry: unknown): string {
  const expression = member(member(entry, "suggested"), "queryExpression");
  return expression === undefined
    ? "a `shard-match-limit` entry suggests nothing"
    : `a \`shard-match-limit\` entry suggests \`${formatValue(expression)}\`, which is not a \`count:\` filter`;
}

interface Suggestion {
  readonly entry: unknown;
  readonly position: ReturnType<typeof dataPosition>;
}

/**
 * Reports whether the suggested number is acceptable. The specified number does not help a search that requested at
 * least as many matches or no number. For such a search, a larger number is accepted too.
 */
function isSpecified(requestedCount: number, count: number): boolean {
  const acceptsLarger = requestedCount === 0 || requestedCount >= specifiedCount;
  return (
    count === specifiedCount ||
    (acceptsLarger && (count === Infinity || count > Math.max(requestedCount, specifiedCount)))
  );
}

function judgeSuggestion(requestedCount: number, { entry, position }: Suggestion, report: Reporter): void {
  const count = readSuggestedCount(entry);
  // The specification suggests this number for every search, so it may also be sent for larger numbers, although it
  // does not help.
  if (count === specifiedCount && requestedCount >= specifiedCount) {
    return;
  }
  report.observation();
  if (count === undefined) {
    const hasSuggestion = member(member(entry, "suggested"), "queryExpression") !== undefined;
    const code = hasSuggestion ? "other-suggestion" : "no-suggestion";
    report.violation({ message: describeInvalid(entry), code, ...position });
    return;
  }
  const statement = `a \`shard-match-limit\` entry suggests \`count:${formatCount(count)}\``;
  if (count <= requestedCount && Number.isFinite(count)) {
    report.violation({
      message: `${statement} although \`count:${requestedCount}\` was requested`,
      code: "no-larger-count",
      ...position,
    });
  } else if (!isSpecified(requestedCount, count)) {
    const code = count > specifiedCount ? "larger-count" : "other-count";
    report.violation({ message: `${statement}, not \`count:1000\``, code, ...position });
  } else if (count !== specifiedCount && Number.isFinite(count)) {
    report.note({ message: statement, code: "other-suggested-count", ...position });
  }
}

const formatCount = (count: number): string => (Number.isFinite(count) ? String(count) : "all");

function addProgress(requestedCount: number, event: StreamEvent, report: Reporter): void {
  if (member(event.value, "done") !== true) {
    return;
  }
  for (const [index, entry] of skippedEntries(event.value).entries()) {
    if (member(entry, "reason") === "shard-match-limit") {
      judgeSuggestion(requestedCount, { entry, position: dataPosition(event, `/skipped/${index}`) }, report);
    }
  }
}

/** If a search reached a limit, the target suggests `count:1000`. Source: search-stream, section 8. */
export const limitSuggestionRaisesCount = defineStreamRule({
  id: "stream/limit-suggestion-raises-count",
  start: ({ exchange }) => readRequestedCount(searchQuery(exchange).get("q") ?? ""),
  on: { progress: addProgress },
});
