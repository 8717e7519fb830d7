import { isPayloadObject, type PayloadObject } from "../../payload.ts";
import { type ApiAnswer, jsonAnswer } from "../api/api-answer.ts";
import type { ApiOperation } from "../api/api-call.ts";
import type { CallContext, CallHandler, HandledCall } from "../api/call-handler.ts";
import type { ConversationRecord } from "../conversation-record.ts";
import { isInProgress } from "../conversation-service.ts";
import { writeCursor } from "../store/page-cursor.ts";
import { type ConnectCode, connectError } from "./connect-error.ts";
import { currentConversation, currentQuestion, currentSummary } from "./current-conversation.ts";
import { readCreation, readList, readQuestion } from "./current-requests.ts";
import { isOwnParent, readConversationName } from "./resource-name.ts";

const handled = (answer: ApiAnswer): HandledCall => ({ answer });
const failed = (code: ConnectCode, message: string): HandledCall => handled(connectError(code, message));
const invalid = (message: string): HandledCall => failed("invalid_argument", message);

const requestOf = ({ json }: CallContext): PayloadObject => (isPayloadObject(json) ? json : {});

const formOf = ({ call, vocabulary }: CallContext) => ({ origin: call.origin, vocabulary }) as const;

const conversationAnswer = (context: CallContext, conversation: ConversationRecord): ApiAnswer =>
  jsonAnswer(200, currentConversation(conversation, formOf(context)));

/** Finds the conversation that a member of the request names. */
const withConversation = (
  context: CallContext,
  member: "name" | "parent",
  handle: (conversation: ConversationRecord) => HandledCall,
): HandledCall => {
  const { caller, hooks, service } = context;
  const name = readConversationName(requestOf(context)[member], caller);
  if (!name.ok && name.reason === "malformed") {
    return invalid(`${member} must be a resource name of the form users/<user>/conversations/<conversation_id>.`);
  }
  const conversation = name.ok ? service.find(name.id, caller.userId, hooks) : undefined;
  return conversation === undefined ? failed("not_found", "conversation not found") : handle(conversation);
};

const withOwnParent = (context: CallContext, handle: () => HandledCall): HandledCall =>
  isOwnParent(requestOf(context)["parent"], context.caller)
    ? handle()
    : failed("not_found", "parent must be users/~self: no other user is known here");

const create: CallHandler = (context) =>
  withOwnParent(context, () => {
    const text = readCreation(requestOf(context));
    if (!text.ok) {
      return invalid(text.message);
    }
    const conversation = context.service.create(context.caller.userId, text.value, context.hooks);
    return { answer: conversationAnswer(context, conversation), created: conversation.id };
  });

const get: CallHandler = (context) =>
  withConversation(context, "name", (conversation) => handled(conversationAnswer(context, conversation)));

const list: CallHandler = (context) =>
  withOwnParent(context, () => {
    const { caller, hooks, service, vocabulary } = context;
    const query = readList(requestOf(context), caller);
    if (!query.ok) {
      return invalid(query.message);
    }
    const { conversations, next } = service.list(query.value, hooks);
    const summaries = conversations.map((conversation) => currentSummary(conversation, formOf(context)));
    const [names, token] =
      vocabulary === "field"
        ? (["conversationSummaries", "nextPageToken"] as const)
        : (["conversation_summaries", "next_page_token"] as const);
    return handled(
      jsonAnswer(200, {
        // An empty list is left out, as in JSON of protocol buffers.
        ...(vocabulary === "field" && summaries.length === 0 ? {} : { [names]: summaries }),
        ...(next === undefined ? {} : { [token]: writeCursor(query.value.sort, next) }),
      }),
    );
  });

/** Instances in the field answer with the question; read by the document alone it is the conversation. */
const followUp: CallHandler = (context) =>
  withConversation(context, "parent", (conversation) => {
    const { hooks, service, vocabulary } = context;
    const text = readQuestion(requestOf(context)["question"]);
    if (!text.ok) {
      return invalid(text.message);
    }
    const changed = service.followUp(conversation, text.value, hooks);
    const question = changed?.questions.at(-1);
    if (changed === undefined || question === undefined) {
      return failed("failed_precondition", "a question of this conversation is still being answered");
    }
    return handled(
      vocabulary === "field"
        ? jsonAnswer(200, currentQuestion(question, vocabulary))
        : conversationAnswer(context, changed),
    );
  });

const cancel: CallHandler = (context) =>
  withConversation(context, "name", (conversation) => {
    const question = conversation.questions.find(isInProgress);
    const changed = question === undefined ? undefined : context.service.cancel(question, context.hooks);
    return changed === undefined
      ? failed("failed_precondition", "no question of this conversation is being answered")
      : handled(conversationAnswer(context, changed));
  });

const remove: CallHandler = (context) =>
  withConversation(context, "name", (conversation) => {
    context.service.remove(conversation, context.hooks);
    return handled(jsonAnswer(200, {}));
  });

/** Handlers of the current interface by operation; questions have no names in it. Source: conversation-api, section 4.2. */
export const currentHandlers: Readonly<Record<Exclude<ApiOperation, "get-question">, CallHandler>> = {
  create,
  get,
  list,
  "follow-up": followUp,
  cancel,
  delete: remove,
};
