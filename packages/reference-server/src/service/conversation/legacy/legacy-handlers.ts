import { defined, sortOrders } from "@assay/contract";
import type { ErrorCode, ListParameter } from "@assay/contract";
import { isPayloadObject } from "../../payload.ts";
import type { ApiAnswer } from "../api/api-answer.ts";
import { jsonAnswer, textAnswer } from "../api/api-answer.ts";
import type { ApiOperation } from "../api/api-call.ts";
import type { CallContext, CallHandler, HandledCall } from "../api/call-handler.ts";
import type { ConversationRecord, QuestionRecord, WorkStats } from "../conversation-record.ts";
import { readCursor, writeCursor } from "../store/page-cursor.ts";
import type { ListQuery } from "../store/list-query.ts";
import type { Vocabulary } from "../api/timestamp.ts";
import { formatTimestamp } from "../api/timestamp.ts";
import { noWork } from "../conversation-record.ts";
import type { QuotaUsage } from "../conversation-service.ts";
import type { PayloadObject } from "../../payload.ts";

/** Parameters of the format of objects. */
interface MessageFormat {
  readonly vocabulary: Vocabulary;
  /** Base URL without a trailing slash. */
  readonly origin: string;
}

const formatStats = ({
  completionTokens,
  credits,
  inputTokens,
  promptTokens,
  timeMs,
  toolCalls,
}: WorkStats): PayloadObject => ({
  time_millis: timeMs,
  tool_calls: toolCalls,
  total_input_tokens: inputTokens + promptTokens,
  cached_tokens: 0,
  cache_creation_input_tokens: inputTokens,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: inputTokens + promptTokens + completionTokens,
  credits,
});

const errorKinds: Readonly<Record<ErrorCode, string>> = {
  ERROR_INTERNAL: "InternalError",
  ERROR_QUOTA_EXCEEDED: "RateLimitExceeded",
  ERROR_ENTITLEMENT_EXCEEDED: "RateLimitExceeded",
  ERROR_TOKEN_LIMIT_EXCEEDED: "TokenLimitExceeded",
};

const errorTitles: Readonly<Record<ErrorCode, string>> = {
  ERROR_INTERNAL: "Internal error",
  ERROR_QUOTA_EXCEEDED: "Quota exceeded",
  ERROR_ENTITLEMENT_EXCEEDED: "Entitlement exceeded",
  ERROR_TOKEN_LIMIT_EXCEEDED: "Token limit exceeded",
};

const formatProcessing = ({ createdAtMs, text }: QuestionRecord): PayloadObject => ({
  status: "processing",
  turns: [{ reasoning: text, timestamp: Math.floor(createdAtMs / 1000), role: "user" }],
  stats: formatStats(noWork),
  suggested_followups: null,
});

const formatOutcome = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => {
  const { outcome } = question;
  switch (outcome?.kind) {
    case undefined:
      return formatProcessing(question);
    case "completed":
      return {
        status: "completed",
        title: outcome.title,
        answer: outcome.answer,
        sources: outcome.sources,
        stats: formatStats(outcome.stats),
        suggested_followups: outcome.followups,
      };
    case "failed":
      return {
        status: "completed",
        title: outcome.title,
        ...defined({ answer: outcome.answer }),
        stats: formatStats(outcome.stats),
        suggested_followups: null,
        error: {
          title: errorTitles[outcome.code],
          kind: errorKinds[outcome.code],
          message: outcome.message,
          details:
            outcome.retryAtMs === undefined ? "" : `Try again at ${formatTimestamp(outcome.retryAtMs, vocabulary)}.`,
        },
      };
    case "canceled":
      return {
        status: "completed",
        stats: formatStats(noWork),
        suggested_followups: null,
        error: { title: "Cancelled", kind: "Cancelled", message: "The question was cancelled.", details: "" },
      };
  }
};

