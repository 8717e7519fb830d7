import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries } from "../../engine/skipped-entry.ts";
import { takeFilter } from "../../engine/compare/query-filter.ts";

/** The number in the specification. */
const shownCount = 1000;

/** The number in the query; 0 if it has none or `all`, or if it is unknown. */
function askedCount(q: string): number {
  const value = takeFilter(q, "count")?.value ?? "";
  return /^\d+$/u.test(value) ? Number(value) : 0;
}

/** The number in a suggestion; undefined if it is not a `count:` filter. */
function suggestedCount(entry: unknown): number | undefined {
  const expression = member(member(entry, "suggested"), "queryExpression");
  const [, count] = typeof expression === "string" ? (/^count:(all|\d+)$/u.exec(expression) ?? []) : [];
  return count === undefined ? undefined : count === "all" ? Number.POSITIVE_INFINITY : Number(count);
}

function messageFor(entry: unknown): string {
  const expression = member(member(entry, "suggested"), "queryExpression");
  return expression === undefined
    ? "a `shard-match-limit` entry suggests nothing"
    : `a \`shard-match-limit\` entry suggests \`${formatValue(expression)}\`, which is no \`count:\` filter`;
}

interface Suggestion {
  readonly entry: unknown;
  readonly place: ReturnType<typeof dataOf>;
}

/**
 * Reports whether the suggestion is the specified one. It would not help a search that requested as many, or no number;
 * a larger number is accepted then.
 */
function isAsNamed(asked: number, count: number): boolean {
  const isOpen = asked === 0 || asked >= shownCount;
  return count === shownCount || (isOpen && (count === Infinity || count > Math.max(asked, shownCount)));
}

function takeSuggestion(asked: number, { entry, place }: Suggestion, report: Reporter): void {
  const count = suggestedCount(entry);
  // The specification names this number for every search, so it may be sent for larger ones too, although it does not
  // help.
  if (count === shownCount && asked >= shownCount) {
    return;
  }
  report.observation();
  if (count === undefined) {
    const hasSuggestion = member(member(entry, "suggested"), "queryExpression") !== undefined;
    const code = hasSuggestion ? "other-suggestion" : "no-suggestion";
    report.violation({ message: messageFor(entry), code, ...place });
    return;
  }
  const suggests = `a \`shard-match-limit\` entry suggests \`count:${shownNumber(count)}\``;
  if (count <= asked && Number.isFinite(count)) {
    report.violation({
      message: `${suggests} although \`count:${asked}\` was requested`,
      code: "no-larger-count",
      ...place,
    });
  } else if (!isAsNamed(asked, count)) {
    const code = count > shownCount ? "larger-count" : "other-count";
    report.violation({ message: `${suggests}, not \`count:1000\``, code, ...place });
  } else if (count !== shownCount && Number.isFinite(count)) {
    report.note({ message: suggests, code: "other-suggested-count", ...place });
  }
}

const shownNumber = (count: number): string => (Number.isFinite(count) ? String(count) : "all");

function addProgress(asked: number, event: StreamEvent, report: Reporter): void {
  if (member(event.value, "done") !== true) {
    return;
  }
  for (const [index, entry] of skippedEntries(event.value).entries()) {
    if (member(entry, "reason") === "shard-match-limit") {
      takeSuggestion(asked, { entry, place: dataOf(event, `/skipped/${index}`) }, report);
    }
  }
}

/** If a limit was reached, `count:1000` is suggested. Source: search-stream, section 8. */
export const limitSuggestionRaisesCount = defineStreamRule({
  id: "stream/limit-suggestion-raises-count",
  start: ({ exchange }) => askedCount(searchQuery(exchange).get("q") ?? ""),
  on: { progress: addProgress },
});
