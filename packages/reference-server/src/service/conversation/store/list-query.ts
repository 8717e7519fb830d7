import type { SortOrder } from "@assay/contract";
import type { ConversationRecord } from "../conversation-record.ts";

/** Where the next page begins: after the conversation with this value of the sorted member and this id. */
export interface PagePosition {
  readonly value: number;
  readonly id: number;
}

/** What is listed. Filters that are present all have to hold. */
export interface ListQuery {
  /** Whose conversations are listed; with `shared` and `readToken` those of others too. */
  readonly viewerId: number;
  /** Whether a read token opens conversations of others. */
  readonly shared: boolean;
  readonly id?: number;
  readonly userId?: number;
  readonly readToken?: string;
  readonly starred?: boolean;
  /** Text that a question has to contain, upper and lower case alike. */
  readonly contains?: string;
  readonly sort: SortOrder;
  /** Most conversations on the page; at least 1. */
  readonly pageSize: number;
  readonly after?: PagePosition;
}

/** One page of a list. */
export interface ListedPage {
  readonly conversations: readonly ConversationRecord[];
  /** Absent on the last page. */
  readonly next?: PagePosition;
}
