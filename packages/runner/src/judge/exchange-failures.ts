import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import { answerGroup } from "./answer-group.ts";
import { isInvalidQueryProbe } from "./invalid-query-search.ts";

/** What went wrong with one exchange on its way, one sentence; `undefined` when it ended as HTTP says. */
export function failureOf({ record, unreadable }: RecordedExchange): string | undefined {
  if (unreadable !== undefined) {
    return visibleText(unreadable, 300);
  }
  if (record.end.kind === "complete") {
    return undefined;
  }
  const message = visibleText(record.end.message, 300);
  const isSaid = record.response === undefined || /after \d+ bytes/u.test(message);
  return isSaid ? message : `${message} (after ${record.response.body.bytes} bytes of the body)`;
}

const limitCodes: ReadonlySet<string> = new Set(["body-limit", "decompression-limit", "headers-overflow"]);

/** One exchange's part in leaving a run incomplete. */
interface Failure {
  readonly code: Extract<IncompleteReason["code"], "transport" | "limit" | "evidence-incomplete">;
  readonly why: string;
  readonly name: string;
}

function failureIn(exchange: RecordedExchange): Failure | undefined {
  const { record } = exchange;
  const name = `${record.id} (${visibleText(record.probe, 80)})`;
  const why = failureOf(exchange);
  if (record.end.kind === "failed") {
    return { code: limitCodes.has(record.end.code) ? "limit" : "transport", why: why ?? "", name };
  }
  if (exchange.unreadable !== undefined) {
    return { code: "evidence-incomplete", why: why ?? "", name };
  }
  if (record.response === undefined) {
    return { code: "evidence-incomplete", why: "it is said to be complete, but no response is recorded", name };
  }
  return answerGroup(exchange) === "distress" && !isInvalidQueryProbe(exchange)
    ? { code: "transport", why: `the target answered with status ${record.response.status}`, name }
    : undefined;
}

/** Reasons for which a run is incomplete although others of its exchanges went well; equal ones are one reason. */
export function failureReasons(exchanges: readonly RecordedExchange[]): readonly IncompleteReason[] {
  const groups = new Map<string, Failure & { count: number }>();
  for (const failure of exchanges.map((exchange) => failureIn(exchange))) {
    if (failure !== undefined) {
      // Only the number of bytes that arrived tells most failures apart.
      const key = `${failure.code} ${failure.why.replaceAll(/after \d+ bytes/gu, "")}`;
      const group = groups.get(key) ?? { ...failure, count: 0 };
      group.count += 1;
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ code, why, name, count }) => {
    const others = count === 1 ? "" : `; ${count - 1} more like it`;
    return { code, message: `${name}: ${why}${others}` };
  });
}
