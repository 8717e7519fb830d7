import type { IncomingHttpHeaders } from "node:http";
import type { ApiCredential } from "../../access.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";

/** What a call of the conversation API asks for. `get-question` exists in the legacy interface only. */
export type ApiOperation = "create" | "get" | "get-question" | "list" | "follow-up" | "cancel" | "delete";

/** One call of the conversation API, whatever its interface. */
export interface ApiCall {
  readonly interface: "legacy" | "current";
  readonly operation: ApiOperation;
  /** How the request identified itself. */
  readonly credential: ApiCredential;
  /** Whose token it was; absent when it was nobody's. */
  readonly userId?: number;
  /** Number of the conversation that is asked for, or that was created; absent for lists and where there is none. */
  readonly conversation?: number;
  /** Number of the question that is asked for; legacy only. */
  readonly question?: number;
  /** Body as JSON; absent when there is none, or when it is no JSON. */
  readonly json?: unknown;
  /** Query of the URL. */
  readonly parameters: URLSearchParams;
  /** As they came, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The same for calls whose method, address and body are the same. */
  readonly signature: () => string;
  /** Scheme, host and port of the server as it sees itself. */
  readonly origin: string;
}

/** The text of a question of either interface. */
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
export const askedText = (call: ApiCall): string => questionText(questionIn(call) ?? {});
