import { parseInstant } from "@assay/state-machine";
import { checkShiftedTimes, checkTurnTime } from "./shifted-times.ts";
import { isBeforeYear2000, isUtcTimestamp } from "./timestamp.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked, operationsReturningConversation, viewsIn } from "../engine/define-conversation-check.ts";
import { collectQuestions } from "../engine/define-question-check.ts";
import { isRecord, member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";

/**
 * Checks the format and time zone of times in conversations, questions and the quota. Values that are not strings
 * are skipped. Source: conversation-api, sections 2.1 and 2.2.
 */
export const legacyTimestampsAreUtc = defineConversationRule({
  id: "legacy/timestamps-are-utc",
  check(evidence, reportFor) {
    const calls = evidence.calls.filter((call) => call.interface === "legacy");
    for (const call of calls) {
      const report = reportFor(call.record.id);
      for (const { json, pointer } of viewsIn(call)) {
        checkTimes({ json, pointer }, ["created_at", "updated_at"], report);
        checkTimes({ json: member(json, "quota_usage"), pointer: `${pointer}/quota_usage` }, ["reset_time"], report);
      }
    }
    for (const { question, call } of collectQuestions(evidence, "legacy")) {
      checkTimes(question, ["created_at", "updated_at"], reportFor(call.record.id));
      checkTurnTime(question, reportFor(call.record.id));
    }
    checkShiftedTimes(evidence, "legacy", reportFor);
    reportBlocked(
      calls.filter(({ operation }) => operationsReturningConversation.includes(operation)),
      reportFor,
    );
  },
});

function checkTimes(
  { json, pointer }: { readonly json: unknown; readonly pointer: string },
  keys: readonly string[],
  report: Reporter,
): void {
  for (const key of isRecord(json) ? keys : []) {
    const value = member(json, key);
    if (typeof value !== "string") {
      continue;
    }
    report.observation();
    if (!isUtcTimestamp(value)) {
      report.violation({
        message: `\`${key}\` is not an ISO 8601 time in UTC: \`${formatValue(value)}\``,
        code: "no-time",
        argument: key,
        pointer: `${pointer}/${key}`,
      });
    } else if (key === "reset_time" && isBeforeYear2000(parseInstant(value).micros / 1_000_000)) {
      report.violation({
        message: `\`${key}\` is a duration or a time decades ago, not a reset time: \`${formatValue(value)}\``,
        code: "duration",
        argument: key,
        pointer: `${pointer}/${key}`,
      });
    }
  }
}
