import type { ExchangeDraft, FailureCode } from "@assay/evidence";
import { classifyExchange } from "./arranged-evidence.ts";

/** Failures that our own deadlines and limits did not cause. */
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
 * Reports whether a connection was lost before the response, the first event or the end of a list. A request that we aborted is not
 * lost. A stream that is cut off later has its own check.
 */
export const isLost = (exchange: ExchangeDraft): boolean =>
  exchange.end.kind === "failed" &&
  lostCodes.has(exchange.end.code) &&
  ["no-response", "unfinished"].includes(classifyExchange(exchange));

/** Reports whether a request failed for a reason that does not depend on its credential. A refusal is not a failure. */
export const hasFailed = (exchange: ExchangeDraft): boolean =>
  classifyExchange(exchange) === "broken" || isLost(exchange);

/** Timeout statuses of proxies. */
const timeoutStatuses: ReadonlySet<number> = new Set([408, 504, 522, 524]);
/** A faster failure is a missing upstream rather than a timeout. */
const minWaitMicros = 500_000;

/** Reports whether a proxy may have timed out. */
export function isProxyTimeout(exchange: ExchangeDraft): boolean {
  const { response, times } = exchange;
  const hasWaited = times.endedAtMicros - times.sentAtMicros >= minWaitMicros;
  return timeoutStatuses.has(response?.status ?? 0) || (hasWaited && (isLost(exchange) || response?.status === 502));
}
