import { someText } from "./some-text.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { listPage } from "../lists/list-page.ts";

/** Shorter questions may occur in a response by chance. */
const minDistinctiveLength = 8;

/** Reports whether a response contains the text of a question of this conversation, in any member. */
export function containsQuestionText(call: ConversationCall, { create, calls }: OwnConversation): boolean {
  const { response } = call;
  if (response.kind !== "success") {
    return false;
  }
  const questionTexts = [create, ...calls].flatMap(({ request: { question = "" } }) => question.trim());
  const texts = questionTexts.filter(({ length }) => length >= minDistinctiveLength);
  return texts.length > 0 && someText(response.json, (value) => texts.some((text) => value.includes(text)));
}

/**
 * Reports whether a response contains this conversation: by its id, alone or in a list, or by the text of a question.
 */
export const containsConversation = (call: ConversationCall, ownConversation: OwnConversation): boolean =>
  conversationView(call)?.id === ownConversation.id ||
  listPage(call)?.ids.includes(ownConversation.id) === true ||
  containsQuestionText(call, ownConversation);
