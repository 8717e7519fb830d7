import { succeeded, isUsable, mayLackCredential, describeResponse } from "../../engine/answer.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";

/** Returns the key shared by searches with the same credential and parameters. */
const keyOf = ({ record }: JudgedExchange, query: URLSearchParams): string => {
  const sortedPairs = [...query].map((pair) => JSON.stringify(pair)).toSorted();
  return `${record.credential} ${sortedPairs.join(" ")}`;
};

const withoutParameter = (query: URLSearchParams, name: string): URLSearchParams =>
  new URLSearchParams([...query].filter(([other]) => other !== name));

/**
 * Reports whether a search may legitimately fail without the parameter. Without `display`, the results may be too
 * large. Without `t`, the query may be invalid.
 */
const mayFailWithout = (name: string, query: URLSearchParams): boolean =>
  name === "display" || (name === "t" && query.get("t") !== "standard");

/** Maps the key of a search to a parameter that it lacks, although the search succeeded with that parameter. */
function findOmittableParameters(exchanges: readonly JudgedExchange[]): ReadonlyMap<string, string> {
  const workingSearches = exchanges
    .filter((exchange) => succeeded(exchange))
    .map((exchange) => ({ exchange, query: searchQuery(exchange.record) }))
    .filter(({ query }) => query.has("q") && hasDocumentedParameters(query));
  return new Map(
    workingSearches.flatMap(({ exchange, query }) =>
      [...query.keys()]
        .filter((name) => name !== "q" && !mayFailWithout(name, query))
        .map((name) => [keyOf(exchange, withoutParameter(query, name)), name] as const),
    ),
  );
}

/**
 * Only `q` is required. If a search with another parameter succeeds, the same search without that parameter is not
 * refused. Source: search-stream, section 4.
 */
export const optionalParametersMayBeLeftOut = defineExchangeRule({
  id: "stream/optional-parameters-may-be-left-out",
  check(exchanges, reportFor) {
    const omittableParameters = findOmittableParameters(exchanges);
    for (const exchange of exchanges.filter((candidate) => isUsable(candidate) && !mayLackCredential(candidate))) {
      const name = omittableParameters.get(keyOf(exchange, searchQuery(exchange.record)));
      if (name === undefined) {
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observation();
      if (!succeeded(exchange)) {
        const message = `\`${name}\` is required here: a search that works with it fails without it: ${describeResponse(exchange)}`;
        report.violation({ message });
      }
    }
  },
});
