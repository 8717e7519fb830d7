import type { ExchangeRecord } from "@assay/evidence";
import { isAuthorised, isUsable } from "../../engine/answer.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";

const asExpression = /(?:^|\s)patternType:regexp(?=\s|$)/iu;

/** Reports whether a search is for a single opening parenthesis as a regular expression, which is invalid. */
export function asksForBroken(exchange: Pick<ExchangeRecord, "request">): boolean {
  const query = searchQuery(exchange);
  const q = query.get("q") ?? "";
  const isDocumented = [...query.keys()].every((name) => name === "q") || hasDocumentedParameters(query);
  return isDocumented && asExpression.test(q) && q.replace(asExpression, "").trim() === "(";
}

/** Maximum number of other searches that are checked for the text, the first ones. */
const mostLookedAt = 20;

const hasText = ({ files }: ResultFacts): boolean =>
  [...files.values()].some(({ lines, chunks }) => [...lines.values(), ...chunks].some((text) => text?.includes("(")));

/** Reports whether a search ended properly, found and skipped nothing, and reported nothing. */
function isSilent(exchange: JudgedExchange): boolean {
  const { results, stream } = exchange;
  if (results === undefined || stream === undefined || results.isPartial || !stream.isFinished) {
    return false;
  }
  const { alert = 0, error = 0 } = stream.eventCounts;
  const isEmpty = stream.matches === 0 && results.matchCount === 0 && results.suggested.size === 0;
  return isEmpty && !results.hasSkipped && alert + error === 0;
}

const noText =
  "no other search delivered a line with a parenthesis, which a search for it as a text would have found; choose a `--query` that finds lines of code";

/**
 * An invalid query is a problem with the search. A target that reads the broken expression as text finds it, if other
 * searches show that it exists. A target that finds nothing did not understand it, or ignored the broken part, which
 * is unspecified: plausible, but not promised. Source: search-stream, section 7.
 */
export const brokenQueryHasAlert = defineExchangeRule({
  id: "stream/broken-query-has-alert",
  compares: (records) =>
    new Set(
      records.some((record) => asksForBroken(record))
        ? records.filter((record, index) => index < mostLookedAt || asksForBroken(record)).map(({ id }) => id)
        : [],
    ),
  check(exchanges, reportFor) {
    const isThere = (credential: string): boolean =>
      exchanges.some(({ record, results }) => record.credential === credential && results && hasText(results));
    for (const exchange of exchanges.filter((one) => asksForBroken(one.record) && isAuthorised(one))) {
      const report = reportFor(exchange.record.id);
      const hasCommit = (exchange.stream?.eventCounts["alert"] ?? 0) > 0;
      if (hasCommit) {
        report.observation();
      } else if (isUsable(exchange) && isSilent(exchange) && isThere(exchange.record.credential)) {
        report.observation();
        const message = `search ${exchange.record.id} for a broken regular expression finds nothing, although other searches show its text, and no \`alert\` says why`;
        report.violation({ message });
      } else {
        report.notTested(noText);
      }
    }
  },
});
