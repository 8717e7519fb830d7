import { wireMember } from "@assay/contract";
import { instantOf } from "@assay/state-machine";
import { errorsIn } from "./current-state.ts";
import { isBeforeAnyService } from "./timestamp.ts";
import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { viewsIn } from "../engine/each-conversation.ts";
import { toleranceMicros, workedBetween } from "../engine/target-time.ts";
import { shownValue } from "../../engine/shown-value.ts";

/**
 * Looks for times to retry that lie before the question was asked, by the `Date` of the creation. A time before the year 2000 lies
 * before any question. Only texts are looked at. Source: conversation-api, section 7.
 */
export function checkPastRetryTimes(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { create, calls } of evidence.threads("current")) {
    const askedMicros = create && workedBetween(create)?.fromMicros;
    for (const call of calls) {
      for (const { json, pointer } of viewsIn(call).flatMap((view) => errorsIn(view))) {
        const { key, value } = wireMember(json, "retryTime") ?? {};
        const { micros } = instantOf(typeof value === "string" ? value : "");
        if (key === undefined || Number.isNaN(micros)) {
          continue;
        }
        const report = reportFor(call.record.id);
        report.opportunity();
        if (
          isBeforeAnyService(micros / 1_000_000) ||
          (askedMicros !== undefined && micros < askedMicros - toleranceMicros)
        ) {
          report.violation({
            message: `\`${key}\` lies before the question was asked: \`${shownValue(value)}\``,
            code: "past",
            argument: key,
            pointer: `${pointer}/${key}`,
          });
        }
      }
    }
  }
}
