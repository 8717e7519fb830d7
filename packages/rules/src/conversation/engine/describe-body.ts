import type { ConversationCall } from "./conversation-call.ts";
import { conversationView, questionView } from "./conversation-view.ts";
import { isRecord } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";

const maxShownMembers = 6;

/**
 * Describes the content of a successful response, for use at the end of a sentence. It returns undefined for other
 * responses.
 */
export function describeBody(call: ConversationCall): string | undefined {
  if (call.response.kind !== "success") {
    return undefined;
  }
  if (conversationView(call) !== undefined) {
    return "the conversation";
  }
  return questionView(call) === undefined ? describeJson(call.response.json, call.response.text) : "the question";
}

/** Describes a body, for use at the end of a sentence. `json` is undefined if the body is not JSON. */
export function describeJson(json: unknown, text: string): string {
  if (json === undefined) {
    return text.trim() === "" ? "nothing" : "text that is not JSON";
  }
  if (Array.isArray(json)) {
    return "an array";
  }
  return isRecord(json) ? describeObject(Object.keys(json)) : "a JSON value that is neither an object nor an array";
}

function describeObject(names: readonly string[]): string {
  if (names.length === 0) {
    return "an empty object";
  }
  const shownNames = names.slice(0, maxShownMembers).map((name) => `\`${formatValue(name)}\``);
  return `an object with ${shownNames.join(", ")}${names.length > maxShownMembers ? " and more" : ""}`;
}
