import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { doctorProbes } from "./doctor-evidence.ts";
import { hasFailed, isLost } from "./failed-requests.ts";
import { fine, note, notChecked, problem } from "./check-results.ts";
import { findHeader } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

const id = "rate-limit";

/** Longer than any normal short response. An earlier timeout shows nothing about the target. */
const longWaitMicros = 10_000_000;
const waitCodes: ReadonlySet<string> = new Set(["first-byte-timeout", "total-timeout"]);

/** Reports whether a short response timed out. Long searches have their own check. */
const isOverdue = ({ end, probe, response, times }: ExchangeDraft): boolean =>
  response === undefined &&
  end.kind === "failed" &&
  waitCodes.has(end.code) &&
  probe !== doctorProbes.sample &&
  times.endedAtMicros - times.sentAtMicros >= longWaitMicros;

const isLimited = ({ response }: ExchangeDraft): boolean => response?.status === 429;

/** Counts failures by status, such as "2 with status 503, 1 without a complete response". */
function failuresClause(failed: readonly ExchangeDraft[]): string {
  const lostCount = failed.filter((exchange) => isLost(exchange)).length;
  const statuses = failed.flatMap((exchange) => (isLost(exchange) ? [] : (exchange.response?.status ?? [])));
  const counted = [...new Set(statuses)]
    .toSorted((a, b) => a - b)
    .map((status) => `${statuses.filter((otherStatus) => otherStatus === status).length} with status ${status}`);
  return [
    ...counted,
    ...(lostCount === 0 ? [] : [`${lostCount} without a complete response: the connection was lost`]),
  ].join(", ");
}

function failuresAdvice(failed: readonly ExchangeDraft[]): string {
  const statuses = new Set(failed.map(({ response }) => response?.status));
  const isUnavailable = statuses.has(503);
  return [
    ...(isUnavailable
      ? ["503 may be a rate limit: nginx's limit_req and limit_conn return it unless limit_req_status is 429"]
      : []),
    `${isUnavailable ? "otherwise check" : "check"} the proxy log for servers behind it that are down, restarting or too slow for its timeouts, and the instance log`,
  ].join("; ");
}

const limitClause = (limited: readonly ExchangeDraft[]): string => {
  const wait = limited[0] === undefined ? undefined : findHeader(limited[0], "retry-after");
  return `got status 429${wait === undefined ? "" : ` with a wait (Retry-After: ${visibleText(wait, 40)})`}`;
};

function reportFailures(failed: readonly ExchangeDraft[], exchanges: readonly ExchangeDraft[]): DoctorCheck {
  const limited = exchanges.filter((exchange) => isLimited(exchange)).length;
  const messages = [
    `${failed.length} of ${exchanges.length} requests failed: ${failuresClause(failed)}${limited === 0 ? "" : `; ${limited} got status 429`}`,
    failuresAdvice(failed),
  ] as const;
  return failed.every((exchange) => isAlwaysFailing(exchange, exchanges)) ? note(id, messages) : problem(id, messages);
}

/** Reports whether the request is for an optional document that was never served, so the document may not exist. */
const isAlwaysFailing = ({ probe, request }: ExchangeDraft, exchanges: readonly ExchangeDraft[]): boolean =>
  probe === doctorProbes.reference &&
  exchanges.every((exchange) => exchange.request.url !== request.url || hasFailed(exchange));

/** Checks for requests that were refused or lost. Other checks do not report intermittent failures. */
export function checkRateLimit({ evidence }: ArrangedEvidence): DoctorCheck {
  const exchanges = evidence.exchanges.filter(({ end }) => end.kind !== "failed" || end.code !== "aborted");
  const answeredExchanges = exchanges.filter(({ response }) => response !== undefined);
  if (answeredExchanges.length === 0) {
    return notChecked(id);
  }
  const failed = exchanges.filter((exchange) => hasFailed(exchange));
  if (failed.length > 0) {
    return reportFailures(failed, exchanges);
  }
  const limited = exchanges.filter((exchange) => isLimited(exchange));
  if (limited.length > 0) {
    return note(id, [
      `${limited.length} of ${answeredExchanges.length} requests ${limitClause(limited)}`,
      "try again later; raise the limit for this user or address in the proxy before you run tests",
    ]);
  }
  const overdue = exchanges.filter((exchange) => isOverdue(exchange));
  return overdue.length === 0
    ? fine(id, `none of ${answeredExchanges.length} requests`)
    : note(id, [
        `${overdue.length} of ${exchanges.length} requests received no response for 10 s or more`,
        "check the proxy log for servers behind it that do not respond",
      ]);
}
