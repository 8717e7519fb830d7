import type { ConversationView } from "./conversation-view.ts";
import { elementsOf, firstMember, member, textOf, unwrapped } from "./json-member.ts";

/** A name that may be sent back: visible characters, of a length that names have. */
const namePattern = /^[\x21-\x7e]{1,300}$/u;

/** The state of a conversation, or else that of its last question. */
function stateOf(json: unknown): ConversationView["state"] {
  const state = member(json, "state") ?? member(elementsOf(member(json, "questions")).at(-1), "state");
  const keys = typeof state === "object" && state !== null && !Array.isArray(state) ? Object.keys(state) : [];
  if (keys.length !== 1) {
    return "unclear";
  }
  return keys[0] === "processing" ? "processing" : "finished";
}

function isAnswered(json: unknown): boolean {
  const last = elementsOf(member(json, "questions")).at(-1);
  const state = member(json, "state") ?? member(last, "state");
  return member(state, "completed") !== undefined && (member(last, "answer") ?? "") !== "";
}

const questionText = (question: unknown): string =>
  elementsOf(member(question, "input"))
    .map((input) => textOf(member(member(input, "question"), "text")) ?? "")
    .join("");

/** Reads a conversation of the current interface, or a summary of one. Never fails. Source: conversation-api, section 2.4. */
export function currentView(answer: unknown): ConversationView {
  const json = unwrapped(answer, "conversation");
  const name = textOf(member(json, "name"));
  const createdAt = textOf(firstMember(json, ["createTime", "create_time"]));
  return {
    ...(name === undefined || !namePattern.test(name) ? {} : { id: name }),
    state: stateOf(json),
    ...(isAnswered(json) ? { isAnswered: true } : {}),
    texts: elementsOf(member(json, "questions")).map(questionText),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}
