import type { ExchangeDraft, FailureCode } from "@assay/evidence";
import { seenAs } from "./seen-answers.ts";

/** Ends of connections that neither a deadline nor a limit of ours has made. */
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
 * Whether a connection was lost before it brought an answer, or before the first event or the end of a list. What we stopped
 * waiting for is not lost; a stream that breaks off later has a check of its own.
 */
export const isLost = (exchange: ExchangeDraft): boolean =>
  exchange.end.kind === "failed" &&
  lostCodes.has(exchange.end.code) &&
  ["nothing", "unfinished"].includes(seenAs(exchange));

/** Whether something failed that is meant to be answered, whoever asks. A refusal is an answer. */
export const hasFailed = (exchange: ExchangeDraft): boolean => seenAs(exchange) === "broken" || isLost(exchange);

/** Statuses by which something in front says that it waited in vain. */
const timeoutStatuses: ReadonlySet<number> = new Set([408, 504, 522, 524]);
/** What fails sooner has met nobody, rather than been waited for. */
const leastWaitMicros = 500_000;

/** Whether something in front may have given up before there was an answer. */
export function isGivenUpInFront(exchange: ExchangeDraft): boolean {
  const { response, times } = exchange;
  const isLate = times.endedAtMicros - times.sentAtMicros >= leastWaitMicros;
  return timeoutStatuses.has(response?.status ?? 0) || (isLate && (isLost(exchange) || response?.status === 502));
}
