import { exactDigits } from "@assay/contract";
import type { ConversationView } from "./conversation-view.ts";
import { elementsOf, member, textOf, unwrapped } from "./json-member.ts";

/** Longest read token that is sent back. */
const maxTokenLength = 1000;

/** The digits of an integer of any size, also of one that was sent as text; nothing else goes into an address. */
export function integerText(value: unknown): string | undefined {
  if (typeof value === "string") {
    return /^\d{1,40}$/u.test(value) ? String(BigInt(value)) : undefined;
  }
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
}

/** The id that is a member of an object. */
const integerMember = (holder: unknown, name: string): string | undefined =>
  integerText(exactDigits(holder, name) ?? member(holder, name));

function stateOf(question: unknown): ConversationView["state"] {
  const status = member(question, "status");
  if (typeof status !== "string") {
    return "unclear";
  }
  return status === "processing" || status === "pending" ? "processing" : "finished";
}

const isAnswered = (question: unknown): boolean =>
  member(question, "status") === "completed" &&
  (member(question, "error") ?? undefined) === undefined &&
  (textOf(member(question, "answer")) ?? "") !== "";

/** Reads a conversation of the legacy interface. Never fails. Source: conversation-api, section 2. */
export function legacyView(answer: unknown): ConversationView {
  const json = unwrapped(answer, "conversation");
  const questions = elementsOf(member(json, "questions"));
  const last = questions.at(-1);
  const id = integerMember(json, "id");
  const lastQuestion = integerMember(last, "id");
  const userId = integerMember(json, "user_id");
  const readToken = textOf(member(json, "read_token"));
  const createdAt = textOf(member(json, "created_at"));
  return {
    ...(id === undefined ? {} : { id }),
    state: stateOf(last),
    ...(isAnswered(last) ? { isAnswered: true } : {}),
    texts: questions.map((question) => textOf(member(question, "question")) ?? ""),
    ...(lastQuestion === undefined ? {} : { lastQuestion }),
    ...(userId === undefined ? {} : { userId }),
    ...(readToken === undefined || readToken === "" || readToken.length > maxTokenLength ? {} : { readToken }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}
