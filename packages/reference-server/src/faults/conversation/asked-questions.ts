import type { ApiCall } from "../../conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";
import { textOf } from "./conversation-parts.ts";

const memberOf = (json: unknown, name: string): unknown => (isPayloadObject(json) ? json[name] : undefined);

const questionIn = ({ interface: name, json, operation }: ApiCall): PayloadObject | undefined => {
  if (name === "legacy") {
    return isPayloadObject(json) ? json : undefined;
  }
  const questions = memberOf(memberOf(json, "conversation"), "questions");
  const question =
    operation === "create" ? (isPayloadArray(questions) ? questions[0] : undefined) : memberOf(json, "question");
  return isPayloadObject(question) ? question : undefined;
};

/** The text of the question that a call asks; empty when it asks none. */
export const askedText = (call: ApiCall): string => textOf(questionIn(call) ?? {});

/** Whether a call asks a question in the form that the document wants. */
export const asksWell = (call: ApiCall): boolean => {
  const { conversation, interface: name, json, operation } = call;
  const isMatching = name === "current" || operation === "create" || memberOf(json, "conversation_id") === conversation;
  return isMatching && askedText(call).trim() !== "";
};
