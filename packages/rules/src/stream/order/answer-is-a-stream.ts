import { isSuccessful, hasValidToken, isComplete, didSearchRun, describeResponse } from "../../engine/answer.ts";
import { identifyClient, hasKnownClient } from "../../engine/identify-client.ts";
import { headerOf } from "../../engine/header-of.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { parameterKey, searchQuery } from "../../engine/search-query.ts";

/**
 * Reports whether a search has only a query, and no `count:` in it. `stream/documented-parameters-are-accepted` checks
 * parameters and `count:`.
 */
function sendsOnlyQuery({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  const q = query.get("q") ?? "";
  return [...query.keys()].join(" ") === "q" && q.trim() !== "" && !/(?:^|\s)-?count:/iu.test(q);
}

/** Status codes that depend on the client, a gateway or the time, not on the search. */
const searchIndependentStatuses = new Set([401, 403, 407, 408, 425, 429, 502, 503, 504]);

/** Returns the key shared by equal searches with the same credential. */
const credentialSearchKey = (exchange: JudgedExchange): string =>
  `${exchange.record.credential} ${parameterKey(exchange)}`;

/** Reports whether the status is a redirect. 304 is the response of a cache. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

const endpoint = "/.api/search/stream";

/**
 * Reports whether a redirect leads to the same endpoint, for example on another node. A client that follows it may get
 * the stream.
 */
const redirectsToEndpoint = ({ record: { request, response } }: JudgedExchange): boolean => {
  const location = headerOf(response?.headers ?? [], "location");
  return (
    location !== undefined &&
    URL.canParse(location, request.url) &&
    new URL(location, request.url).pathname.endsWith(endpoint)
  );
};

/**
 * Reports whether a complete response is an error or a redirect instead of a stream. Ignores the excluded status codes,
 * redirects to the same endpoint and responses with `Retry-After`.
 */
function isErrorAnswer(exchange: JudgedExchange, excludedStatuses: ReadonlySet<number>): boolean {
  const { response } = exchange.record;
  return (
    response !== undefined &&
    isComplete(exchange) &&
    (response.status >= 400 || (isRedirect(response.status) && !redirectsToEndpoint(exchange))) &&
    !excludedStatuses.has(response.status) &&
    headerOf(response.headers, "retry-after") === undefined
  );
}

/** Reports whether one of the others ended before the exchange, and another was sent after it. */
const ranBetween = ({ record: { times } }: JudgedExchange, searches: readonly JudgedExchange[]): boolean =>
  searches.some(({ record }) => record.times.endedAtMicros <= times.sentAtMicros) &&
  searches.some(({ record }) => record.times.sentAtMicros >= times.endedAtMicros);

/** Status codes of temporary refusals, which do not depend on the search or its credential. */
const temporaryStatuses = new Set([408, 425, 429]);

/**
 * Reports whether a recording shows that a search should have returned a stream: the same client got one for the same
 * search before and after, so neither the search nor its credential is wrong.
 */
const isRefusedBetween = (exchange: JudgedExchange, searches: readonly JudgedExchange[]): boolean =>
  exchange.record.credential === "unknown" &&
  hasKnownClient(exchange) &&
  Number(exchange.record.response?.status) < 500 &&
  isErrorAnswer(exchange, temporaryStatuses) &&
  ranBetween(
    exchange,
    searches.filter(
      (other) => identifyClient(other) === identifyClient(exchange) && parameterKey(other) === parameterKey(exchange),
    ),
  );

/** Reports whether a status may be temporary: a server error or a redirect. */
const mayBeTemporary = (status: number): boolean => status >= 500 || isRedirect(status);

/**
 * The response to a search is a stream, which reports problems in an alert even without results. Other responses, such
 * as those to searches without a query or a token, are unspecified. The same credential must have got streams before
 * and after. A server error or a redirect that the same search does not repeat is temporary. Source: search-stream,
 * sections 4 and 7.
 */
export const answerIsAStream = defineExchangeRule({
  id: "stream/answer-is-a-stream",
  check(exchanges, reportFor) {
    const authorizedSearches = exchanges.filter((exchange) => hasValidToken(exchange) && didSearchRun(exchange));
    const isServedBeforeAndAfter = (exchange: JudgedExchange): boolean =>
      ranBetween(
        exchange,
        authorizedSearches.filter(({ record }) => record.credential === exchange.record.credential),
      );
    const servedKeys = new Set(authorizedSearches.map(credentialSearchKey));
    const recordedSearches = exchanges.filter(
      (candidate) => candidate.record.credential === "unknown" && didSearchRun(candidate),
    );
    for (const exchange of exchanges.filter((candidate) => isRefusedBetween(candidate, recordedSearches))) {
      const report = reportFor(exchange.record.id);
      report.observation();
      report.violation({
        message: `search ${exchange.record.id} returned no stream, although the same client got one before and after: ${describeResponse(exchange)}`,
      });
    }
    const isTemporary = (exchange: JudgedExchange): boolean =>
      mayBeTemporary(exchange.record.response?.status ?? 0) && servedKeys.has(credentialSearchKey(exchange));
    for (const exchange of exchanges.filter((candidate) => hasValidToken(candidate) && sendsOnlyQuery(candidate))) {
      const report = reportFor(exchange.record.id);
      if (isSuccessful(exchange) && isComplete(exchange)) {
        report.observation();
      } else if (
        isErrorAnswer(exchange, searchIndependentStatuses) &&
        isServedBeforeAndAfter(exchange) &&
        !isTemporary(exchange)
      ) {
        report.observation();
        report.violation({
          message: `search ${exchange.record.id} returned no stream, and therefore no \`alert\` with the reason: ${describeResponse(exchange)}`,
        });
      }
    }
  },
});
