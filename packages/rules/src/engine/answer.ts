import { callGroup, classifyStatus, type StatusKind } from "@assay/reading";
import type { CredentialKind } from "@assay/evidence";
import type { RuleObstacle } from "./reporter.ts";
import type { JudgedExchange } from "./rule.ts";

const statusOf = ({ record }: JudgedExchange): number => record.response?.status ?? 0;
const kindOf = (exchange: JudgedExchange): StatusKind => classifyStatus(statusOf(exchange));

/** Whether the head says success. Which other codes exist is not shown. */
export const isAnswered = (exchange: JudgedExchange): boolean => kindOf(exchange) === "success";

/** Whether no part of the answer is missing: it ended as HTTP says, or no event of its stream is missing. */
export const isEnded = ({ record, stream }: JudgedExchange): boolean =>
  stream?.isEnded ?? record.end.kind === "complete";

/** Whether all of the answer came: no connection broke, nothing is missing from the recording, no limit cut it. */
const isWhole = (exchange: JudgedExchange): boolean => isEnded(exchange) && exchange.stream?.limit === undefined;

/** Whether something can be learned from the answer: it is whole, and the target was neither too busy nor broken. */
export const isSettled = (exchange: JudgedExchange): boolean =>
  !["distress", "nothing"].includes(callGroup(kindOf(exchange))) && isWhole(exchange);

/** Whether a search was carried out: a stream came that finished it or delivered matches. */
export const isSearched = (exchange: JudgedExchange): boolean =>
  isAnswered(exchange) && isWhole(exchange) && (exchange.stream?.isFinished === true || hasMatches(exchange));

/** Whether the target turned the search away: by a refusal, or by sending it elsewhere, as to a login. */
export const isTurnedAway = (exchange: JudgedExchange): boolean =>
  ["unauthorized", "redirect"].includes(kindOf(exchange));

/**
 * Whether a search may have failed for its credential: of a recording nobody knows whose token it carried, if any, and a stream
 * without matches is one of the ways to refuse it.
 */
export const mayLackCredential = (exchange: JudgedExchange): boolean =>
  exchange.record.credential === "unknown" &&
  (isTurnedAway(exchange) || (isAnswered(exchange) && !hasMatches(exchange)));

/** Whether the search carried a token that should work. */
export const isAuthorised = ({ record }: JudgedExchange): boolean =>
  record.credential === "access-token" || record.credential === "oauth-token";

/** The exchanges that carried this credential. */
export const withCredential = (
  exchanges: readonly JudgedExchange[],
  credential: CredentialKind,
): readonly JudgedExchange[] => exchanges.filter(({ record }) => record.credential === credential);

/** Whether matches were delivered. */
export const hasMatches = ({ stream }: JudgedExchange): boolean => (stream?.matches ?? 0) > 0;

/** Whether a stream told of an error, and found nothing. Source: search-stream, section 7. */
export const endedInError = (exchange: JudgedExchange): boolean =>
  exchange.stream?.hasErrorAlert === true && !hasMatches(exchange);

/** What came instead of a search, one clause. */
export function whatCame(exchange: JudgedExchange): string {
  if (!isAnswered(exchange)) {
    return `the answer was ${statusOf(exchange)}`;
  }
  const events = exchange.stream?.events ?? 0;
  if (events === 0) {
    return "the answer held no event";
  }
  if (exchange.stream?.isFinished === true && endedInError(exchange)) {
    return "an alert of the level `error` came, and no match";
  }
  return exchange.stream?.isOnlyProblems === true
    ? "only alerts or errors came"
    : "neither a match nor a final progress came";
}

/** What came of a search that was sent and of which nothing can be learned, one clause. */
function whyUnsettled(exchange: JudgedExchange): string {
  const { record, stream } = exchange;
  if (record.end.kind === "failed") {
    return record.end.message;
  }
  if (record.response === undefined) {
    return "no answer of the service came";
  }
  return callGroup(kindOf(exchange)) === "distress"
    ? `it was answered with ${statusOf(exchange)}`
    : (stream?.limit ?? "its answer is not whole");
}

/** What keeps a rule from its evidence where such searches were sent and nothing can be learned from any of them. */
export function unsettledObstacle(sent: readonly JudgedExchange[], what: string): RuleObstacle | undefined {
  const [first] = sent;
  if (first === undefined || sent.some((exchange) => isSettled(exchange))) {
    return undefined;
  }
  const cut = sent.find(({ stream }) => stream?.limit !== undefined);
  const missing = `an answer to ${what} (${whyUnsettled(cut ?? first)})`;
  return { kind: cut === undefined ? "transport" : "limit", missing };
}
