import { shownValue } from "../../engine/json-value.ts";
import { eachQuestion } from "../engine/each-question.ts";

/** `conversation_id` of a question is the id of the conversation around it, or of the one that was asked. Source: conversation-api, section 2.2. */
export const legacyQuestionBelongsToConversation = eachQuestion({
  id: "legacy/question-belongs-to-conversation",
  interface: "legacy",
  check({ question: { conversationId, pointer }, conversation, call }, report) {
    const id = conversation === undefined ? call.asked.conversation : conversation.id;
    if (id === undefined || conversationId === undefined) {
      return;
    }
    report.observe();
    if (conversationId !== id) {
      report.violation({
        message: `a question of conversation ${shownValue(id)} says it is in ${shownValue(conversationId)}`,
        pointer: `${pointer}/conversation_id`,
      });
    }
  },
});
