import type { CallRequest } from "@assay/client";
import type { SortOrder } from "@assay/contract";
import type { DrivenConversation } from "./driven-conversation.ts";

/** The two interfaces of the conversation API. */
export const conversationInterfaces = ["legacy", "current"] as const;
export type ConversationInterface = (typeof conversationInterfaces)[number];

/** A call without its credential and timeout. */
export type PlainCall = Pick<
  CallRequest,
  "interface" | "operation" | "method" | "path" | "query" | "body" | "clientHeader"
>;

export interface PageRequest {
  /** Maximum number of conversations. */
  readonly size?: number;
  readonly cursor?: string;
  /** Supported only by the legacy interface. */
  readonly order?: SortOrder;
  /** Supported only by the current interface. Default: the authenticated user. */
  readonly parent?: string;
}

/** Builds the requests of an interface and reads its answers. Ids and names from the target are encoded here. */
export interface Dialect {
  readonly interface: ConversationInterface;
  /** `parent` is supported only by the current interface. Default: the authenticated user. */
  create(question: string, parent?: string): PlainCall;
  /** Returns an invalid creation: without a question, with a number as the question, or with a body that is not JSON. */
  createInvalid(defect: "question" | "text" | "json"): PlainCall;
  get(id: string): PlainCall;
  followUp(id: string, question: string): PlainCall;
  /** Returns undefined if the interface needs a question id that is unknown. */
  cancel(id: string, lastQuestion: string | undefined): PlainCall | undefined;
  delete(id: string): PlainCall;
  /** Lists one page of the user's conversations. Default: the first page of default size. */
  list(page?: PageRequest): PlainCall;
  read(json: unknown): DrivenConversation;
  /** Converts one of the other interface's ids. Returns undefined if it has no counterpart. */
  convertId(id: string): string | undefined;
  /** An id that no target assigns. */
  readonly unknownId: string;
}
