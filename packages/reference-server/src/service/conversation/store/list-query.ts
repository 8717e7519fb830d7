import type { SortOrder } from "@assay/contract";
import type { ConversationRecord } from "../conversation-record.ts";

/** Position of the next page: after the conversation with this sort value and id. */
export interface PagePosition {
  readonly value: number;
  readonly id: number;
}

/** The query of a list. All filters must match. */
export interface ListQuery {
  /** Owner of the listed conversations. With `sharing` and `readToken`, other users' conversations are listed too. */
  readonly viewerId: number;
  /** Whether users can read other users' conversations with a read token. */
  readonly sharing: boolean;
  readonly id?: number;
  readonly userId?: number;
  readonly readToken?: string;
  readonly starred?: boolean;
  /** Text that a question must contain, ignoring case. */
  readonly contains?: string;
  readonly sort: SortOrder;
  /** Maximum number of conversations on the page; at least 1. */
  readonly pageSize: number;
  readonly after?: PagePosition;
}

/** One page of a list. */
export interface ListedPage {
  readonly conversations: readonly ConversationRecord[];
  /** Absent on the last page. */
  readonly next?: PagePosition;
}
