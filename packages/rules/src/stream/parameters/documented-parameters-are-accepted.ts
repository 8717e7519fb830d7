import { describeResponse, endedInError, isSearched, isUsable, mayLackCredential } from "../../engine/answer.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { countedSearch } from "../../engine/compare/count-limit.ts";
import { searchOf } from "../../engine/compare/search.ts";

/** Key of comparable searches: the sender and the query. */
const askedBy = ({ record }: JudgedExchange): string => `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Without the required `q`, a search may fail for any parameters. */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

const isPlain = ({ record }: JudgedExchange): boolean => [...searchQuery(record).keys()].every((name) => name === "q");

/** The parameters besides `q` as sent. */
const parametersOf = ({ record }: JudgedExchange): string =>
  [...searchQuery(record)]
    .filter(([name]) => name !== "q")
    .map((pair) => pair.join("="))
    .join("&");

/** The names of the parameters besides `q`, sorted, with `+` between. */
const namesOf = ({ record }: JudgedExchange): string =>
  [...new Set(searchQuery(record).keys())]
    .filter((name) => name !== "q")
    .toSorted()
    .join("+");

/** Characters whose meaning depends on the pattern type. */
const patternSyntax = /[()[\]{}*+?\\|^$"]/u;

/** Reports whether the query may be invalid in the pattern type of `t`. */
function mayBeNoPattern({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  return (query.get("t") ?? "standard") !== "standard" && patternSyntax.test(query.get("q") ?? "");
}

const hasWorked = (exchange: JudgedExchange): boolean => isSearched(exchange) && !endedInError(exchange);

function judgeParameters(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const works = new Set(exchanges.filter((exchange) => isPlain(exchange) && hasWorked(exchange)).map(askedBy));
  for (const exchange of exchanges.filter((one) => !mayLackCredential(one))) {
    const isAsked = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
    if (!isAsked || !works.has(askedBy(exchange)) || !isUsable(exchange) || mayBeNoPattern(exchange)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!hasWorked(exchange)) {
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
  /** Key of searches that only differ in `count:`. */
  readonly key: string;
  /** The filter in messages; undefined in a query without one. */
  readonly filter: string | undefined;
}

function countedExchange(exchange: JudgedExchange): readonly CountedExchange[] {
  const search = searchOf(exchange.record, true);
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

/** A search for more matches takes longer, so one of its copies may have failed for that reason. */
function judgeCounts(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const counted = exchanges.flatMap((exchange) => countedExchange(exchange));
  const working = counted.filter(({ exchange }) => hasWorked(exchange));
  const judged = counted.filter((one) => !mayLackCredential(one.exchange) && isUsable(one.exchange));
  for (const { exchange, key, filter } of judged.filter((one) => one.filter !== undefined)) {
    const accepted = new Set(working.flatMap((one) => (one.key === key ? [one.filter] : [])));
    if ([...accepted].every((other) => other === filter)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!accepted.has(filter)) {
      const message = `a search that works with another number of matches, or without one, fails with \`${filter}\`: ${describeResponse(
        exchange,
      )}`;
      report.violation({ message, code: "fails-with", argument: "count" });
    }
  }
}

/**
 * A documented parameter with a documented value does not break a search that works without it, nor does `count:`
 * with a number or `all` in its query. The search without it must be among the exchanges: a query that fails anyway
 * proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    judgeParameters(exchanges, reportFor);
    judgeCounts(exchanges, reportFor);
  },
});
