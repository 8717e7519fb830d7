import { isPayloadObject } from "../../payload.ts";
import { type ApiAnswer, jsonAnswer, textAnswer } from "../api/api-answer.ts";
import type { ApiOperation } from "../api/api-call.ts";
import type { CallContext, CallHandler, HandledCall } from "../api/call-handler.ts";
import type { ConversationRecord, QuestionRecord } from "../conversation-record.ts";
import { writeCursor } from "../store/page-cursor.ts";
import { legacyConversation, legacyQuestion, retrievalMembers } from "./legacy-conversation.ts";
import { readLegacyList } from "./legacy-list-query.ts";

const handled = (answer: ApiAnswer): HandledCall => ({ answer });
const badRequest = (message: string): HandledCall => handled(textAnswer(400, message));
const notFound = (what: string): HandledCall => handled(textAnswer(404, `There is no such ${what}.`));

const conversationJson = ({ call, vocabulary }: CallContext, conversation: ConversationRecord): object =>
  legacyConversation(conversation, { origin: call.origin, vocabulary });

const withConversation = (
  context: CallContext,
  handle: (conversation: ConversationRecord) => HandledCall,
): HandledCall => {
  const { call, caller, hooks, service } = context;
  const found = call.conversation === undefined ? undefined : service.find(call.conversation, caller.userId, hooks);
  return found === undefined ? notFound("conversation") : handle(found);
};

const withQuestion = (context: CallContext, handle: (question: QuestionRecord) => HandledCall): HandledCall =>
  withConversation(context, ({ questions }) => {
    const found = questions.find(({ id }) => id === context.call.question);
    return found === undefined ? notFound("question") : handle(found);
  });

/** The text of a question; `undefined` when there is none, or nothing but white space. */
const questionText = ({ json }: CallContext): string | undefined => {
  const text = isPayloadObject(json) ? json["question"] : undefined;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
};

const create: CallHandler = (context) => {
  const text = questionText(context);
  if (text === undefined) {
    return badRequest("The body must be an object whose member question is a text that is not empty.");
  }
  const conversation = context.service.create(context.caller.userId, text, context.hooks);
  return { answer: jsonAnswer(202, conversationJson(context, conversation)), created: conversation.id };
};

const get: CallHandler = (context) =>
  withConversation(context, (conversation) => {
    const { caller, service, vocabulary } = context;
    const usage = service.quotaUsage(caller.userId);
    return handled(
      jsonAnswer(200, {
        ...conversationJson(context, conversation),
        ...retrievalMembers(conversation, { usage, viewerId: caller.userId, vocabulary }),
      }),
    );
  });

const getQuestion: CallHandler = (context) =>
  withQuestion(context, (question) => handled(jsonAnswer(200, legacyQuestion(question, context.vocabulary))));

/** Conversations of a page, and with `next_cursor` where the next one begins; the last page has none. */
const list: CallHandler = (context) => {
  const { caller, hooks, service } = context;
  const read = readLegacyList(context);
  if (!read.ok) {
    return badRequest(read.message);
  }
  const { conversations, next } = service.list(read.query, hooks);
  return handled(
    jsonAnswer(200, {
      conversations: conversations.map((conversation) => ({
        ...conversationJson(context, conversation),
        viewer: { is_owner: conversation.userId === caller.userId },
      })),
      ...(next === undefined ? {} : { next_cursor: writeCursor(read.query.sort, next) }),
    }),
  );
};

const followUp: CallHandler = (context) =>
  withConversation(context, (conversation) => {
    const { hooks, json, service } = context;
    const text = questionText(context);
    if (text === undefined || !isPayloadObject(json)) {
      return badRequest("The body must be an object whose member question is a text that is not empty.");
    }
    if (json["conversation_id"] !== conversation.id) {
      return badRequest("The member conversation_id of the body must be the id in the path.");
    }
    const changed = service.followUp(conversation, text, hooks);
    return changed === undefined
      ? badRequest("A question of this conversation is still being answered.")
      : handled(jsonAnswer(202, conversationJson(context, changed)));
  });

const cancel: CallHandler = (context) =>
  withQuestion(context, (question) => {
    const changed = context.service.cancel(question, context.hooks)?.questions.find(({ id }) => id === question.id);
    return changed === undefined
      ? badRequest("This question is not being answered, so that it cannot be cancelled.")
      : handled(jsonAnswer(200, legacyQuestion(changed, context.vocabulary)));
  });

const remove: CallHandler = (context) =>
  withConversation(context, (conversation) => {
    context.service.remove(conversation, context.hooks);
    return handled(jsonAnswer(200, {}));
  });

/** Handlers of the legacy interface by operation. Source: conversation-api, section 4.1. */
export const legacyHandlers: Readonly<Record<ApiOperation, CallHandler>> = {
  create,
  get,
  "get-question": getQuestion,
  list,
  "follow-up": followUp,
  cancel,
  delete: remove,
};
