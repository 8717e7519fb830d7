import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ApiAnswer } from "../api/api-answer.ts";
import { jsonAnswer } from "../api/api-answer.ts";
import type { ApiOperation } from "../api/api-call.ts";
import type { CallContext, CallHandler, HandledCall } from "../api/call-handler.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "../conversation-record.ts";
import { isInProgress } from "../conversation-service.ts";
import { readCursor, writeCursor } from "../store/page-cursor.ts";
import type { Caller } from "../api/api-access.ts";
import type { ListQuery } from "../store/list-query.ts";
import type { Vocabulary } from "../api/timestamp.ts";
import { formatTimestamp } from "../api/timestamp.ts";
import type { ConnectCode } from "./connect-error.ts";
import { createConnectError } from "./connect-error.ts";
import { isOwnParent, readConversationName } from "./resource-name.ts";

/** Parameters of the format of messages. */
interface MessageFormat {
  readonly vocabulary: Vocabulary;
  /** Base URL without a trailing slash. */
  readonly origin: string;
}

/** Time members in either spelling. */
const formatTimes = (
  { createdAtMs, updatedAtMs }: { readonly createdAtMs: number; readonly updatedAtMs?: number },
  vocabulary: Vocabulary,
): PayloadObject => {
  const [created, updated] = vocabulary === "field" ? ["createTime", "updateTime"] : ["create_time", "update_time"];
  return {
    [created ?? ""]: formatTimestamp(createdAtMs, vocabulary),
    ...(updatedAtMs === undefined ? {} : { [updated ?? ""]: formatTimestamp(updatedAtMs, vocabulary) }),
  };
};

const formatAnswer = (answer: string, vocabulary: Vocabulary): unknown =>
  vocabulary === "field" ? [{ markdown: { text: answer } }] : answer;

const readAnswerText = ({ outcome }: QuestionRecord): string | undefined =>
  outcome === undefined || outcome.kind === "canceled" ? undefined : outcome.answer;

/** Formats a question for the current interface. Source: conversation-api, section 2.4. */
const formatQuestion = (question: QuestionRecord, vocabulary: Vocabulary): PayloadObject => {
  const answer = readAnswerText(question);
  return {
    input: [{ question: { text: question.text } }],
    ...(answer === undefined ? {} : { answer: formatAnswer(answer, vocabulary) }),
    ...formatTimes({ createdAtMs: question.createdAtMs }, vocabulary),
  };
};

const formatError = (
  { code, message, retryAtMs }: Extract<QuestionOutcome, { kind: "failed" }>,
  endedAtMs: number,
  vocabulary: Vocabulary,
): PayloadObject => {
  const retryTime = formatTimestamp(retryAtMs ?? endedAtMs, vocabulary);
  return { code, message, ...(vocabulary === "observed" ? { retry_time: retryTime } : { retryTime }) };
};

/** Formats the state of a conversation, which equals its last question's state. Source: conversation-api, section 3.2. */
const formatState = ({ questions }: ConversationRecord, vocabulary: Vocabulary): PayloadObject => {
  const last = questions.at(-1);
  switch (last?.outcome?.kind) {
    case undefined:
      return { processing: {} };
    case "failed":
      return { error: formatError(last.outcome, last.updatedAtMs, vocabulary) };
    case "completed":
    case "canceled":
      return { [last.outcome.kind]: {} };
  }
};

const formatTitle = ({ questions }: ConversationRecord): PayloadObject => {
  const outcome = questions[0]?.outcome;
  return outcome === undefined || outcome.kind === "canceled" ? {} : { title: outcome.title };
};

/** Returns the resource name with the id of the user. */
const formatName = ({ id, userId }: ConversationRecord): string => `users/${userId}/conversations/${id}`;

/** Formats a conversation in a list, without state and questions. */
const formatSummary = (conversation: ConversationRecord, { origin, vocabulary }: MessageFormat): PayloadObject => ({
  name: formatName(conversation),
  ...formatTitle(conversation),
  ...formatTimes(conversation, vocabulary),
  url: `${origin}/deepsearch/${conversation.readToken}`,
});

/** Formats a conversation for the current interface. Source: conversation-api, section 2.4. */
const formatConversation = (conversation: ConversationRecord, format: MessageFormat): PayloadObject => ({
  ...formatSummary(conversation, format),
  state: formatState(conversation, format.vocabulary),
  questions: conversation.questions.map((question) => formatQuestion(question, format.vocabulary)),
});

/** A parsed request, or its error. */
type ParsedRequest<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

const reportProblem = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message });

/** Reads a member in either spelling. Null is treated as absent, as in protobuf JSON. */
const readMember = (object: PayloadObject, ...names: readonly string[]): unknown =>
  names
    .map((name) => (Object.hasOwn(object, name) ? object[name] : undefined))
    .find((value) => (value ?? undefined) !== undefined);

