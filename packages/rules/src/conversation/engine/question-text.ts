import { arrayMember, stringMember } from "./wire-member.ts";
import { member } from "../../engine/json-value.ts";

/** The text of a question of the current interface: of its inputs, those that are text, one after the other. Source: conversation-api, section 2.4. */
export function inputText(question: unknown): string | undefined {
  const texts = arrayMember(question, "input").flatMap((input) => {
    const text = stringMember(member(input, "question"), "text");
    return text === undefined ? [] : [text];
  });
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** The text of an answer: a string as it is, of content blocks those in markdown, one after the other. */
export function answerText(answer: unknown): string | undefined {
  if (typeof answer === "string") {
    return answer;
  }
  const texts = (Array.isArray(answer) ? answer : []).flatMap((block: unknown) => {
    const text = stringMember(member(block, "markdown"), "text");
    return text === undefined ? [] : [text];
  });
  return texts.length === 0 ? undefined : texts.join("");
}
