import { defined } from "@assay/contract";
import { createHash } from "node:crypto";
import type { ApiAnswer } from "../service/conversation/api/api-answer.ts";
import { type ApiCall, type ApiOperation, askedText } from "../service/conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";

/** The conversation in a response. */
export interface ShownConversation {
  /** Id or name of the conversation in the response. */
  readonly conversation?: string;
  /** State or status of the last question in the response, or `failed` for a legacy question that ended in an error. */
  readonly state: string;
  /** The retry time in the response. */
  readonly retryTime?: string;
}

/** A call of the conversation API in the journal. */
export interface JournalCall {
  readonly interface: "legacy" | "current";
  readonly operation: ApiOperation;
  /** Number of the requested conversation. */
  readonly conversation?: number;
  readonly bodyBytes: number;
  /** Length of the question, and the SHA-256 of its UTF-8 in lower-case hex. */
  readonly asked?: { readonly characters: number; readonly sha256: string };
  /** Absent if the response contains no conversation. */
  readonly shown?: ShownConversation;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A response that is not JSON contains no conversation.
    return undefined;
  }
};

const readJsonBody = ({ json, text }: ApiAnswer): unknown =>
  json ?? (text === undefined ? undefined : parseJson(text.toString()));

const readText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const legacyState = (question: PayloadObject): string | undefined =>
  question["status"] === "completed" && isPayloadObject(question["error"]) ? "failed" : readText(question["status"]);

const readShownLegacy = (json: PayloadObject): ShownConversation | undefined => {
  const questions = json["questions"];
  const last = isPayloadArray(questions) ? questions.at(-1) : json;
  const state = isPayloadObject(last) ? legacyState(last) : undefined;
  const conversation = readText(json["conversation_id"] ?? json["id"]);
  return state === undefined ? undefined : { state, ...defined({ conversation }) };
};

const readShownCurrent = (json: PayloadObject): ShownConversation | undefined => {
  const state = json["state"];
  const [name, content] = isPayloadObject(state) ? (Object.entries(state)[0] ?? []) : [];
  const conversation = readText(json["name"]);
  const retryTime = isPayloadObject(content) ? readText(content["retryTime"] ?? content["retry_time"]) : undefined;
  return name === undefined
    ? undefined
    : {
        state: name,
        ...defined({ conversation, retryTime }),
      };
};

const readShownConversation = (call: ApiCall, answer: ApiAnswer): ShownConversation | undefined => {
  const json = call.operation === "list" || call.operation === "delete" ? undefined : readJsonBody(answer);
  if (!isPayloadObject(json)) {
    return undefined;
  }
  return call.interface === "legacy" ? readShownLegacy(json) : readShownCurrent(json);
};

const describeQuestion = (call: ApiCall): JournalCall["asked"] => {
  const text = call.operation === "create" || call.operation === "follow-up" ? askedText(call) : "";
  return text === ""
    ? undefined
    : { characters: Array.from(text).length, sha256: createHash("sha256").update(text).digest("hex") };
};

/** Describes a call and its response, without the texts of questions and answers. */
export const journalCall = (call: ApiCall, bodyBytes: number, answer: ApiAnswer): JournalCall => {
  const questionText = describeQuestion(call);
  const conversations = readShownConversation(call, answer);
  return {
    interface: call.interface,
    operation: call.operation,
    bodyBytes,
    ...defined({ conversation: call.conversationId, asked: questionText, shown: conversations }),
  };
};
