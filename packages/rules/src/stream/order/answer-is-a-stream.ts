import { isAnswered, isAuthorised, isEnded, isSearched, describeResponse } from "../../engine/answer.ts";
import { clientOf, isNamedClient } from "../../engine/client-of.ts";
import { headerOf } from "../../engine/header-of.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { sameSearch, searchQuery } from "../../engine/search-query.ts";

/**
 * Reports whether a search has only a query, without a number. `stream/documented-parameters-are-accepted` checks
 * parameters and `count:`.
 */
function isPlain({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  const q = query.get("q") ?? "";
  return [...query.keys()].join(" ") === "q" && q.trim() !== "" && !/(?:^|\s)-?count:/iu.test(q);
}

/** Statuses that depend on the caller or the moment, not on the search. */
const isOfTheMoment = new Set([401, 403, 407, 408, 425, 429, 502, 503, 504]);

/** Key of the same search with the same credential. */
const askedBy = (exchange: JudgedExchange): string => `${exchange.record.credential} ${sameSearch(exchange)}`;

/** Reports whether a redirect. 304 is the response of a cache. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

const endpoint = "/.api/search/stream";

/**
 * Reports whether a redirect to the same endpoint, such as another node: a client that follows it may get the stream.
 */
const keepsEndpoint = ({ record: { request, response } }: JudgedExchange): boolean => {
  const location = headerOf(response?.headers ?? [], "location");
  return (
    location !== undefined &&
    URL.canParse(location, request.url) &&
    new URL(location, request.url).pathname.endsWith(endpoint)
  );
};

/**
 * Reports whether a complete response that is an error or a redirect instead of a stream. `moment`: statuses that do
 * not depend on the search.
 */
function isErrorAnswer(exchange: JudgedExchange, moment: ReadonlySet<number>): boolean {
  const { response } = exchange.record;
  return (
    response !== undefined &&
    isEnded(exchange) &&
    (response.status >= 400 || (isRedirect(response.status) && !keepsEndpoint(exchange))) &&
    !moment.has(response.status) &&
    headerOf(response.headers, "retry-after") === undefined
  );
}

/** Reports whether one of the others ended before the exchange, and another was sent after it. */
const isBetween = ({ record: { times } }: JudgedExchange, others: readonly JudgedExchange[]): boolean =>
  others.some(({ record }) => record.times.endedAtMicros <= times.sentAtMicros) &&
  others.some(({ record }) => record.times.sentAtMicros >= times.endedAtMicros);

/** Temporary statuses, for which neither the search nor its credential may be wrong. */
const isBusy = new Set([408, 425, 429]);

/**
 * Reports whether a recording shows that a search should have had a stream: the same client got one for the same search
 * before and after. Neither the search nor its credential is wrong then.
 */
const isRefusedBetween = (exchange: JudgedExchange, searched: readonly JudgedExchange[]): boolean =>
  exchange.record.credential === "unknown" &&
  isNamedClient(exchange) &&
  Number(exchange.record.response?.status) < 500 &&
  isErrorAnswer(exchange, isBusy) &&
  isBetween(
    exchange,
    searched.filter((other) => clientOf(other) === clientOf(exchange) && sameSearch(other) === sameSearch(exchange)),
  );

/** Reports whether a status that may be temporary: of a server error, or of a redirect. */
const mayPass = (status: number): boolean => status >= 500 || isRedirect(status);

/**
 * The response to a search is a stream that reports problems in an alert, also without results. Other responses, such
 * as those without a query or a token, are unspecified. The same credential must have got streams before and after. A
 * server error or a redirect that the same search does not repeat is temporary. Source: search-stream, sections 4 and
 * 7.
 */
export const answerIsAStream = defineExchangeRule({
  id: "stream/answer-is-a-stream",
  check(exchanges, reportFor) {
    const searched = exchanges.filter((exchange) => isAuthorised(exchange) && isSearched(exchange));
    const isServedAround = (exchange: JudgedExchange): boolean =>
      isBetween(
        exchange,
        searched.filter(({ record }) => record.credential === exchange.record.credential),
      );
    const served = new Set(searched.map(askedBy));
    const recorded = exchanges.filter((one) => one.record.credential === "unknown" && isSearched(one));
    for (const exchange of exchanges.filter((one) => isRefusedBetween(one, recorded))) {
      const report = reportFor(exchange.record.id);
      report.observation();
      report.violation({
        message: `search ${exchange.record.id} had no stream, although the same client got one for it before and after: ${describeResponse(exchange)}`,
      });
    }
    const isPassing = (exchange: JudgedExchange): boolean =>
      mayPass(exchange.record.response?.status ?? 0) && served.has(askedBy(exchange));
    for (const exchange of exchanges.filter((one) => isAuthorised(one) && isPlain(one))) {
      const report = reportFor(exchange.record.id);
      if (isAnswered(exchange) && isEnded(exchange)) {
        report.observation();
      } else if (isErrorAnswer(exchange, isOfTheMoment) && isServedAround(exchange) && !isPassing(exchange)) {
        report.observation();
        report.violation({
          message: `search ${exchange.record.id} had no stream, so no \`alert\` that says why: ${describeResponse(exchange)}`,
        });
      }
    }
  },
});
