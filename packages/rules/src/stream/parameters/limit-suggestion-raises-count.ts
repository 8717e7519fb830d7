import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries } from "../../engine/skipped-entry.ts";
import { takeFilter } from "../compare/query-filter.ts";

/** The number that the document shows. */
const shownCount = 1000;

/** The number that the query asks for; 0 when it asks for none or for all, or when it cannot be told. */
function askedCount(q: string): number {
  const value = takeFilter(q, "count")?.value ?? "";
  return /^\d+$/u.test(value) ? Number(value) : 0;
}

/** The number that a suggestion asks for; undefined when it is no `count:` filter. */
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
 * Whether the suggestion is the one that the document names. For a search that asked for as many, or for no number, it would
 * not raise anything: there a larger one is as good.
 */
function isAsNamed(asked: number, count: number): boolean {
  const isOpen = asked === 0 || asked >= shownCount;
  return count === shownCount || (isOpen && (count === Infinity || count > Math.max(asked, shownCount)));
}

function takeSuggestion(asked: number, { entry, place }: Suggestion, report: Reporter): void {
  const count = suggestedCount(entry);
  // The document names this number whatever was asked for, so it may be sent for larger ones too, though it helps nobody.
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
      message: `${suggests} although \`count:${asked}\` was asked for`,
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

/** Where a limit was reached, `count:1000` is suggested. Source: search-stream, section 8. */
export const limitSuggestionRaisesCount = defineStreamRule({
  id: "stream/limit-suggestion-raises-count",
  start: ({ exchange }) => askedCount(searchQuery(exchange).get("q") ?? ""),
  on: { progress: addProgress },
});
