import { wireMember } from "@assay/reading";
import { parseInstant } from "@assay/state-machine";
import { errorsIn } from "./current-state.ts";
import { isBeforeYear2000 } from "./timestamp.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { viewsIn } from "../engine/define-conversation-check.ts";
import { toleranceMicros, serverSpan } from "../engine/target-time.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";

/**
 * Finds retry times before the question was asked, according to the `Date` of the creation. A time before 2000 is
 * before any question. Values that are not strings are skipped. Source: conversation-api, section 7.
 */
export function checkPastRetryTimes(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { create, calls } of evidence.conversationsOf("current")) {
    const askedMicros = create && serverSpan(create)?.fromMicros;
    for (const call of calls) {
      retryTimesIn(call).forEach((time) => checkTime(time, askedMicros, reportFor(call.record.id)));
    }
  }
}

/** The retry time of an error. */
interface RetryTime {
  readonly key: string;
  readonly text: string;
  readonly micros: number;
  readonly pointer: string;
}

const retryTimesIn = (call: ConversationCall): readonly RetryTime[] =>
  viewsIn(call)
    .flatMap((view) => errorsIn(view))
    .flatMap(({ json, pointer }) => {
      const { key = "", value } = wireMember(json, "retryTime") ?? {};
      const text = typeof value === "string" ? value : "";
      const { micros } = parseInstant(text);
      return Number.isNaN(micros) ? [] : [{ key, text, micros, pointer: `${pointer}/${key}` }];
    });

function checkTime({ key, text, micros, pointer }: RetryTime, askedMicros: number | undefined, report: Reporter): void {
  const earliestMicros = askedMicros === undefined ? Number.NEGATIVE_INFINITY : askedMicros - toleranceMicros;
  report.observation();
  if (isBeforeYear2000(micros / 1_000_000) || micros < earliestMicros) {
    report.violation({
      message: `\`${key}\` is before the question was asked: \`${formatValue(text)}\``,
      code: "past",
      argument: key,
      pointer,
    });
  }
}
