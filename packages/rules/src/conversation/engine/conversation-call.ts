import { bodyBeginning, callGroup, classifyAnswer, readBody } from "@assay/reading";
import type { ExchangeRecord } from "@assay/evidence";
import type { ParsedRequest } from "./parsed-request.ts";
import { isConversationInterface, isConversationOperation } from "./conversation-operation.ts";
import type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";
import { parseRequest } from "./parse-request.ts";

export type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";

/** One request to the conversation API and its response. */
export interface ConversationCall {
  readonly record: ExchangeRecord;
  readonly interface: ConversationInterface;
  readonly operation: ConversationOperation;
  /** The parsed request. `record.request` contains the original. */
  readonly request: ParsedRequest;
  readonly response: CallResponse;
}

/**
 * The response, classified by `callGroup`. `none`: no complete response was received. `isLimit`: the body exceeds the
 * size or depth limit of the reader.
 */
export type CallResponse =
  | {
      readonly kind: "success";
      readonly status: number;
      /** Undefined if empty or not JSON. */
      readonly json: unknown;
      readonly text: string;
    }
  | { readonly kind: "refused"; readonly status: number; readonly text: string }
  | { readonly kind: "server-failure"; readonly status: number }
  | { readonly kind: "not-api"; readonly status: number }
  | { readonly kind: "none"; readonly reason: string; readonly isLimit?: true };

/** Reports whether the call may have taken effect: true unless it was refused. */
export const mayHaveTakenEffect = ({ response }: ConversationCall): boolean => response.kind !== "refused";

/** Reports whether the operation of a call only reads. */
export const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

/** A recorded exchange with the bytes of its response. */
export interface RecordedCall {
  readonly record: ExchangeRecord;
  readonly body: Uint8Array;
  /** The reason the recorded body differs from the sent one, if it does. */
  readonly unreadable?: string;
}

/** Reads an exchange of either conversation interface. It returns undefined for other exchanges. */
export function readCall({ record, body, unreadable }: RecordedCall): ConversationCall | undefined {
  const { interface: interfaceName, operation } = record;
  if (!isConversationInterface(interfaceName) || !isConversationOperation(operation)) {
    return undefined;
  }
  const request = parseRequest({ ...record, operation }, interfaceName);
  return { record, interface: interfaceName, operation, request, response: readResponse(record, body, unreadable) };
}

function readResponse(record: ExchangeRecord, body: Uint8Array, unreadable: string | undefined): CallResponse {
  const { response, end } = record;
  if (end.kind === "failed") {
    return { kind: "none", reason: end.message };
  }
  if (response === undefined) {
    return { kind: "none", reason: "no response was received" };
  }
  const { status, headers } = response;
  const beginning = unreadable === undefined ? bodyBeginning([{ bytes: body }]) : "";
  const kind = callGroup(classifyAnswer(status, headers, beginning));
  if (kind === "server-failure" || kind === "not-api") {
    return { kind, status };
  }
  const bodyContent = unreadable === undefined ? readBody(body) : ({ kind: "unreadable", reason: unreadable } as const);
  switch (bodyContent.kind) {
    case "unreadable":
      return { kind: "none", reason: bodyContent.reason };
    case "limit":
      return { kind: "none", reason: bodyContent.reason, isLimit: true };
    case "text":
      return kind === "refused"
        ? { kind, status, text: bodyContent.text }
        : { kind: "success", status, json: bodyContent.json, text: bodyContent.text };
  }
}
