import type { ExchangeDraft, FailureCode } from "@assay/evidence";
import { classifyExchange } from "./arranged-evidence.ts";

/** Failures not caused by Assay's own deadlines or limits. */
const connectionFailureCodes: ReadonlySet<FailureCode> = new Set([
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
 * Reports whether the connection failed before the response, the first event, or the end of a list. Returns false for
 * requests that Assay aborted. Streams cut off after their first event are checked separately.
 */
export const isConnectionLost = (exchange: ExchangeDraft): boolean =>
  exchange.end.kind === "failed" &&
  connectionFailureCodes.has(exchange.end.code) &&
  ["no-response", "unfinished"].includes(classifyExchange(exchange));

/** Reports whether a request failed for a reason unrelated to its credential. Returns false for refusals. */
export const hasFailedForAnyCredential = (exchange: ExchangeDraft): boolean =>
  classifyExchange(exchange) === "broken" || isConnectionLost(exchange);

/** HTTP statuses that proxies return on a timeout. 522 and 524 are Cloudflare's. */
const timeoutStatuses: ReadonlySet<number> = new Set([408, 504, 522, 524]);
/** A faster failure means that the upstream is down, not slow. */
const minWaitMicros = 500_000;

/** Reports whether a proxy may have timed out. */
export function mayBeProxyTimeout(exchange: ExchangeDraft): boolean {
  const { response, times } = exchange;
  const hasWaited = times.endedAtMicros - times.sentAtMicros >= minWaitMicros;
  return (
    timeoutStatuses.has(response?.status ?? 0) ||
    (hasWaited && (isConnectionLost(exchange) || response?.status === 502))
  );
}
