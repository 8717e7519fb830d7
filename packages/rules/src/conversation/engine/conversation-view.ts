import { isRecord, member } from "../../engine/json-value.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { currentConversation, currentQuestion } from "./current-view.ts";
import { legacyConversation, legacyQuestion } from "./legacy-view.ts";

/** A question of either interface. Members that are not of the documented type are left out; `json` has them. */
export interface QuestionView {
  /** Legacy only: the current interface has no ids of questions. */
  readonly id?: string;
  /** Legacy only: id of the conversation the question says it is in. */
  readonly conversationId?: string;
  readonly text?: string;
  /** Legacy only, as it was sent. */
  readonly status?: string;
  /** Current only, and only where the question shows one besides the conversation: the single key of its own state. */
  readonly state?: string;
  /** Text of the answer; of blocks, those in markdown. */
  readonly answer?: string;
  /** Names of what the question has, as the gates of the state tables call it. */
  readonly facts: ReadonlySet<string>;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer from the body of the answer. */
  readonly pointer: string;
}

/** A conversation of either interface. */
export interface ConversationView {
  /** Legacy: the id; current: the last part of the name. */
  readonly id?: string;
  /** Current only. */
  readonly name?: string;
  /** Current only: the single key of the state, as it was sent. */
  readonly state?: string;
  readonly questions: readonly QuestionView[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly json: unknown;
  /** JSON pointer from the body of the answer; empty unless the conversation is wrapped. */
  readonly pointer: string;
}

const readers = {
  legacy: { conversation: legacyConversation, question: legacyQuestion },
  current: { conversation: currentConversation, question: currentQuestion },
} as const;

interface Place {
  readonly json: unknown;
  readonly pointer: string;
}

/** What is inside a wrapper object with nothing else of the resource in it. */
const unwrapped = (json: unknown, key: string): Place =>
  isRecord(member(json, key)) ? { json: member(json, key), pointer: `/${key}` } : { json, pointer: "" };

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
  const view = known.get(call) ?? readConversation(call) ?? "none";
  known.set(call, view);
  return view === "none" ? undefined : view;
}

function readConversation({ interface: name, operation, answer }: ConversationCall): ConversationView | undefined {
  if (answer.kind !== "success" || operation === "list" || operation === "delete") {
    return undefined;
  }
  const place = unwrapped(answer.json, "conversation");
  const isOne = operation === "create" || operation === "get" || isConversation(name, place.json);
  return isOne && isRecord(place.json) ? readers[name].conversation(place.json, place.pointer) : undefined;
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
    ? readers[name].question(json, pointer)
    : undefined;
}

/** The newest question that an answer shows: the last of a conversation, or the one that it is. */
export const newestQuestion = (call: ConversationCall): QuestionView | undefined =>
  conversationView(call)?.questions.at(-1) ?? questionView(call);
