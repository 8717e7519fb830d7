import { callGroup, classifyStatus, type StatusKind } from "@assay/reading";
import type { CredentialKind } from "@assay/evidence";
import type { BlockedBy } from "./reporter.ts";
import type { JudgedExchange } from "./rule.ts";

const statusOf = ({ record }: JudgedExchange): number => record.response?.status ?? 0;
const statusKindOf = (exchange: JudgedExchange): StatusKind => classifyStatus(statusOf(exchange));

/** Reports whether the status is 2xx. The specification does not list all codes. */
export const isSuccessful = (exchange: JudgedExchange): boolean => statusKindOf(exchange) === "success";

/** Reports whether the response is complete: its body ended as HTTP requires, or no event of its stream is missing. */
export const isComplete = ({ record, stream }: JudgedExchange): boolean =>
  stream?.isComplete ?? record.end.kind === "complete";

/** Reports whether the complete response was read, without being cut by a limit of the checker. */
const wasReadCompletely = (exchange: JudgedExchange): boolean =>
  isComplete(exchange) && exchange.stream?.limit === undefined;

/**
 * Reports whether the response can be judged: it was read completely, and the target was neither overloaded nor
 * failing.
 */
export const isUsable = (exchange: JudgedExchange): boolean =>
  !["server-failure", "no-response"].includes(callGroup(statusKindOf(exchange))) && wasReadCompletely(exchange);

/** Reports whether a search ran: its stream contains a final `progress` event or matches. */
export const didSearchRun = (exchange: JudgedExchange): boolean =>
  isSuccessful(exchange) &&
  wasReadCompletely(exchange) &&
  (exchange.stream?.isFinished === true || hasMatches(exchange));

/** Reports whether the target refused the search or redirected it, for example to a login page. */
export const isRefusedOrRedirected = (exchange: JudgedExchange): boolean =>
  ["unauthorized", "redirect"].includes(statusKindOf(exchange));

/**
 * Reports whether a search may have failed because of its credential. A recording does not show whose token was used,
 * if any, and a stream without matches is one way to refuse a search.
 */
export const mayLackCredential = (exchange: JudgedExchange): boolean =>
  exchange.record.credential === "unknown" &&
  (isRefusedOrRedirected(exchange) || (isSuccessful(exchange) && !hasMatches(exchange)));

/** Reports whether the search has a token that should be accepted. */
export const hasValidToken = ({ record }: JudgedExchange): boolean =>
  record.credential === "access-token" || record.credential === "oauth-token";

/** Returns the exchanges with this credential. */
export const withCredential = (
  exchanges: readonly JudgedExchange[],
  credential: CredentialKind,
): readonly JudgedExchange[] => exchanges.filter(({ record }) => record.credential === credential);

/** Reports whether the stream contains matches. */
export const hasMatches = ({ stream }: JudgedExchange): boolean => (stream?.matches ?? 0) > 0;

/** Reports whether a stream reported an error and contains no matches. Source: search-stream, section 7. */
export const endedInError = (exchange: JudgedExchange): boolean =>
  exchange.stream?.hasErrorAlert === true && !hasMatches(exchange);

/** Reports whether a search ran and its stream did not end in an error. */
export const succeeded = (exchange: JudgedExchange): boolean => didSearchRun(exchange) && !endedInError(exchange);

/**
 * Reports whether this run sent the request. The times of an imported exchange come from a different clock, and an
 * import does not show how the connection ended.
 */
export const isOfThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

/** Describes, as one clause, the response of a search that did not run. */
export function describeResponse(exchange: JudgedExchange): string {
  if (!isSuccessful(exchange)) {
    return `the response was ${statusOf(exchange)}`;
  }
  const events = exchange.stream?.events ?? 0;
  if (events === 0) {
    return "the response had no events";
  }
  if (exchange.stream?.isFinished === true && endedInError(exchange)) {
    return "the response had an alert of the level `error` and no matches";
  }
  return exchange.stream?.hasOnlyProblems === true
    ? "the response had only alerts or errors"
    : "the response had neither matches nor a final progress";
}

/** Describes, as one clause, why the response of a search cannot be judged. */
function reasonForUnusableResponse(exchange: JudgedExchange): string {
  const { record, stream } = exchange;
  if (record.end.kind === "failed") {
    return record.end.message;
  }
  if (record.response === undefined) {
    return "the service did not respond";
  }
  return callGroup(statusKindOf(exchange)) === "server-failure"
    ? `the response was ${statusOf(exchange)}`
    : (stream?.limit ?? "the response is not complete");
}

/** Returns why a rule is blocked if searches were sent and none of their responses can be judged. */
export function blockedByUnusableResponses(
  exchanges: readonly JudgedExchange[],
  description: string,
): BlockedBy | undefined {
  const [first] = exchanges;
  if (first === undefined || exchanges.some((exchange) => isUsable(exchange))) {
    return undefined;
  }
  const limitedExchange = exchanges.find(({ stream }) => stream?.limit !== undefined);
  const missing = `a usable response to ${description} (${reasonForUnusableResponse(limitedExchange ?? first)})`;
  return { kind: limitedExchange === undefined ? "transport" : "limit", missing };
}
