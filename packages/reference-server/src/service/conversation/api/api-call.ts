import type { IncomingHttpHeaders } from "node:http";
import type { ApiCredential } from "../../access.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";

/** Operations of the conversation API. `get-question` exists only in the legacy interface. */
export type ApiOperation = "create" | "get" | "get-question" | "list" | "follow-up" | "cancel" | "delete";

/** One call of the conversation API, of either interface. */
export interface ApiCall {
  readonly interface: "legacy" | "current";
  readonly operation: ApiOperation;
  /** Kind of the credential. */
  readonly credential: ApiCredential;
  /** Owner of the token. Absent if it has no owner. */
  readonly userId?: number;
  /** Id of the requested or created conversation. Absent for lists and if there is no conversation. */
  readonly conversationId?: number;
  /** Id of the requested question, only in the legacy interface. */
  readonly questionId?: number;
  /** Parsed body. Absent if there is no body or it is not valid JSON. */
  readonly json?: unknown;
  /** Query of the URL. */
  readonly parameters: URLSearchParams;
  /** Headers as received, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Equal for calls with the same method, URL and body. */
  readonly signature: () => string;
  /** Scheme, host and port of the connection. */
  readonly origin: string;
}

/** Returns the text of a question of either interface. */
export const questionText = (question: PayloadObject): string => {
  if (typeof question["question"] === "string") {
    return question["question"];
  }
  const inputs = isPayloadArray(question["input"]) ? question["input"] : [];
  const texts = inputs.map((input) => {
    const block = isPayloadObject(input) ? input["question"] : undefined;
    return isPayloadObject(block) ? String(block["text"]) : "";
  });
  return texts.join("\n");
};

const readMember = (json: unknown, name: string): unknown => (isPayloadObject(json) ? json[name] : undefined);

const findQuestion = ({ interface: name, json, operation }: ApiCall): PayloadObject | undefined => {
  if (name === "legacy") {
    return isPayloadObject(json) ? json : undefined;
  }
  const questions = readMember(readMember(json, "conversation"), "questions");
  const question =
    operation === "create" ? (isPayloadArray(questions) ? questions[0] : undefined) : readMember(json, "question");
  return isPayloadObject(question) ? question : undefined;
};

/** Returns the question that a call asks, or an empty string if it asks none. */
export const askedText = (call: ApiCall): string => questionText(findQuestion(call) ?? {});
