import { describeResponse, succeeded, isUsable, mayLackCredential } from "../../engine/answer.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { parseCountedSearch } from "../../engine/compare/count-limit.ts";
import { parseSearch } from "../../engine/compare/search.ts";
import { findWorkingParameters, listParameters, without } from "../../engine/working-parameters.ts";
import type { SentParameters } from "../../engine/working-parameters.ts";

/**
 * Reports whether the search has a query. A search without the required `q` may fail regardless of other parameters.
 */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

/** Returns the names, sorted, joined with `+`. */
const joinNames = (parameters: SentParameters): string =>
  [...new Set(parameters.map(([name]) => name))].toSorted().join("+");

/** Characters whose meaning depends on the pattern type. */
const patternSyntax = /[()[\]{}*+?\\|^$"]/u;

/** Reports whether the query may be invalid as a pattern of type `t`. */
function mayBeInvalidPattern({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  return (query.get("t") ?? "standard") !== "standard" && patternSyntax.test(query.get("q") ?? "");
}

function judgeParameters(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const workingParameters = findWorkingParameters(exchanges);
  for (const exchange of exchanges.filter((candidate) => !mayLackCredential(candidate))) {
    const isDocumented = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
    if (!isDocumented || !isUsable(exchange) || mayBeInvalidPattern(exchange)) {
      continue;
    }
    const sent = listParameters(exchange);
    // The search that works with the most of these parameters shows best which one fails.
    const [working] = workingParameters(exchange)
      .filter((parameters) => parameters.length < sent.length && without(parameters, sent).length === 0)
      .toSorted((left, right) => right.length - left.length);
    if (working === undefined) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!succeeded(exchange)) {
      const added = without(sent, working);
      const names = added.map((pair) => pair.join("=")).join("&");
      const message = `a search that works without \`${names}\` fails with it: ${describeResponse(exchange)}`;
      report.violation({ message, code: "fails-with", argument: joinNames(added) });
    }
  }
}

interface CountedExchange {
  readonly exchange: JudgedExchange;
  /** The key shared by searches that differ only in `count:`. */
  readonly key: string;
  /** The filter as shown in messages, or undefined if the query has none. */
  readonly filter: string | undefined;
}

function toCountedExchange(exchange: JudgedExchange): readonly CountedExchange[] {
  const search = parseSearch(exchange.record, true);
  const count = search === undefined ? undefined : parseCountedSearch(search);
  if (count === undefined) {
    return [];
  }
  const { requestsAll, key, limit } = count;
  return [
    {
      exchange,
      key,
      filter: requestsAll ? "count:all" : limit === Infinity ? undefined : `count:${limit}`,
    },
  ];
}

/**
 * Judges searches with `count:`. A search for more matches takes longer, so a single repeat may have failed for that
 * reason. A filter is accepted if any repeat with it works.
 */
function judgeCounts(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const countedExchanges = exchanges.flatMap((exchange) => toCountedExchange(exchange));
  const filtersByKey = new Map<string, Set<string | undefined>>();
  for (const { key, filter } of countedExchanges.filter(({ exchange }) => succeeded(exchange))) {
    filtersByKey.set(key, (filtersByKey.get(key) ?? new Set()).add(filter));
  }
  const judgedExchanges = countedExchanges.filter(
    (item) => !mayLackCredential(item.exchange) && isUsable(item.exchange),
  );
  for (const { exchange, key, filter } of judgedExchanges.filter((item) => item.filter !== undefined)) {
    const acceptedFilters = filtersByKey.get(key) ?? new Set();
    if ([...acceptedFilters].every((other) => other === filter)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!acceptedFilters.has(filter)) {
      const message = `the search works with a different \`count:\` or none, but fails with \`${filter}\`: ${describeResponse(
        exchange,
      )}`;
      report.violation({ message, code: "fails-with", argument: "count" });
    }
  }
}

/**
 * Adding a documented parameter with a documented value to a working search must not make it fail. The same applies to
 * `count:` with a number or `all` in the query. The rule is tested only if the search without the parameter was
 * recorded, because a query that always fails proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    judgeParameters(exchanges, reportFor);
    judgeCounts(exchanges, reportFor);
  },
});
