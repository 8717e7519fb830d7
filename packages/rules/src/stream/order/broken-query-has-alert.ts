import type { ExchangeRecord } from "@assay/evidence";
import { hasValidToken, isUsable } from "../../engine/answer.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";

const regexpFilter = /(?:^|\s)patternType:regexp(?=\s|$)/iu;

/** Reports whether the query is a single opening parenthesis as a regular expression, which is invalid. */
export function hasBrokenPattern(exchange: Pick<ExchangeRecord, "request">): boolean {
  const query = searchQuery(exchange);
  const q = query.get("q") ?? "";
  const isDocumented = [...query.keys()].every((name) => name === "q") || hasDocumentedParameters(query);
  return isDocumented && regexpFilter.test(q) && q.replace(regexpFilter, "").trim() === "(";
}

/** Number of exchanges, from the start of the evidence, whose results are searched for a parenthesis. */
const maxOtherSearches = 20;

const containsParenthesis = ({ files }: ResultFacts): boolean =>
  [...files.values()].some(({ lines, chunkTexts }) =>
    [...lines.values(), ...chunkTexts].some((text) => text?.includes("(")),
  );

/** Reports whether a search ended properly, found and skipped nothing, and reported no problem. */
function isCleanAndEmpty(exchange: JudgedExchange): boolean {
  const { results, stream } = exchange;
  if (results === undefined || stream === undefined || results.isPartial || !stream.isFinished) {
    return false;
  }
  const { alert = 0, error = 0 } = stream.eventCounts;
  const isEmpty = stream.matches === 0 && results.matchCount === 0 && results.suggestedFilters.size === 0;
  return isEmpty && !results.hasSkipped && alert + error === 0;
}

const noParenthesisReason =
  "no other search returned a line with a parenthesis, which a search for it as text would have found; choose a `--query` that finds lines of code";

/**
 * An invalid query is a problem with the search. A target that treats the broken expression as text finds a
 * parenthesis, if other searches show that the files contain one. A target that finds nothing rejected or ignored the
 * expression without reporting it. An alert is plausible, but not required. Source: search-stream, section 7.
 */
export const brokenQueryHasAlert = defineExchangeRule({
  id: "stream/broken-query-has-alert",
  comparedExchangeIds: (records) =>
    new Set(
      records.some((record) => hasBrokenPattern(record))
        ? records.filter((record, index) => index < maxOtherSearches || hasBrokenPattern(record)).map(({ id }) => id)
        : [],
    ),
  check(exchanges, reportFor) {
    const wasParenthesisFound = (credential: string): boolean =>
      exchanges.some(
        ({ record, results }) => record.credential === credential && results && containsParenthesis(results),
      );
    for (const exchange of exchanges.filter(
      (candidate) => hasBrokenPattern(candidate.record) && hasValidToken(candidate),
    )) {
      const report = reportFor(exchange.record.id);
      const hasAlert = (exchange.stream?.eventCounts["alert"] ?? 0) > 0;
      if (hasAlert) {
        report.observation();
      } else if (isUsable(exchange) && isCleanAndEmpty(exchange) && wasParenthesisFound(exchange.record.credential)) {
        report.observation();
        const message = `search ${exchange.record.id} for a broken regular expression finds nothing, although other searches return its text, and no \`alert\` gives the reason`;
        report.violation({ message });
      } else {
        report.notTested(noParenthesisReason);
      }
    }
  },
});
