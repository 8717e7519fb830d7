import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { doctorProbes } from "./doctor-evidence.ts";
import { hasFailedForAnyCredential, isConnectionLost } from "./failed-requests.ts";
import { ok, note, notChecked, problem } from "./check-results.ts";
import { findHeader } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "rate-limit";

/** Longer than any normal short response. An earlier timeout shows nothing about the target. */
const minOverdueMicros = 10_000_000;
const timeoutCodes: ReadonlySet<string> = new Set(["first-byte-timeout", "total-timeout"]);

/** Reports whether a short response timed out. Long searches have their own check. */
const isOverdue = ({ end, probe, response, times }: ExchangeDraft): boolean =>
  response === undefined &&
  end.kind === "failed" &&
  timeoutCodes.has(end.code) &&
  probe !== doctorProbes.sample &&
  times.endedAtMicros - times.sentAtMicros >= minOverdueMicros;

const isLimited = ({ response }: ExchangeDraft): boolean => response?.status === 429;

/** Counts failures by status, such as "2 with status 503, 1 without a complete response". */
function describeFailures(failedExchanges: readonly ExchangeDraft[]): string {
  const lostCount = failedExchanges.filter((exchange) => isConnectionLost(exchange)).length;
  const statuses = failedExchanges.flatMap((exchange) =>
    isConnectionLost(exchange) ? [] : (exchange.response?.status ?? []),
  );
  const statusClauses = [...new Set(statuses)]
    .toSorted((a, b) => a - b)
    .map((status) => `${statuses.filter((otherStatus) => otherStatus === status).length} with status ${status}`);
  return [
    ...statusClauses,
    ...(lostCount === 0 ? [] : [`${lostCount} without a complete response: the connection was lost`]),
  ].join(", ");
}

function createFailureAdvice(failedExchanges: readonly ExchangeDraft[]): string {
  const statuses = new Set(failedExchanges.map(({ response }) => response?.status));
  const isUnavailable = statuses.has(503);
  return [
    ...(isUnavailable
      ? ["503 may be a rate limit: nginx's limit_req and limit_conn return it unless limit_req_status is 429"]
      : []),
    `${isUnavailable ? "otherwise check" : "check"} the proxy log for upstream servers that are down, restarting or too slow for its timeouts, and the instance log`,
  ].join("; ");
}

const describeLimit = (limitedExchanges: readonly ExchangeDraft[]): string => {
  const wait = limitedExchanges[0] === undefined ? undefined : findHeader(limitedExchanges[0], "retry-after");
  return `got status 429${wait === undefined ? "" : ` with a wait (Retry-After: ${visibleText(wait, 40)})`}`;
};

function reportFailures(failedExchanges: readonly ExchangeDraft[], exchanges: readonly ExchangeDraft[]): DoctorCheck {
  const limitedCount = exchanges.filter((exchange) => isLimited(exchange)).length;
  const messages = [
    `${failedExchanges.length} of ${exchanges.length} requests failed: ${describeFailures(failedExchanges)}${limitedCount === 0 ? "" : `; ${limitedCount} got status 429`}`,
    createFailureAdvice(failedExchanges),
  ] as const;
  return failedExchanges.every((exchange) => isAlwaysFailing(exchange, exchanges))
    ? note(id, messages)
    : problem(id, messages);
}

/** Reports whether the request is for an optional document that was never served, so the document may not exist. */
const isAlwaysFailing = ({ probe, request }: ExchangeDraft, exchanges: readonly ExchangeDraft[]): boolean =>
  probe === doctorProbes.reference &&
  exchanges.every((exchange) => exchange.request.url !== request.url || hasFailedForAnyCredential(exchange));

/** Checks for requests that were refused or lost. Other checks do not report intermittent failures. */
export function checkRateLimit({ evidence }: ArrangedEvidence): DoctorCheck {
  const exchanges = evidence.exchanges.filter(({ end }) => end.kind !== "failed" || end.code !== "aborted");
  const answeredExchanges = exchanges.filter(({ response }) => response !== undefined);
  if (answeredExchanges.length === 0) {
    return notChecked(id);
  }
  const failedExchanges = exchanges.filter((exchange) => hasFailedForAnyCredential(exchange));
  if (failedExchanges.length > 0) {
    return reportFailures(failedExchanges, exchanges);
  }
  const limitedExchanges = exchanges.filter((exchange) => isLimited(exchange));
  if (limitedExchanges.length > 0) {
    return note(id, [
      `${limitedExchanges.length} of ${answeredExchanges.length} requests ${describeLimit(limitedExchanges)}`,
      "try again later; raise the limit for this user or address in the proxy before you run tests",
    ]);
  }
  const overdueExchanges = exchanges.filter((exchange) => isOverdue(exchange));
  return overdueExchanges.length === 0
    ? ok(id, `none of ${answeredExchanges.length} requests`)
    : note(id, [
        `${overdueExchanges.length} of ${exchanges.length} requests received no response for 10 s or more`,
        "check the proxy log for upstream servers that do not respond",
      ]);
}
