import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import { findAnswerGroup } from "./answer-group.ts";
import { isInvalidQuerySearch } from "./invalid-query-search.ts";

/** Describes the transport failure of an exchange in one sentence. Returns undefined if the exchange ended as HTTP requires. */
export function describeFailure({ record, unreadable }: RecordedExchange): string | undefined {
  if (unreadable !== undefined) {
    return visibleText(unreadable, 300);
  }
  if (record.end.kind === "complete") {
    return undefined;
  }
  const message = visibleText(record.end.message, 300);
  const hasByteCount = record.response === undefined || /after \d+ bytes/u.test(message);
  return hasByteCount ? message : `${message} (after ${record.response.body.bytes} bytes of the body)`;
}

const limitCodes: ReadonlySet<string> = new Set(["body-limit", "decompression-limit", "headers-overflow"]);

/** A failure of one exchange that makes a run incomplete. */
interface Failure {
  readonly code: Extract<IncompleteReason["code"], "transport" | "limit" | "evidence-incomplete">;
  readonly reason: string;
  readonly name: string;
}

function findFailure(exchange: RecordedExchange): Failure | undefined {
  const { record } = exchange;
  const name = `${record.id} (${visibleText(record.probe, 80)})`;
  const reason = describeFailure(exchange);
  if (record.end.kind === "failed") {
    return { code: limitCodes.has(record.end.code) ? "limit" : "transport", reason: reason ?? "", name };
  }
  if (exchange.unreadable !== undefined) {
    return { code: "evidence-incomplete", reason: reason ?? "", name };
  }
  if (record.response === undefined) {
    return { code: "evidence-incomplete", reason: "it is marked as complete, but no response is recorded", name };
  }
  return findAnswerGroup(exchange) === "distress" && !isInvalidQuerySearch(exchange)
    ? { code: "transport", reason: `the target answered with status ${record.response.status}`, name }
    : undefined;
}

/** Returns the reasons a run is incomplete although some exchanges succeeded. Merges equal reasons. */
export function collectFailureReasons(exchanges: readonly RecordedExchange[]): readonly IncompleteReason[] {
  const groups = new Map<string, Failure & { count: number }>();
  for (const failure of exchanges.map((exchange) => findFailure(exchange))) {
    if (failure !== undefined) {
      // Most failures differ only in the number of bytes received.
      const key = `${failure.code} ${failure.reason.replaceAll(/after \d+ bytes/gu, "")}`;
      const group = groups.get(key) ?? { ...failure, count: 0 };
      group.count += 1;
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ code, reason, name, count }) => {
    const othersClause = count === 1 ? "" : `; ${count - 1} more like it`;
    return { code, message: `${name}: ${reason}${othersClause}` };
  });
}
