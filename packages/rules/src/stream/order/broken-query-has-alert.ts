import type { ExchangeRecord } from "@assay/evidence";
import { isAuthorised, isUsable } from "../../engine/answer.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";

const asExpression = /(?:^|\s)patternType:regexp(?=\s|$)/iu;

/** Whether a search asks for an opening parenthesis alone as a regular expression, which it is not. */
export function asksForBroken(exchange: Pick<ExchangeRecord, "request">): boolean {
  const query = searchQuery(exchange);
  const q = query.get("q") ?? "";
  const isDocumented = [...query.keys()].every((name) => name === "q") || hasDocumentedParameters(query);
  return isDocumented && asExpression.test(q) && q.replace(asExpression, "").trim() === "(";
}

/** What is looked at for the text of other searches: so many of them, the first ones. */
const mostLookedAt = 20;

const hasText = ({ files }: ResultFacts): boolean =>
  [...files.values()].some(({ lines, chunks }) => [...lines.values(), ...chunks].some((text) => text?.includes("(")));

/** Whether a search ended well, found and skipped nothing, and said nothing of it. */
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
 * A query that cannot be understood is a problem with the search. Who takes the broken expression for a text finds it, where another search shows
 * that it is there; who finds nothing has not understood it, or leaves out what is broken, of which the specification says nothing: plausible,
 * but not promised. Source: search-stream, section 7.
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
      const isTold = (exchange.stream?.eventCounts["alert"] ?? 0) > 0;
      if (isTold) {
        report.observation();
      } else if (isUsable(exchange) && isSilent(exchange) && isThere(exchange.record.credential)) {
        report.observation();
        const message = `search ${exchange.record.id} for a regular expression that is broken finds nothing, though other searches show its text, and no \`alert\` says why`;
        report.violation({ message });
      } else {
        report.notTested(noText);
      }
    }
  },
});
