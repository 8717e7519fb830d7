import { defined } from "@assay/contract";
import { isRecord, readConversation, stringMember, unwrapResource, idMember } from "@assay/reading";
import type { ConversationView, JsonRecord, QuestionView } from "@assay/reading";

/** The part of a conversation that a run needs, as sent by the target. */
export interface DrivenConversation {
  /** Legacy: the digits of the id. Current: the name. Absent if it is not safe to send back. */
  readonly id?: string;
  /** The state of its last question. `unclear` is any unspecified state, including a missing one. */
  readonly state: "processing" | "finished" | "unclear";
  /** Present if its last question was answered successfully. */
  readonly isAnswered?: true;
  /** The texts of its questions, in order; empty if unreadable. */
  readonly texts: readonly string[];
  /** Legacy: digits of the last question's id. */
  readonly lastQuestionId?: string;
  /** Legacy: digits of its user's id. */
  readonly userId?: string;
  /** Legacy: its read token. */
  readonly readToken?: string;
  /** Its creation time in the answer. */
  readonly createdAt?: string;
}

/** A longer read token is not sent back. */
const maxTokenLength = 1000;

/** A name that is safe to send back: visible ASCII of reasonable length. */
const namePattern = /^[\x21-\x7e]{1,300}$/u;

/** Returns an integer of any size as digits, or undefined for other text. Only such digits are used in URLs. */
export const normalizeInteger = (text: string | undefined): string | undefined =>
  text !== undefined && /^-?\d{1,40}$/u.test(text) ? String(BigInt(text)) : undefined;

const toRecord = (json: unknown): JsonRecord => (isRecord(json) ? json : {});

const listTexts = ({ questions }: ConversationView): readonly string[] => questions.map(({ text = "" }) => text);

const isLegacyAnswered = (question: QuestionView | undefined): boolean =>
  question?.status === "completed" && !question.facts.has("error") && question.facts.has("answer");

/** Reads a conversation of the legacy interface, with or without a wrapper. Never throws. Source: conversation-api, section 2. */
export function readLegacyConversation(answer: unknown): DrivenConversation {
  const json = toRecord(unwrapResource(answer, "conversation").json);
  const view = readConversation("legacy", json, "");
  const newestQuestion = view.questions.at(-1);
  const id = normalizeInteger(view.id);
  const lastQuestionId = normalizeInteger(newestQuestion?.id);
  const userId = normalizeInteger(idMember(json, "user_id"));
  const readToken = stringMember(json, "read_token") ?? "";
  return {
    ...defined({ id }),
    state: toDrivenState(newestQuestion?.status, ["processing", "pending"]),
    ...(isLegacyAnswered(newestQuestion) ? { isAnswered: true } : {}),
    texts: listTexts(view),
    ...defined({ lastQuestionId, userId }),
    ...(readToken === "" || readToken.length > maxTokenLength ? {} : { readToken }),
    ...defined({ createdAt: view.createdAt }),
  };
}

/** Reads a conversation of the current interface or its summary, with or without a wrapper. Never throws. Source: conversation-api, section 2.4. */
export function readCurrentConversation(answer: unknown): DrivenConversation {
  const view = readConversation("current", toRecord(unwrapResource(answer, "conversation").json), "");
  const newestQuestion = view.questions.at(-1);
  const state = view.state ?? newestQuestion?.state;
  const isAnswered = state === "completed" && newestQuestion?.facts.has("answer") === true;
  return {
    ...(view.name === undefined || !namePattern.test(view.name) ? {} : { id: view.name }),
    state: toDrivenState(state, ["processing"]),
    ...(isAnswered ? { isAnswered } : {}),
    texts: listTexts(view),
    ...defined({ createdAt: view.createdAt }),
  };
}

function toDrivenState(state: string | undefined, processingStates: readonly string[]): DrivenConversation["state"] {
  if (state === undefined) {
    return "unclear";
  }
  return processingStates.includes(state) ? "processing" : "finished";
}
