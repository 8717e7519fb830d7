import { formatValue } from "../../engine/format-value.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { reportBlocked, viewsIn } from "../engine/define-conversation-check.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import { checkRequestedIds } from "./check-requested-ids.ts";

/**
 * A response has the requested name, and every response to the same credential uses the same name. Source:
 * conversation-api, section 2.4.
 */
export const currentNameIsStable = defineConversationRule({
  id: "current/name-is-stable",
  check(evidence, reportFor) {
    const currentCalls = evidence.calls.filter((call) => call.interface === "current");
    checkRequestedIds(evidence, "current", reportFor);
    checkSpelling(currentCalls, reportFor);
    reportBlocked(currentCalls, reportFor);
  },
});

function checkSpelling(calls: readonly ConversationCall[], reportFor: ReportFor): void {
  const firstNames = new Map<string, string>();
  for (const call of calls) {
    for (const { id, name, pointer } of viewsIn(call)) {
      if (id === undefined || name === undefined) {
        continue;
      }
      const key = `${call.record.credential} ${id}`;
      const firstName = firstNames.get(key);
      firstNames.set(key, firstName ?? name);
      if (firstName === undefined) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observation();
      if (firstName !== name) {
        const message = `a conversation that was \`${formatValue(firstName)}\` is \`${formatValue(name)}\``;
        report.violation({ message, pointer: `${pointer}/name` });
      }
    }
  }
}