const readInputText = (input: unknown): string | undefined => {
  const block = isPayloadObject(input) ? readMember(input, "question") : undefined;
  const text = isPayloadObject(block) ? readMember(block, "text") : undefined;
  return typeof text === "string" ? text : undefined;
};

/** Reads the text of a question message. Several inputs become lines. */
const readQuestion = (question: unknown): ParsedRequest<string> => {
  const inputs = isPayloadObject(question) ? readMember(question, "input") : undefined;
  if (!isPayloadArray(inputs)) {
    return reportProblem("question is required: input must be a list of blocks with question.text.");
  }
  const texts = inputs.map(readInputText);
  if (texts.includes(undefined)) {
    return reportProblem(
      "every input of a question must have a text at question.text; other inputs are not supported.",
    );
  }
  const text = texts.join("\n");
  return text.trim() === "" ? reportProblem("question is required: its text is empty.") : { ok: true, value: text };
};

/** Reads the only question of a new conversation. */
const readCreation = (request: PayloadObject): ParsedRequest<string> => {
  const conversation = readMember(request, "conversation");
  const questions = isPayloadObject(conversation) ? readMember(conversation, "questions") : undefined;
  return isPayloadArray(questions) && questions.length === 1
    ? readQuestion(questions[0])
    : reportProblem("question is required: conversation.questions must contain exactly one question.");
};

const defaultPageSize = 50;
const maxPageSize = 200;

/** Reads a page size. It may be a string, as in protobuf JSON. 0 means the default. */
const readPageSize = (value: unknown): ParsedRequest<number> => {
  const number = typeof value === "string" && /^\d{1,9}$/u.test(value) ? Number(value) : (value ?? 0);
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? { ok: true, value: number === 0 ? defaultPageSize : Math.min(number, maxPageSize) }
    : reportProblem("page_size must be a whole number, 0 or more.");
};

type Filters = Pick<ListQuery, "contains" | "starred">;

const readFilter = (filter: unknown): ParsedRequest<Filters> => {
  if (!isPayloadObject(filter)) {
    return reportProblem("filters must be a list of objects.");
  }
  const contains = readMember(filter, "contentQuery", "content_query");
  const starred = readMember(filter, "starred");
  if (typeof contains === "string") {
    return { ok: true, value: contains === "" ? {} : { contains } };
  }
  if (typeof starred === "boolean") {
    return { ok: true, value: { starred } };
  }
  return reportProblem("a filter must contain a string content_query or a boolean starred.");
};

/** Combines filters, all of which must match. If a kind occurs several times, the last filter is used. */
const readFilters = (value: unknown): ParsedRequest<Filters> => {
  const filters = (isPayloadArray(value) ? value : value === undefined ? [] : [undefined]).map(readFilter);
  const values: Filters[] = [];
  for (const filter of filters) {
    if (!filter.ok) {
      return filter;
    }
    values.push(filter.value);
  }
  const contains = values.findLast((filter) => filter.contains !== undefined);
  const starred = values.findLast((filter) => filter.starred !== undefined);
  return { ok: true, value: { ...contains, ...starred } };
};

const listOrder = "-updated_at";

const readPageToken = (token: unknown): ParsedRequest<Pick<ListQuery, "after">> => {
  if (token === undefined || token === "") {
    return { ok: true, value: {} };
  }
  const after = typeof token === "string" ? readCursor(token, listOrder) : undefined;
  return after === undefined
    ? reportProblem("page_token must be a token returned by a list.")
    : { ok: true, value: { after } };
};

const spellings = [
  ["pageSize", "page_size"],
  ["pageToken", "page_token"],
] as const;

/** Returns the first member that occurs in both spellings. Protobuf JSON permits only one of them, even if one is null. */
const findDuplicateSpelling = (request: PayloadObject): readonly [string, string] | undefined =>
  spellings.find((names) => names.every((name) => Object.hasOwn(request, name)));

/** Parses the request for a list of the caller's conversations, newest update first. A page has 50 by default and at most 200. */
const readList = (request: PayloadObject, { userId }: Caller): ParsedRequest<ListQuery> => {
  const duplicate = findDuplicateSpelling(request);
  if (duplicate !== undefined) {
    return reportProblem(`${duplicate.join(" and ")} are two spellings of one member: send only one of them.`);
  }
  const pageSize = readPageSize(readMember(request, "pageSize", "page_size"));
  const filters = readFilters(readMember(request, "filters"));
  const token = readPageToken(readMember(request, "pageToken", "page_token"));
  if (!pageSize.ok) {
    return pageSize;
  }
  if (!filters.ok) {
    return filters;
  }
  if (!token.ok) {
    return token;
  }
  return {
    ok: true,
    value: {
      viewerId: userId,
      sharing: false,
      sort: listOrder,
      pageSize: pageSize.value,
      ...filters.value,
      ...token.value,
    },
  };
};

