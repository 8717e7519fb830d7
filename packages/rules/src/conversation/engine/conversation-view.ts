import { isRecord, member, readConversation, readQuestion, unwrapped } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/contract";
import type { ConversationCall } from "./conversation-call.ts";

const has = (json: unknown, keys: readonly string[]): boolean =>
  isRecord(json) && keys.some((key) => Object.hasOwn(json, key));

const marks = {
  legacy: { conversation: ["questions", "share_url"], question: ["question", "status", "conversation_id"] },
  current: { conversation: ["questions"], question: ["input", "answer"] },
} as const;

/** Names and states are those of other things as well: of a conversation is the name that has the word in it. */
const isNamedAsOne = (json: unknown): boolean => {
  const name = member(json, "name");
  return typeof name === "string" && name.includes("conversations/");
};

const known = new WeakMap<ConversationCall, ConversationView | "none">();

/**
 * The conversation that an answer is, or nothing. Creating and getting have to answer one: there any JSON object is taken
 * for it. A follow-up and a cancellation may answer one: there it is told by its members. Lists have `listView`.
 */
export function conversationView(call: ConversationCall): ConversationView | undefined {
  const view = known.get(call) ?? conversationIn(call) ?? "none";
  known.set(call, view);
  return view === "none" ? undefined : view;
}

function conversationIn({ interface: name, operation, answer }: ConversationCall): ConversationView | undefined {
  if (answer.kind !== "success" || operation === "list" || operation === "delete") {
    return undefined;
  }
  const place = unwrapped(answer.json, "conversation");
  const isOne = operation === "create" || operation === "get" || isConversation(name, place.json);
  return isOne && isRecord(place.json) ? readConversation(name, place.json, place.pointer) : undefined;
}

const isConversation = (name: "legacy" | "current", json: unknown): boolean =>
  (has(json, marks[name].conversation) || (name === "current" && isNamedAsOne(json))) &&
  !has(json, marks[name].question);

/** The question that the answer to a follow-up or a cancellation is, or nothing; also where it is a conversation instead. */
export function questionView(call: ConversationCall): QuestionView | undefined {
  const { interface: name, operation, answer } = call;
  if (answer.kind !== "success" || (operation !== "follow-up" && operation !== "cancel")) {
    return undefined;
  }
  const { json, pointer } = unwrapped(answer.json, "question");
  return isRecord(json) && has(json, marks[name].question) && conversationView(call) === undefined
    ? readQuestion(name, json, pointer)
    : undefined;
}
