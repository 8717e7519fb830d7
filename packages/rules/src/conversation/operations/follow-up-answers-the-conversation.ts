import { bodyForm } from "../engine/body-form.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { reportObstacles } from "../engine/each-conversation.ts";

/**
 * The table of operations has the conversation as the answer to a follow-up, not the new question alone. What it says of
 * that has other rules. Source: conversation-api, section 4.1.
 */
export const followUpAnswersTheConversation = defineConversationRule({
  id: "legacy/follow-up-answers-the-conversation",
  check({ calls }, reportFor) {
    const followUps = calls.filter((call) => call.interface === "legacy" && call.operation === "follow-up");
    for (const call of followUps.filter(({ answer }) => answer.kind === "success")) {
      const report = reportFor(call.record.id);
      report.observe();
      if (conversationView(call) === undefined) {
        report.violation({
          message: `a follow-up was answered with ${bodyForm(call) ?? "nothing"}, not with the conversation`,
          code: questionView(call) === undefined ? "no-conversation" : "question-alone",
        });
      }
    }
    reportObstacles(followUps, reportFor);
  },
});
