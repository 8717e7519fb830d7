import { describeResponse, endedInError, isSearched, isUsable, mayLackCredential } from "../../engine/answer.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { countedSearch } from "../../engine/compare/count-limit.ts";
import { parseSearch } from "../../engine/compare/search.ts";

/** The key shared by comparable searches: the credential and the query. */
const searchKeyOf = ({ record }: JudgedExchange): string =>
  `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Without the required `q`, a search may fail regardless of its parameters. */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

const isPlain = ({ record }: JudgedExchange): boolean => [...searchQuery(record).keys()].every((name) => name === "q");

/** The parameters besides `q` as they were sent. */
const parametersOf = ({ record }: JudgedExchange): string =>
  [...searchQuery(record)]
    .filter(([name]) => name !== "q")
    .map((pair) => pair.join("="))
    .join("&");

/** The names of the parameters besides `q`, sorted, joined with `+`. */
const namesOf = ({ record }: JudgedExchange): string =>
  [...new Set(searchQuery(record).keys())]
    .filter((name) => name !== "q")
    .toSorted()
    .join("+");

/** Characters whose meaning depends on the pattern type. */
const patternSyntax = /[()[\]{}*+?\\|^$"]/u;

/** Reports whether the query may be invalid as a pattern of type `t`. */
function mayBeInvalidPattern({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  return (query.get("t") ?? "standard") !== "standard" && patternSyntax.test(query.get("q") ?? "");
}

const succeeded = (exchange: JudgedExchange): boolean => isSearched(exchange) && !endedInError(exchange);

function judgeParameters(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const working = new Set(exchanges.filter((exchange) => isPlain(exchange) && succeeded(exchange)).map(searchKeyOf));
  for (const exchange of exchanges.filter((candidate) => !mayLackCredential(candidate))) {
    const isDocumented = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
    if (!isDocumented || !working.has(searchKeyOf(exchange)) || !isUsable(exchange) || mayBeInvalidPattern(exchange)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!succeeded(exchange)) {
      const message = `a search that works without \`${parametersOf(exchange)}\` fails with it: ${describeResponse(exchange)}`;
      report.violation({
        message,
        code: "fails-with",
        argument: namesOf(exchange),
      });
    }
  }
}

interface CountedExchange {
  readonly exchange: JudgedExchange;
  /** The key shared by searches that differ only in `count:`. */
  readonly key: string;
  /** The filter as shown in messages. Undefined in a query without one. */
  readonly filter: string | undefined;
}

function countedExchange(exchange: JudgedExchange): readonly CountedExchange[] {
  const search = parseSearch(exchange.record, true);
  const counted = search === undefined ? undefined : countedSearch(search);
  if (counted === undefined) {
    return [];
  }
  const { isAll, key, limit } = counted;
  return [
    {
      exchange,
      key,
      filter: isAll ? "count:all" : limit === Infinity ? undefined : `count:${limit}`,
    },
  ];
}

/**
 * Judges searches with `count:`. A search for more matches takes longer, so one of its copies may have failed for that
 * reason.
 */
function judgeCounts(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const counted = exchanges.flatMap((exchange) => countedExchange(exchange));
  const working = counted.filter(({ exchange }) => succeeded(exchange));
  const judged = counted.filter((item) => !mayLackCredential(item.exchange) && isUsable(item.exchange));
  for (const { exchange, key, filter } of judged.filter((item) => item.filter !== undefined)) {
    const accepted = new Set(working.flatMap((item) => (item.key === key ? [item.filter] : [])));
    if ([...accepted].every((other) => other === filter)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!accepted.has(filter)) {
      const message = `the search works with a different \`count:\` or none, but fails with \`${filter}\`: ${describeResponse(
        exchange,
      )}`;
      report.violation({ message, code: "fails-with", argument: "count" });
    }
  }
}

/**
 * Adding a documented parameter with a documented value to a working search must not make it fail. The same holds for
 * `count:` with a number or `all` in its query. Tested only if the search without the parameter was recorded, because a
 * query that always fails proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    judgeParameters(exchanges, reportFor);
    judgeCounts(exchanges, reportFor);
  },
});
