import {
  arrayMember,
  idMember,
  isRecord,
  lastPart,
  member,
  readConversation,
  readQuestion,
  stringMember,
  unwrapResource,
} from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import type { ConversationCall } from "./conversation-call.ts";

const hasAnyMember = (json: unknown, keys: readonly string[]): boolean =>
  isRecord(json) && keys.some((key) => Object.hasOwn(json, key));

const distinctiveMembers = {
  legacy: { conversation: ["questions", "share_url"], question: ["question", "status", "conversation_id"] },
  current: { conversation: ["questions"], question: ["input", "answer"] },
} as const;

/**
 * Returns the conversation in a response, or undefined. The responses to creating and getting must be conversations, so
 * any JSON object is read as one. A legacy follow-up must also return one; it is recognized by its members. The
 * responses to a cancellation, and to a follow-up in the current interface, are unspecified: a body is read as a
 * conversation only if it has the id and content of the requested one. For lists see `listView`. Cached.
 */
export const conversationView = cachePerObject((call: ConversationCall): ConversationView | undefined => {
  const { interface: interfaceName, operation, response } = call;
  if (response.kind !== "success" || operation === "list" || operation === "delete") {
    return undefined;
  }
  const { json, pointer } = unwrapResource(response.json, "conversation");
  const isRecognized = operation === "create" || operation === "get" || isConversation(call, json);
  return isRecognized && isRecord(json) ? readConversation(interfaceName, json, pointer) : undefined;
});

/** Reports whether the specification leaves the body of the response open. */
const hasUnspecifiedBody = ({ interface: interfaceName, operation }: ConversationCall): boolean =>
  operation === "cancel" || (operation === "follow-up" && interfaceName === "current");

function isConversation(call: ConversationCall, json: unknown): boolean {
  const { interface: interfaceName, request } = call;
  if (hasAnyMember(json, distinctiveMembers[interfaceName].question)) {
    return false;
  }
  if (!hasUnspecifiedBody(call)) {
    return hasAnyMember(json, distinctiveMembers[interfaceName].conversation);
  }
  const id = interfaceName === "legacy" ? idMember(json, "id") : lastPart(stringMember(json, "name") ?? "");
  const questions = arrayMember(json, "questions");
  const hasContent = questions.length > 0 || (interfaceName === "current" && isRecord(member(json, "state")));
  return (
    (hasContent && id !== undefined && id === request.conversationId) ||
    (questions.length > 0 && questions.every((question) => hasQuestionContent(interfaceName, question)))
  );
}

/** Reports whether a value has the content of a question, and is not only a receipt. */
const hasQuestionContent = (interfaceName: "legacy" | "current", json: unknown): boolean =>
  interfaceName === "current"
    ? Array.isArray(member(json, "input"))
    : typeof member(json, "question") === "string" && Object.hasOwn(Object(json), "status");

/**
 * Returns the question in the response to a follow-up or a cancellation. It returns undefined if there is no question,
 * or the response is a conversation. Cached.
 */
export const questionView = cachePerObject((call: ConversationCall): QuestionView | undefined => {
  const { interface: interfaceName, operation, response } = call;
  if (response.kind !== "success" || (operation !== "follow-up" && operation !== "cancel")) {
    return undefined;
  }
  const { json, pointer } = unwrapResource(response.json, "question");
  return isRecord(json) && isQuestion(call, json) && conversationView(call) === undefined
    ? readQuestion(interfaceName, json, pointer)
    : undefined;
});

/**
 * Reports whether a body is a question. If the body is unspecified, only the requested or cancelled question counts.
 */
function isQuestion(call: ConversationCall, json: unknown): boolean {
  const { interface: interfaceName, request } = call;
  if (!hasUnspecifiedBody(call)) {
    return hasAnyMember(json, distinctiveMembers[interfaceName].question);
  }
  return (
    hasQuestionContent(interfaceName, json) &&
    (interfaceName === "current" || idMember(json, "id") === request.questionId)
  );
}
