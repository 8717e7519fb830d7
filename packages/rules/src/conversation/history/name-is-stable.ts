import { formatValue } from "../../engine/format-value.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationView } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { reportBlocked } from "../engine/define-conversation-check.ts";
import { listView } from "../engine/list-view.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import { checkRequestedIds } from "./ids-are-stable.ts";

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

const conversationsIn = (call: ConversationCall): readonly ConversationView[] => {
  const view = conversationView(call);
  return view === undefined ? (listView(call)?.entries ?? []) : [view];
};

function checkSpelling(calls: readonly ConversationCall[], reportFor: ReportFor): void {
  const names = new Map<string, string>();
  for (const call of calls) {
    for (const { id, name, pointer } of conversationsIn(call)) {
      if (id === undefined || name === undefined) {
        continue;
      }
      const key = `${call.record.credential} ${id}`;
      const first = names.get(key);
      names.set(key, first ?? name);
      if (first === undefined) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observation();
      if (first !== name) {
        const message = `a conversation that was \`${formatValue(first)}\` is \`${formatValue(name)}\``;
        report.violation({ message, pointer: `${pointer}/name` });
      }
    }
  }
}
