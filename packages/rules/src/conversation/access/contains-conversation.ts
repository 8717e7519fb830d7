import { hasMatchingText } from "./has-matching-text.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { readListPage } from "../lists/list-page.ts";

/** Shorter questions may occur in a response by chance. */
const minDistinctiveLength = 8;

/** Reports whether a response contains the text of a question of this conversation, in any member. */
export function containsQuestionText(call: ConversationCall, { create, calls }: CreatedConversation): boolean {
  const { response } = call;
  if (response.kind !== "success") {
    return false;
  }
  const questionTexts = [create, ...calls].flatMap(({ request: { question = "" } }) => question.trim());
  const distinctiveTexts = questionTexts.filter(({ length }) => length >= minDistinctiveLength);
  return (
    distinctiveTexts.length > 0 &&
    hasMatchingText(response.json, (value) => distinctiveTexts.some((text) => value.includes(text)))
  );
}

/**
 * Reports whether a response contains this conversation: by its id, alone or in a list, or by the text of a question.
 */
export const containsConversation = (call: ConversationCall, conversation: CreatedConversation): boolean =>
  conversationView(call)?.id === conversation.id ||
  readListPage(call)?.ids.includes(conversation.id) === true ||
  containsQuestionText(call, conversation);
