import type { ExchangeRecord } from "@assay/evidence";
import { headerOf } from "../../engine/header-of.ts";
import type { Asked } from "./asked.ts";
import { readBody } from "./body-text.ts";
import { isConversationInterface, isConversationOperation } from "./conversation-operation.ts";
import type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";
import { readAsked } from "./read-asked.ts";

export type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";

/** One request to the conversation API and what came back. */
export interface ConversationCall {
  readonly record: ExchangeRecord;
  readonly interface: ConversationInterface;
  readonly operation: ConversationOperation;
  readonly asked: Asked;
  readonly answer: CallAnswer;
}

/**
 * What came back. `refused`: a code from 400 but 429. `distress`: 429 or from 500, which say nothing about the
 * request. `elsewhere`: any other code that is no success, or a web page. `none`: no whole answer; with `isLimit` one that is
 * larger or deeper than is read.
 */
export type CallAnswer =
  | {
      readonly kind: "success";
      readonly status: number;
      /** Undefined: empty, or not JSON. */
      readonly json: unknown;
      readonly text: string;
    }
  | { readonly kind: "refused"; readonly status: number; readonly text: string }
  | { readonly kind: "distress"; readonly status: number }
  | { readonly kind: "elsewhere"; readonly status: number }
  | { readonly kind: "none"; readonly why: string; readonly isLimit?: true };

/** Whether a call may have changed something: only a refusal says that it did not. */
export const mayHaveHappened = ({ answer }: ConversationCall): boolean => answer.kind !== "refused";

/** A recorded exchange with the bytes of its answer. */
export interface RecordedCall {
  readonly record: ExchangeRecord;
  readonly body: Uint8Array;
  /** Why the body is not what the target sent, where it is not. */
  readonly unreadable?: string;
}

/** Reads an exchange with either interface of the conversation API; nothing for any other exchange. */
export function readCall({ record, body, unreadable }: RecordedCall): ConversationCall | undefined {
  const { interface: name, operation } = record;
  if (!isConversationInterface(name) || !isConversationOperation(operation)) {
    return undefined;
  }
  const asked = readAsked({ ...record, operation }, name);
  return { record, interface: name, operation, asked, answer: answerOf(record, body, unreadable) };
}

function answerOf(record: ExchangeRecord, body: Uint8Array, unreadable: string | undefined): CallAnswer {
  const { response, end } = record;
  if (end.kind === "failed") {
    return { kind: "none", why: end.message };
  }
  if (response === undefined) {
    return { kind: "none", why: "no answer came" };
  }
  const kind = kindOf(response.status);
  if (kind !== undefined) {
    return { kind, status: response.status };
  }
  return unreadable === undefined
    ? withBody(response.status, body, headerOf(response.headers, "content-type") ?? "")
    : { kind: "none", why: unreadable };
}

/** What a code alone decides. */
function kindOf(status: number): "distress" | "elsewhere" | undefined {
  if (status === 429 || status >= 500) {
    return "distress";
  }
  return status < 200 || (status >= 300 && status < 400) ? "elsewhere" : undefined;
}

function withBody(status: number, body: Uint8Array, contentType: string): CallAnswer {
  const read = readBody(body);
  if (read.kind === "limit") {
    return { kind: "none", why: read.why, isLimit: true };
  }
  const { text, json } = read;
  if (status >= 400) {
    return { kind: "refused", status, text };
  }
  return isWebPage(read, contentType) ? { kind: "elsewhere", status } : { kind: "success", status, json, text };
}

/**
 * Where no such endpoint exists, many servers deliver their web interface under every address, with success. JSON is an answer of the API,
 * whatever its content type says.
 */
const isWebPage = ({ text, json }: { readonly text: string; readonly json: unknown }, contentType: string): boolean =>
  (/^\s*text\/html\b/i.test(contentType) && (typeof json !== "object" || json === null)) ||
  /^\s*<(?:!doctype|html)\b/i.test(text);
