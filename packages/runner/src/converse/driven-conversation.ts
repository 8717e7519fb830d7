import { defined } from "@assay/contract";
import { isRecord, readConversation, stringMember, unwrapped, idMember } from "@assay/reading";
import type { ConversationView, JsonRecord, QuestionView } from "@assay/reading";

/** A conversation as far as driving has to understand it. Everything in it comes from the target. */
export interface DrivenConversation {
  /** Legacy: the digits of the id. Current: the name. Absent where it is none that may be sent back. */
  readonly id?: string;
  /** Of its last question. `unclear` is anything that no document tells, a missing state included. */
  readonly state: "processing" | "finished" | "unclear";
  /** Whether its last question has an answer and ended in success. */
  readonly isAnswered?: true;
  /** The texts of its questions, in their order; those that cannot be read are empty. */
  readonly texts: readonly string[];
  /** Legacy: digits of the id of the last question. */
  readonly lastQuestion?: string;
  /** Legacy: digits of the id of its user. */
  readonly userId?: string;
  /** Legacy: the token that reads it. */
  readonly readToken?: string;
  /** When it was created, as the target says. */
  readonly createdAt?: string;
}

/** Longest read token that is sent back. */
const maxTokenLength = 1000;

/** A name that may be sent back: visible characters, of a length that names have. */
const namePattern = /^[\x21-\x7e]{1,300}$/u;

/** The digits of an integer of any size, as they stand in an address; nothing else goes into one. */
export const integerText = (text: string | undefined): string | undefined =>
  text !== undefined && /^-?\d{1,40}$/u.test(text) ? String(BigInt(text)) : undefined;

const asRecord = (json: unknown): JsonRecord => (isRecord(json) ? json : {});

const textsOf = ({ questions }: ConversationView): readonly string[] => questions.map(({ text = "" }) => text);

const isLegacyAnswered = (question: QuestionView | undefined): boolean =>
  question?.status === "completed" && !question.facts.has("error") && question.facts.has("answer");

/** Reads a conversation of the legacy interface, also in a wrapper. Never fails. Source: conversation-api, section 2. */
export function legacyConversation(answer: unknown): DrivenConversation {
  const json = asRecord(unwrapped(answer, "conversation").json);
  const view = readConversation("legacy", json, "");
  const last = view.questions.at(-1);
  const id = integerText(view.id);
  const lastQuestion = integerText(last?.id);
  const userId = integerText(idMember(json, "user_id"));
  const readToken = stringMember(json, "read_token") ?? "";
  return {
    ...defined({ id }),
    state: stateOf(last?.status, ["processing", "pending"]),
    ...(isLegacyAnswered(last) ? { isAnswered: true } : {}),
    texts: textsOf(view),
    ...defined({ lastQuestion, userId }),
    ...(readToken === "" || readToken.length > maxTokenLength ? {} : { readToken }),
    ...defined({ createdAt: view.createdAt }),
  };
}

/** Reads a conversation of the current interface, or a summary of one, also in a wrapper. Never fails. Source: conversation-api, section 2.4. */
export function currentConversation(answer: unknown): DrivenConversation {
  const view = readConversation("current", asRecord(unwrapped(answer, "conversation").json), "");
  const last = view.questions.at(-1);
  const state = view.state ?? last?.state;
  const isAnswered = state === "completed" && last?.facts.has("answer") === true;
  return {
    ...(view.name === undefined || !namePattern.test(view.name) ? {} : { id: view.name }),
    state: stateOf(state, ["processing"]),
    ...(isAnswered ? { isAnswered } : {}),
    texts: textsOf(view),
    ...defined({ createdAt: view.createdAt }),
  };
}

function stateOf(state: string | undefined, unfinished: readonly string[]): DrivenConversation["state"] {
  if (state === undefined) {
    return "unclear";
  }
  return unfinished.includes(state) ? "processing" : "finished";
}
