import { isRecord, member } from "../../engine/json-value.ts";
import type { JsonRecord } from "../../engine/json-value.ts";
import type { ConversationView, QuestionView } from "./conversation-view.ts";
import { lastPart } from "./identifier.ts";
import { answerText, inputText } from "./question-text.ts";
import { arrayMember, stringMember, wireString } from "./wire-member.ts";

/** Reads a conversation of the current interface, whatever its members are. Source: conversation-api, section 2.4. */
export function currentConversation(json: JsonRecord, pointer: string): ConversationView {
  const name = stringMember(json, "name");
  const id = name === undefined ? undefined : lastPart(name);
  const state = conversationState(json);
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...timesOf(json),
    questions: arrayMember(json, "questions").map((question, index) =>
      currentQuestion(question, `${pointer}/questions/${index}`),
    ),
    json,
    pointer,
  };
}

/** Reads a question of the current interface, whatever its members are. */
export function currentQuestion(json: unknown, pointer: string): QuestionView {
  const text = inputText(json);
  const answer = answerText(member(json, "answer"));
  const state = stateOf(json);
  return {
    ...(state === undefined ? {} : { state }),
    ...(text === undefined ? {} : { text }),
    ...(answer === undefined ? {} : { answer }),
    ...timesOf(json),
    facts: new Set(hasAnswer(member(json, "answer")) ? ["answer"] : []),
    json,
    pointer,
  };
}

/**
 * The state of a conversation; where it shows none itself, that of its last question: the document says of both that they
 * have one. Source: conversation-api, sections 2.4 and 7.
 */
const conversationState = (json: JsonRecord): string | undefined =>
  Object.hasOwn(json, "state") ? stateOf(json) : stateOf(arrayMember(json, "questions").at(-1));

/** The single key of a state that is one. */
function stateOf(json: unknown): string | undefined {
  const state = member(json, "state");
  const [key, ...more] = isRecord(state) ? Object.keys(state) : [];
  return more.length === 0 ? key : undefined;
}

/** An answer of no text, of no blocks, or of blocks with no text is none. */
function hasAnswer(answer: unknown): boolean {
  if (Array.isArray(answer)) {
    return answer.length > 0 && answerText(answer) !== "";
  }
  return answer !== undefined && answer !== null && answer !== "";
}

function timesOf(json: unknown): Pick<QuestionView, "createdAt" | "updatedAt"> {
  const createdAt = wireString(json, "createTime");
  const updatedAt = wireString(json, "updateTime");
  return { ...(createdAt === undefined ? {} : { createdAt }), ...(updatedAt === undefined ? {} : { updatedAt }) };
}
