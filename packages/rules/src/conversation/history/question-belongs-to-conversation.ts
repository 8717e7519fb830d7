import { formatValue } from "../../engine/format-value.ts";
import { defineQuestionCheck } from "../engine/define-question-check.ts";

/**
 * The `conversation_id` of a question is the id of its conversation, or of the requested one. Source: conversation-api,
 * section 2.2.
 */
export const legacyQuestionBelongsToConversation = defineQuestionCheck({
  id: "legacy/question-belongs-to-conversation",
  interface: "legacy",
  check({ question: { conversationId, pointer }, conversation, call }, report) {
    const id = conversation === undefined ? call.request.conversationId : conversation.id;
    if (id === undefined || conversationId === undefined) {
      return;
    }
    report.observation();
    if (conversationId !== id) {
      report.violation({
        message: `a question of conversation ${formatValue(id)} has the \`conversation_id\` ${formatValue(conversationId)}`,
        pointer: `${pointer}/conversation_id`,
      });
    }
  },
});
