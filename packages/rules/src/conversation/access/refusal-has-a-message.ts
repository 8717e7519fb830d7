import { readText } from "@assay/reading";
import { describeJson } from "../engine/describe-body.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { hasMatchingText } from "./has-matching-text.ts";

/** A refusal contains a message, in any format. Source: conversation-api, section 7. */
export const refusalHasAMessage = defineCallRule({
  id: "legacy/refusal-has-a-message",
  check({ calls }, reporter) {
    for (const call of calls) {
      if (call.interface !== "legacy" || call.response.kind !== "refused") {
        continue;
      }
      const { status, text } = call.response;
      const { hasWords, form } = describeText(text);
      if (hasWords) {
        reporter.passes(call);
        reporter.notes(call, "legacy/error-body", `a refusal with ${status} has ${form}`);
      } else {
        reporter.fails(call, `${call.operation} was refused with ${status} without a message`);
      }
    }
  },
});

const wordPattern = /\p{L}{3}/u;

/**
 * Determines whether a body contains words, and its format. Considers strings in a JSON body, and text outside tags in
 * a web page.
 */
function describeText(text: string): { readonly hasWords: boolean; readonly form: string } {
  const parsedText = readText(text);
  const json = parsedText.kind === "text" ? parsedText.json : undefined;
  if (json !== undefined) {
    return { hasWords: hasMatchingText(json, (value) => wordPattern.test(value)), form: describeJson(json, text) };
  }
  const isPage = /^\s*</.test(text);
  return { hasWords: wordPattern.test(isPage ? stripTags(text) : text), form: isPage ? "a page" : "plain text" };
}

const stripTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, " ");
