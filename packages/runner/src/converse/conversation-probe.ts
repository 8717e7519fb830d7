import type { ConversationInterface } from "./dialect.ts";

/** What each probe does, a few words for the progress line. */
const titles = {
  create: "a new conversation",
  "list-at-work": "a list while a question is in progress",
  poll: "polling until the answer is there",
  "follow-up": "a follow-up question",
  "follow-up-poll": "polling until the second answer is there",
  cancel: "a question that is cancelled",
  "token-limit": "a question that is too long",
  quota: "a question of a user without quota",
  entitlement: "a question of a user without entitlement",
  "parallel-reads": "several conversations read at the same moment",
  list: "the list of conversations",
  "list-filter-id": "a list with filter_id",
  "list-filter-user-id": "a list with filter_user_id",
  "list-filter-read-token": "a list with filter_read_token",
  "list-starred": "a list of what is starred",
  "list-not-starred": "a list of what is not starred",
  "list-page-first": "a list with page_first",
  "list-sort": "lists in each order",
  "list-pages": "a list page by page",
  shared: "another user's list with the read token",
  "other-user": "another user's calls about a conversation",
  "cancel-follow-up": "a follow-up question that is cancelled",
  "cancel-again": "a cancelled question that is cancelled once more",
  "cancel-late": "a question that is cancelled when it has been answered",
  "cancel-by-others": "a question that others try to cancel",
  "follow-up-mismatch": "a follow-up question whose ids differ",
  "missing-question": "a creation or follow-up without a question",
  "question-no-text": "a creation whose question is no text",
  "not-json": "a creation whose body is not JSON",
  "unknown-id": "a conversation, question or cursor that does not exist",
  "missing-token": "calls without a token",
  "invalid-token": "calls with a token that was never issued",
  "other-scheme": "a list with the token in an unknown scheme",
  "unscoped-token": "calls with a token that lacks scopes",
  "bearer-token": "a list with the access token in the scheme of OAuth tokens",
  "read-token": "reading with a token that may only read",
  "read-token-write": "a creation with a token that may only read",
  "write-token": "writing with a token that may only write",
  "client-header": "a list with another X-Requested-With, or none",
  migration: "a conversation seen through the other interface",
  "migration-late": "the same, when a question may no longer be processing",
  "read-again": "a last look at a conversation",
  delete: "deleting what was created",
  "read-after-delete": "a look at what was deleted",
  "follow-up-after-delete": "a follow-up question to what was deleted",
  cleanup: "cleaning up",
  openapi: "the OpenAPI document",
} as const;

export type ConversationProbeId = keyof typeof titles;

/** Calls that are sent to see what comes back; they decide nothing. */
export interface ConversationProbe {
  readonly id: ConversationProbeId;
  readonly interface: ConversationInterface | "reference";
  readonly title: string;
}

/** A probe of an interface. */
export const conversationProbe = (
  id: ConversationProbeId,
  name: ConversationProbe["interface"],
): ConversationProbe => ({
  id,
  interface: name,
  title: name === "reference" ? titles[id] : `${titles[id]} (${name})`,
});