const toHandledCall = (answer: ApiAnswer): HandledCall => ({ answer });
const failWith = (code: ConnectCode, message: string): HandledCall => toHandledCall(createConnectError(code, message));
const rejectInvalid = (message: string): HandledCall => failWith("invalid_argument", message);

const readRequest = ({ json }: CallContext): PayloadObject => (isPayloadObject(json) ? json : {});

const selectFormat = ({ call, vocabulary }: CallContext) => ({ origin: call.origin, vocabulary }) as const;

const conversationAnswer = (context: CallContext, conversation: ConversationRecord): ApiAnswer =>
  jsonAnswer(200, formatConversation(conversation, selectFormat(context)));

/** Finds the conversation in a member of the request, and passes it to `handle`. */
const handleConversation = (
  context: CallContext,
  member: "name" | "parent",
  handle: (conversation: ConversationRecord) => HandledCall,
): HandledCall => {
  const { caller, hooks, service } = context;
  const name = readConversationName(readRequest(context)[member], caller);
  if (!name.ok && name.reason === "malformed") {
    return rejectInvalid(`${member} must be a resource name of the form users/<user>/conversations/<conversation_id>.`);
  }
  const conversation = name.ok ? service.find(name.id, caller.userId, hooks) : undefined;
  return conversation === undefined ? failWith("not_found", "conversation not found") : handle(conversation);
};

const handleOwnParent = (context: CallContext, handle: () => HandledCall): HandledCall =>
  isOwnParent(readRequest(context)["parent"], context.caller)
    ? handle()
    : failWith("not_found", "parent must be users/~self: no other user is known here");

const create: CallHandler = (context) =>
  handleOwnParent(context, () => {
    const text = readCreation(readRequest(context));
    if (!text.ok) {
      return rejectInvalid(text.message);
    }
    const conversation = context.service.create(context.caller.userId, text.value, context.hooks);
    return { answer: conversationAnswer(context, conversation), createdId: conversation.id };
  });

const get: CallHandler = (context) =>
  handleConversation(context, "name", (conversation) => toHandledCall(conversationAnswer(context, conversation)));

const list: CallHandler = (context) =>
  handleOwnParent(context, () => {
    // All other requests have a required member, so they are always objects.
    if (!isPayloadObject(context.json)) {
      return rejectInvalid("the request must be an object.");
    }
    const { caller, hooks, service, vocabulary } = context;
    const query = readList(readRequest(context), caller);
    if (!query.ok) {
      return rejectInvalid(query.message);
    }
    const { conversations, next } = service.list(query.value, hooks);
    const summaries = conversations.map((conversation) => formatSummary(conversation, selectFormat(context)));
    const [names, token] =
      vocabulary === "field"
        ? (["conversationSummaries", "nextPageToken"] as const)
        : (["conversation_summaries", "next_page_token"] as const);
    return toHandledCall(
      jsonAnswer(200, {
        // An empty list is omitted, as in protobuf JSON.
        ...(vocabulary === "field" && summaries.length === 0 ? {} : { [names]: summaries }),
        ...(next === undefined ? {} : { [token]: writeCursor(query.value.sort, next) }),
      }),
    );
  });

/** Handles a follow-up. Real instances return the question. The specification suggests the conversation. */
const followUp: CallHandler = (context) =>
  handleConversation(context, "parent", (conversation) => {
    const { hooks, service, vocabulary } = context;
    const text = readQuestion(readRequest(context)["question"]);
    if (!text.ok) {
      return rejectInvalid(text.message);
    }
    const changedConversation = service.followUp(conversation, text.value, hooks);
    const question = changedConversation?.questions.at(-1);
    if (changedConversation === undefined || question === undefined) {
      return failWith("failed_precondition", "a question of this conversation is still being answered");
    }
    return toHandledCall(
      vocabulary === "field"
        ? jsonAnswer(200, formatQuestion(question, vocabulary))
        : conversationAnswer(context, changedConversation),
    );
  });

const cancel: CallHandler = (context) =>
  handleConversation(context, "name", (conversation) => {
    const question = conversation.questions.find(isInProgress);
    const changedConversation = question === undefined ? undefined : context.service.cancel(question, context.hooks);
    return changedConversation === undefined
      ? failWith("failed_precondition", "no question of this conversation is being answered")
      : toHandledCall(conversationAnswer(context, changedConversation));
  });

const remove: CallHandler = (context) =>
  handleConversation(context, "name", (conversation) => {
    context.service.remove(conversation, context.hooks);
    return toHandledCall(jsonAnswer(200, {}));
  });

/** Handlers of the current interface by operation. Questions have no names in it. Source: conversation-api, section 4.2. */
export const currentHandlers: Readonly<Record<Exclude<ApiOperation, "get-question">, CallHandler>> = {
  create,
  get,
  list,
  "follow-up": followUp,
  cancel,
  delete: remove,
};