/** Formats a question for the legacy interface. Source: conversation-api, sections 2.2, 2.3, 3.1 and 7. */
const formatQuestion = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => ({
  id: question.id,
  conversation_id: question.conversationId,
  question: question.text,
  created_at: formatTimestamp(question.createdAtMs, vocabulary),
  updated_at: formatTimestamp(question.updatedAtMs, vocabulary),
  ...formatOutcome(question, vocabulary),
});

/** Formats a conversation for the legacy interface. Source: conversation-api, section 2.1. */
const formatConversation = (
  conversation: ConversationRecord,
  { origin, vocabulary }: MessageFormat,
): PayloadObject => ({
  id: conversation.id,
  questions: conversation.questions.map((question) => formatQuestion(question, vocabulary)),
  created_at: formatTimestamp(conversation.createdAtMs, vocabulary),
  updated_at: formatTimestamp(conversation.updatedAtMs, vocabulary),
  user_id: conversation.userId,
  read_token: conversation.readToken,
  share_url: `${origin}/deepsearch/${conversation.readToken}`,
});

/** Formats the additional members of a retrieved conversation: its viewer and the viewer's quota, where -1 means no limit. */
const formatRetrievalMembers = (
  conversation: ConversationRecord,
  {
    usage,
    viewerId,
    vocabulary,
  }: { readonly usage: QuotaUsage; readonly viewerId: number; readonly vocabulary: Vocabulary },
): PayloadObject => ({
  viewer: { is_owner: conversation.userId === viewerId },
  quota_usage: { total_quota: usage.used, quota_limit: -1, reset_time: formatTimestamp(usage.resetAtMs, vocabulary) },
});

/** A parsed list request, or its error. */
type ListRequestResult =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly message: string };

const defaultPageSize = 50;
const maxPageSize = 200;

class ParameterError extends Error {
  override readonly name = "ParameterError";
}

const readWholeNumber = (name: ListParameter, text: string): number => {
  if (!/^[1-9]\d{0,14}$/u.test(text)) {
    throw new ParameterError(`${name} must be a whole number, 1 or more.`);
  }
  return Number(text);
};

const readBoolean = (name: ListParameter, text: string): boolean => {
  if (text !== "true" && text !== "false") {
    throw new ParameterError(`${name} must be true or false.`);
  }
  return text === "true";
};

const readListQuery = ({ call, caller, sharing }: CallContext): ListQuery => {
  const readOptional = <Value>(
    name: ListParameter,
    read: (name: ListParameter, text: string) => Value,
  ): Value | undefined => {
    const text = call.parameters.get(name);
    return text === null ? undefined : read(name, text);
  };
  const sort =
    readOptional("sort", (name, text) => {
      const sortOrder = sortOrders.find((order) => order === text);
      if (sortOrder === undefined) {
        throw new ParameterError(`${name} must be one of ${sortOrders.join(", ")}.`);
      }
      return sortOrder;
    }) ?? "-updated_at";
  const after = readOptional("page_after", (name, text) => {
    const position = readCursor(text, sort);
    if (position === undefined) {
      throw new ParameterError(`${name} must be a cursor from a list in the same order.`);
    }
    return position;
  });
  const id = readOptional("filter_id", readWholeNumber);
  const userId = readOptional("filter_user_id", readWholeNumber);
  const readToken = call.parameters.get("filter_read_token") ?? undefined;
  const starred = readOptional("filter_is_starred", readBoolean);
  return {
    viewerId: caller.userId,
    sharing,
    sort,
    pageSize: Math.min(readOptional("page_first", readWholeNumber) ?? defaultPageSize, maxPageSize),
    ...defined({ id, userId, readToken, starred, after }),
  };
};

/**
 * Parses the parameters of a list. Ignores unknown ones. A page has 50 conversations by default and at most 200. Source:
 * conversation-api, section 4.1.
 */
