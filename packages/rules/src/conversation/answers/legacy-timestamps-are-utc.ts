import { isUtcTimestamp } from "./timestamp.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { reportObstacles, showingOperations } from "../engine/each-conversation.ts";
import { seenQuestions } from "../engine/each-question.ts";
import { isRecord, member, shownValue } from "../../engine/json-value.ts";
import type { Reporter } from "../../engine/reporter.ts";

/** Times of conversations, of questions and of the quota. Only texts are looked at. Source: conversation-api, sections 2.1 and 2.2. */
export const legacyTimestampsAreUtc = defineConversationRule({
  id: "legacy/timestamps-are-utc",
  check(evidence, reportFor) {
    const calls = evidence.calls.filter(
      (call) => call.interface === "legacy" && showingOperations.includes(call.operation),
    );
    for (const call of calls) {
      const view = conversationView(call);
      const report = reportFor(call.record.id);
      checkTimes({ json: view?.json, pointer: view?.pointer ?? "" }, ["created_at", "updated_at"], report);
      const usage = { json: member(view?.json, "quota_usage"), pointer: `${view?.pointer ?? ""}/quota_usage` };
      checkTimes(usage, ["reset_time"], report);
    }
    for (const { question, call } of seenQuestions(evidence, "legacy")) {
      checkTimes(question, ["created_at", "updated_at"], reportFor(call.record.id));
    }
    reportObstacles(calls, reportFor);
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
    report.observe();
    if (!isUtcTimestamp(value)) {
      report.violation({
        message: `\`${key}\` is no ISO 8601 time in UTC: \`${shownValue(value)}\``,
        code: "no-time",
        argument: key,
        pointer: `${pointer}/${key}`,
      });
    }
  }
}
