import type { ConversationProbeId } from "../conversation-probes.ts";
import type { RuleOperation } from "../rule-record.ts";

type Probes = readonly ConversationProbeId[];

export const removing: Probes = ["delete", "read-after-delete"];
/** A conversation that is created first and updated last. */
export const reordered: Probes = ["follow-up", "follow-up-poll"];
/** A conversation from its beginning to its answer. */
export const asking: Probes = ["create", "poll"];
const failing: Probes = ["token-limit", "quota", "entitlement"];
export const errors: Probes = [...asking, "cancel", ...failing];
/** Several conversations, for lists. */
export const several: Probes = [...asking, "cancel", "token-limit"];
export const living: Probes = [
  ...asking,
  "list-at-work",
  "follow-up",
  "follow-up-poll",
  "cancel",
  "cancel-again",
  ...failing,
  "cancel-late",
  "read-again",
  "follow-up-across",
  "two-at-once",
  "sequences",
  "cancel-follow-up",
  ...removing,
];
/** Everything that other users may try to do. */
export const trying: Probes = [...asking, "follow-up", "follow-up-poll", "cancel-by-others", ...removing];
const filters: Probes = ["list-filter-id", "list-filter-user-id", "list-filter-read-token"];
export const lists: Probes = [
  "list",
  ...filters,
  "list-starred",
  "list-not-starred",
  "list-page-first",
  "list-sort",
  "list-pages",
];
export const refusals: Probes = [
  "missing-question",
  "question-no-text",
  "not-json",
  "unknown-id",
  "missing-token",
  "invalid-token",
];

/** Probes of rules that name none, by their operation. */
export const probesOfOperation: Readonly<Record<RuleOperation, Probes>> = {
  search: [],
  create: asking,
  get: asking,
  list: [...several, ...lists],
  "follow-up": [...asking, "follow-up", "follow-up-poll", "follow-up-across", "two-at-once"],
  cancel: [...asking, "cancel"],
  delete: [...asking, ...removing],
  conversation: living,
};
