import { dedupeNotes } from "../engine/dedupe-notes.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { parseConversationName } from "@assay/reading";
import { reportBlocked, viewsIn } from "../engine/define-conversation-check.ts";
import { formatValue } from "../../engine/format-value.ts";

/** The names of conversations and of list entries have the documented form. Source: conversation-api, section 2.4. */
export const currentNameIsAResourceName = defineConversationRule({
  id: "current/name-is-a-resource-name",
  check({ calls }, reportFor) {
    const reporters = dedupeNotes(reportFor);
    const currentCalls = calls.filter((call) => call.interface === "current");
    for (const call of currentCalls) {
      const report = reporters(call.record.id);
      for (const { name, pointer } of viewsIn(call)) {
        if (name === undefined) {
          continue;
        }
        const position = { pointer: `${pointer}/name` };
        const nameParts = parseConversationName(name);
        report.observation();
        if (nameParts === undefined) {
          report.violation({ message: `a conversation is named \`${formatValue(name)}\``, ...position });
        } else {
          report.note({ code: "current/user-in-names", message: describeUser(nameParts.user), ...position });
        }
      }
    }
    reportBlocked(currentCalls, reportFor);
  },
});

const describeUser = (user: string): string =>
  user === "~self"
    ? "names contain `~self` as the user"
    : `names contain ${/^\d+$/.test(user) ? "the number" : "a name"} of the user`;
