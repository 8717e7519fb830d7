import { readText } from "../engine/body-text.ts";
import { jsonForm } from "../operations/body-form.ts";
import { defineWitnessedRule } from "../operations/witness.ts";
import { someText } from "./some-text.ts";

/** A refusal says in words why, in whatever form. Source: conversation-api, section 7. */
export const refusalHasAMessage = defineWitnessedRule({
  id: "legacy/refusal-has-a-message",
  check({ calls }, witness) {
    for (const call of calls) {
      if (call.interface !== "legacy" || call.answer.kind !== "refused") {
        continue;
      }
      const { status, text } = call.answer;
      const { hasWords, form } = wordsIn(text);
      if (hasWords) {
        witness.holds(call);
        witness.notes(call, "legacy/error-body", `a refusal with ${status} has ${form}`);
      } else {
        witness.breaks(call, `${call.operation} was refused with ${status} and no words that say why`);
      }
    }
  },
});

const word = /\p{L}{3}/u;

/** Whether a body has words, in a JSON body those of its strings, in a web page those outside of tags; and its form. */
function wordsIn(text: string): { readonly hasWords: boolean; readonly form: string } {
  const read = readText(text);
  const json = read.kind === "text" ? read.json : undefined;
  if (json !== undefined) {
    return { hasWords: someText(json, (held) => word.test(held)), form: jsonForm(json, text) };
  }
  const isPage = /^\s*</.test(text);
  return { hasWords: word.test(isPage ? withoutTags(text) : text), form: isPage ? "a page" : "plain text" };
}

const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, " ");
