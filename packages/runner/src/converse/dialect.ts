import type { CallRequest } from "@assay/client";
import type { SortOrder } from "@assay/contract";
import type { DrivenConversation } from "./driven-conversation.ts";

/** The two interfaces of the conversation API. */
export const conversationInterfaces = ["legacy", "current"] as const;
export type ConversationInterface = (typeof conversationInterfaces)[number];

/** A call before anybody sends it: neither who asks nor how long it may take. */
export type PlainCall = Pick<
  CallRequest,
  "interface" | "operation" | "method" | "path" | "query" | "body" | "clientHeader"
>;

export interface ListedPage {
  /** How many conversations at most. */
  readonly size?: number;
  readonly cursor?: string;
  /** Only the legacy interface can be asked for an order; the current one has whatever it has. */
  readonly order?: SortOrder;
}

/** How an interface is asked, and how its answers are read. Ids and names come from the target and are encoded here. */
export interface Dialect {
  readonly interface: ConversationInterface;
  create(question: string): PlainCall;
  /** A creation that asks nothing, one whose question is a number, and one whose body is no JSON. */
  createWithout(what: "question" | "text" | "json"): PlainCall;
  get(id: string): PlainCall;
  followUp(id: string, question: string): PlainCall;
  /** Undefined where the interface cannot say what to cancel. */
  cancel(id: string, lastQuestion: string | undefined): PlainCall | undefined;
  delete(id: string): PlainCall;
  /** A page of the own conversations [what the target takes for the first page]. */
  list(page?: ListedPage): PlainCall;
  read(json: unknown): DrivenConversation;
  /** What the other interface calls this conversation, as the id that this one knows. Undefined where it cannot have one. */
  fromOther(id: string): string | undefined;
  /** An id that no target ever gives out. */
  readonly unknownId: string;
}
