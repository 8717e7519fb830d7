import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import { answerKind } from "./answer-kind.ts";

/** What went wrong with one exchange on its way, one sentence; `undefined` when it ended as HTTP says. */
export function failureOf({ record, unreadable }: RecordedExchange): string | undefined {
  if (unreadable !== undefined) {
    return visibleText(unreadable, 300);
  }
  if (record.end.kind === "complete") {
    return undefined;
  }
  const bytes = record.response?.body.bytes ?? 0;
  return `${visibleText(record.end.message, 300)} (after ${bytes} bytes of the body)`;
}

const limitCodes: ReadonlySet<string> = new Set(["body-limit", "decompression-limit", "headers-overflow"]);

/** Reasons for which a run is incomplete although others of its exchanges went well. */
export function failureReasons(exchanges: readonly RecordedExchange[]): readonly IncompleteReason[] {
  return exchanges.flatMap((exchange): readonly IncompleteReason[] => {
    const { record } = exchange;
    const failure = failureOf(exchange);
    if (exchange.unreadable !== undefined) {
      return [{ code: "evidence-incomplete", message: `${record.id} (${record.probe}): ${failure}` }];
    }
    if (failure !== undefined && record.end.kind === "failed") {
      const code = limitCodes.has(record.end.code) ? "limit" : "transport";
      return [{ code, message: `${record.id} (${record.probe}): ${failure}` }];
    }
    const isDistress = answerKind(exchange) === "distress";
    return isDistress
      ? [
          {
            code: "transport",
            message: `${record.id} (${record.probe}): the target answered ${record.response?.status}`,
          },
        ]
      : [];
  });
}
