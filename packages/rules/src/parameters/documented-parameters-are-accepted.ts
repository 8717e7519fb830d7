import { isSearched, isSettled, whatCame } from "../access/answer.ts";
import { defineExchangeRule } from "../engine/rule.ts";
import type { JudgedExchange } from "../engine/rule.ts";
import { hasDocumentedParameters } from "./documented-value.ts";
import { searchQuery } from "./search-query.ts";

/** What two searches must share to be compared: who asks and what for. */
const askedBy = ({ record }: JudgedExchange): string => `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Without `q`, which is required, a search may fail whatever else it has. */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

const isPlain = ({ record }: JudgedExchange): boolean => [...searchQuery(record).keys()].every((name) => name === "q");

/** The parameters besides `q` as they were sent. */
const parametersOf = ({ record }: JudgedExchange): string =>
  [...searchQuery(record)]
    .filter(([name]) => name !== "q")
    .map((pair) => pair.join("="))
    .join("&");

/**
 * A documented parameter with a documented value does not spoil a search that works without it. The search without it has
 * to be among the exchanges: a query that fails anyway proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    const works = new Set(exchanges.filter((exchange) => isPlain(exchange) && isSearched(exchange)).map(askedBy));
    for (const exchange of exchanges) {
      const isAsked = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
      if (!isAsked || !works.has(askedBy(exchange)) || !isSettled(exchange)) {
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observe();
      if (!isSearched(exchange)) {
        const message = `a search that works without \`${parametersOf(exchange)}\` fails with it: ${whatCame(exchange)}`;
        report.violation({ message });
      }
    }
  },
});
