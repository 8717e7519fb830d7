import { readText } from "@assay/reading";
import { jsonForm } from "../engine/body-form.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { someText } from "./some-text.ts";

/** A refusal has a message in any form. Source: conversation-api, section 7. */
export const refusalHasAMessage = defineCallRule({
  id: "legacy/refusal-has-a-message",
  check({ calls }, reporter) {
    for (const call of calls) {
      if (call.interface !== "legacy" || call.answer.kind !== "refused") {
        continue;
      }
      const { status, text } = call.answer;
      const { hasWords, form } = wordsIn(text);
      if (hasWords) {
        reporter.passes(call);
        reporter.notes(call, "legacy/error-body", `a refusal with ${status} has ${form}`);
      } else {
        reporter.fails(call, `${call.operation} was refused with ${status} and no words that say why`);
      }
    }
  },
});

const word = /\p{L}{3}/u;

/** Whether a body has words, and its form. Counts strings of a JSON body, and text outside tags of a web page. */
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