const readListRequest = (context: CallContext): ListRequestResult => {
  try {
    return { ok: true, query: readListQuery(context) };
  } catch (error) {
    if (error instanceof ParameterError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
};

const toHandledCall = (answer: ApiAnswer): HandledCall => ({ answer });
const badRequest = (message: string): HandledCall => toHandledCall(textAnswer(400, message));
const notFound = (resource: string): HandledCall => toHandledCall(textAnswer(404, `There is no such ${resource}.`));

const formatForCall = ({ call, vocabulary }: CallContext, conversation: ConversationRecord): object =>
  formatConversation(conversation, { origin: call.origin, vocabulary });

const handleConversation = (
  context: CallContext,
  handle: (conversation: ConversationRecord) => HandledCall,
): HandledCall => {
  const { call, caller, hooks, service } = context;
  const conversation =
    call.conversationId === undefined ? undefined : service.find(call.conversationId, caller.userId, hooks);
  return conversation === undefined ? notFound("conversation") : handle(conversation);
};

const handleQuestion = (context: CallContext, handle: (question: QuestionRecord) => HandledCall): HandledCall =>
  handleConversation(context, ({ questions }) => {
    const question = questions.find(({ id }) => id === context.call.questionId);
    return question === undefined ? notFound("question") : handle(question);
  });

/** Reads the text of a question. Returns undefined if it is missing or only white space. */
const readQuestionText = ({ json }: CallContext): string | undefined => {
  const text = isPayloadObject(json) ? json["question"] : undefined;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
};

const create: CallHandler = (context) => {
  const text = readQuestionText(context);
  if (text === undefined) {
    return badRequest("The body must be an object whose member question is a non-empty string.");
  }
  const conversation = context.service.create(context.caller.userId, text, context.hooks);
  return { answer: jsonAnswer(202, formatForCall(context, conversation)), createdId: conversation.id };
};

const get: CallHandler = (context) =>
  handleConversation(context, (conversation) => {
    const { caller, service, vocabulary } = context;
    const usage = service.quotaUsage(caller.userId);
    return toHandledCall(
      jsonAnswer(200, {
        ...formatForCall(context, conversation),
        ...formatRetrievalMembers(conversation, { usage, viewerId: caller.userId, vocabulary }),
      }),
    );
  });

const getQuestion: CallHandler = (context) =>
  handleQuestion(context, (question) => toHandledCall(jsonAnswer(200, formatQuestion(question, context.vocabulary))));

/** Formats a page of conversations. `next_cursor` is absent on the last page. */
const list: CallHandler = (context) => {
  const { caller, hooks, service } = context;
  const listResult = readListRequest(context);
  if (!listResult.ok) {
    return badRequest(listResult.message);
  }
  const { conversations, next } = service.list(listResult.query, hooks);
  return toHandledCall(
    jsonAnswer(200, {
      conversations: conversations.map((conversation) => ({
        ...formatForCall(context, conversation),
        viewer: { is_owner: conversation.userId === caller.userId },
      })),
      ...(next === undefined ? {} : { next_cursor: writeCursor(listResult.query.sort, next) }),
    }),
  );
};

const followUp: CallHandler = (context) =>
  handleConversation(context, (conversation) => {
    const { hooks, json, service } = context;
    const text = readQuestionText(context);
    if (text === undefined || !isPayloadObject(json)) {
      return badRequest("The body must be an object whose member question is a non-empty string.");
    }
    if (json["conversation_id"] !== conversation.id) {
      return badRequest("The member conversation_id of the body must equal the id in the path.");
    }
    const changedConversation = service.followUp(conversation, text, hooks);
    return changedConversation === undefined
      ? badRequest("A question of this conversation is still being answered.")
      : toHandledCall(jsonAnswer(202, formatForCall(context, changedConversation)));
  });

const cancel: CallHandler = (context) =>
  handleQuestion(context, (question) => {
    const changedQuestion = context.service
      .cancel(question, context.hooks)
      ?.questions.find(({ id }) => id === question.id);
    return changedQuestion === undefined
      ? badRequest("This question is not being answered, so it cannot be cancelled.")
      : toHandledCall(jsonAnswer(200, formatQuestion(changedQuestion, context.vocabulary)));
  });

const remove: CallHandler = (context) =>
  handleConversation(context, (conversation) => {
    context.service.remove(conversation, context.hooks);
    return toHandledCall(jsonAnswer(200, {}));
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
