import { isAnswered, isAuthorised, isEnded, isSearched, describeResponse } from "../../engine/answer.ts";
import { clientOf, isNamedClient } from "../../engine/client-of.ts";
import { headerOf } from "../../engine/header-of.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { sameSearch, searchQuery } from "../../engine/search-query.ts";

/**
 * Whether a search asks by its query alone, without a number. Whether parameters and `count:` are accepted is a matter of
 * `stream/documented-parameters-are-accepted`.
 */
function isPlain({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  const q = query.get("q") ?? "";
  return [...query.keys()].join(" ") === "q" && q.trim() !== "" && !/(?:^|\s)-?count:/iu.test(q);
}

/** Statuses of who asks or of a moment: which search it was does not matter for them. */
const isOfTheMoment = new Set([401, 403, 407, 408, 425, 429, 502, 503, 504]);

/** Equal for the same search by the same credential. */
const askedBy = (exchange: JudgedExchange): string => `${exchange.record.credential} ${sameSearch(exchange)}`;

/** True for a redirect. 304 is the answer of a cache. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

const endpoint = "/.api/search/stream";

/** True for a redirect that keeps the endpoint, such as one to another node: who follows it may get the stream. */
const keepsEndpoint = ({ record: { request, response } }: JudgedExchange): boolean => {
  const location = headerOf(response?.headers ?? [], "location");
  return (
    location !== undefined &&
    URL.canParse(location, request.url) &&
    new URL(location, request.url).pathname.endsWith(endpoint)
  );
};

/**
 * True for a whole answer that is an error or a redirect of this search instead of a stream. `moment`: statuses that are not about
 * the search.
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

/** True if one of the others ended before the exchange, and one was sent after it. */
const isBetween = ({ record: { times } }: JudgedExchange, others: readonly JudgedExchange[]): boolean =>
  others.some(({ record }) => record.times.endedAtMicros <= times.sentAtMicros) &&
  others.some(({ record }) => record.times.sentAtMicros >= times.endedAtMicros);

/** Statuses of a moment, where neither the search nor its credential may be wrong. */
const isBusy = new Set([408, 425, 429]);

/**
 * Whether a recording shows that a search had to be answered with a stream: the same client got one for the very same search before
 * and after. Neither the search nor its credential is wrong then.
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

/** True for a status that need not come again for the same search: of a server error, or of a redirect. */
const mayPass = (status: number): boolean => status >= 500 || isRedirect(status);

/**
 * The answer to a search is a stream, and what is wrong with the search stands in an alert of it. A search without results is one
 * as well. Other answers, such as those to a request without a query or without a token, are unspecified. The same credential got
 * streams before and after. A server error or a redirect that the same search does not meet again is one of the moment. Source:
 * search-stream, sections 4 and 7.
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
        message: `search ${exchange.record.id} was answered without a stream, which the same client got for it before and after: ${describeResponse(exchange)}`,
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
          message: `search ${exchange.record.id} was answered without a stream, and so without an \`alert\` that says why: ${describeResponse(exchange)}`,
        });
      }
    }
  },
});
