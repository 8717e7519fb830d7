import type { ExchangeDraft, FailureCode } from "@assay/evidence";
import { seenAs } from "./seen-answers.ts";

/** Ends of connections that our own deadlines and limits did not cause. */
const lostCodes: ReadonlySet<FailureCode> = new Set([
  "connect-timeout",
  "dns",
  "protocol",
  "refused",
  "reset",
  "tls",
  "truncated",
  "unreachable",
]);

/**
 * True if a connection was lost before its answer, before the first event, or before the end of a list. A request that we gave up is not
 * lost. A stream that is cut off later has its own check.
 */
export const isLost = (exchange: ExchangeDraft): boolean =>
  exchange.end.kind === "failed" &&
  lostCodes.has(exchange.end.code) &&
  ["nothing", "unfinished"].includes(seenAs(exchange));

/** True if a request failed that should be answered for any credential. A refusal is an answer. */
export const hasFailed = (exchange: ExchangeDraft): boolean => seenAs(exchange) === "broken" || isLost(exchange);

/** Timeout statuses of proxies. */
const timeoutStatuses: ReadonlySet<number> = new Set([408, 504, 522, 524]);
/** A faster failure is a missing upstream rather than a timeout. */
const minWaitMicros = 500_000;

/** True if a proxy in front may have timed out. */
export function isProxyTimeout(exchange: ExchangeDraft): boolean {
  const { response, times } = exchange;
  const isLate = times.endedAtMicros - times.sentAtMicros >= minWaitMicros;
  return timeoutStatuses.has(response?.status ?? 0) || (isLate && (isLost(exchange) || response?.status === 502));
}
