import { notesOnce } from "../engine/notes-once.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationName } from "@assay/reading";
import { reportBlocked, viewsIn } from "../engine/each-conversation.ts";
import { formatValue } from "../../engine/format-value.ts";

/** Names of conversations and of summaries in lists. Source: conversation-api, section 2.4. */
export const currentNameIsAResourceName = defineConversationRule({
  id: "current/name-is-a-resource-name",
  check({ calls }, reportFor) {
    const reporters = notesOnce(reportFor);
    const own = calls.filter((call) => call.interface === "current");
    for (const call of own) {
      const report = reporters(call.record.id);
      for (const { name, pointer } of viewsIn(call)) {
        if (name === undefined) {
          continue;
        }
        const place = { pointer: `${pointer}/name` };
        const parts = conversationName(name);
        report.observation();
        if (parts === undefined) {
          report.violation({ message: `a conversation is named \`${formatValue(name)}\``, ...place });
        } else {
          report.note({ code: "current/user-in-names", message: userForm(parts.user), ...place });
        }
      }
    }
    reportBlocked(own, reportFor);
  },
});

const userForm = (user: string): string =>
  user === "~self"
    ? "names say `~self` for the user"
    : `names hold ${/^\d+$/.test(user) ? "the number" : "a name"} of the user`;
