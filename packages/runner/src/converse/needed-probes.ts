import { isRuleId, ruleRecord } from "@assay/contract";
import type { ConversationProbeId } from "./conversation-probe.ts";
import type { ConversationInterface } from "./dialect.ts";

type Probes = readonly ConversationProbeId[];

const removing: Probes = ["delete", "read-after-delete"];
/** A conversation that is created first and updated last. */
const reordered: Probes = ["follow-up", "follow-up-poll"];
/** A conversation from its beginning to its answer. */
const asking: Probes = ["create", "poll"];
const failing: Probes = ["token-limit", "quota", "entitlement"];
const errors: Probes = [...asking, "cancel", ...failing];
/** Several conversations, for lists. */
const several: Probes = [...asking, "cancel", "token-limit"];
const living: Probes = [
  ...asking,
  "list-at-work",
  "follow-up",
  "follow-up-poll",
  "cancel",
  "cancel-again",
  ...failing,
  "cancel-late",
  "read-again",
  "cancel-follow-up",
  ...removing,
];
/** All that others may try to do. */
const trying: Probes = [...asking, "follow-up", "follow-up-poll", "cancel-by-others", ...removing];
const filters: Probes = ["list-filter-id", "list-filter-user-id", "list-filter-read-token"];
const lists: Probes = [
  "list",
  ...filters,
  "list-starred",
  "list-not-starred",
  "list-page-first",
  "list-sort",
  "list-pages",
];
const refusals: Probes = [
  "missing-question",
  "question-no-text",
  "not-json",
  "unknown-id",
  "missing-token",
  "invalid-token",
];

/** What rules need that their operation does not tell, by the last part of their ids. */
const byName: Readonly<Record<string, Probes>> = {
  "success-status-is-listed": [...living, ...lists],
  "responses-fit-openapi": [...living, ...lists],
  "create-is-accepted": [...asking, "list"],
  "new-question-has-turns": [...asking, "follow-up"],
  "openapi-schema-is-served": ["list"],
  "openapi-schema-describes-operations": ["list"],
  "refusal-has-a-message": refusals,
  "refusal-is-no-server-error": [...living, "list", "cancel-by-others", "other-user", ...refusals],
  "error-fits-schema": errors,
  "error-kind-is-known": errors,
  "failed-question-is-completed": errors,
  "error-has-its-members": errors,
  "error-code-is-listed": errors,
  "exceeded-limit-has-its-error": ["quota", "entitlement"],
  "retry-time-is-a-timestamp": errors,
  "ids-are-stable": [...living, "parallel-reads"],
  "name-is-stable": [...living, "parallel-reads"],
  "follow-up-id-must-match": [...asking, "follow-up", "follow-up-mismatch"],
  "filter-id-filters": [...several, "list", "list-filter-id"],
  "filter-user-id-filters": [...several, "list", "list-filter-user-id"],
  "filter-read-token-filters": [...several, "list", "list-filter-read-token"],
  "filter-is-starred-filters": [...several, "list", "list-starred", "list-not-starred"],
  "page-first-bounds": [...several, "list-page-first", "list-pages"],
  "pages-do-not-overlap": [...several, "list-pages"],
  "sort-is-kept": [...several, ...reordered, "list-sort", "list-filter-id", "list-filter-user-id"],
  "default-sort-is-newest-update-first": [...several, ...reordered, "list", "list-page-first"],
  "list-is-accepted": [...several, "list", "list-pages"],
  "self-stands-for-the-user": [...asking, "list", "other-user"],
  "owner-is-viewer": [...asking, "list", "shared"],
  "user-id-is-the-owner": [...asking, "follow-up", "shared"],
  "access-token-is-accepted": [...asking, "list", "bearer-token"],
  "any-access-token-is-accepted": [
    ...asking,
    "follow-up",
    "follow-up-poll",
    ...removing,
    "list",
    "unscoped-token",
    "read-token",
    "other-scheme",
    "client-header",
  ],
  "scope-is-required": [...trying, "list", "unscoped-token"],
  "read-scope-may-read": [...asking, "list", "read-token"],
  "write-scope-may-write": [...asking, "follow-up", "follow-up-poll", ...removing, "write-token"],
  "read-scope-may-not-write": ["create", "read-token-write"],
  "missing-token-is-refused": [...trying, "list", "missing-token"],
  "invalid-token-is-refused": [...trying, "list", "invalid-token"],
  "other-user-may-not-write": [...trying, "other-user", "read-again"],
  "list-has-own-conversations": [...several, "list"],
  "list-shows-own-only": [...several, "list", "other-user"],
  "needs-no-x-requested-with": ["list", "client-header"],
  "shared-conversation-is-readable": [...asking, "shared"],
  "unshared-conversation-is-hidden": [...asking, "list-filter-read-token", "shared", "other-user"],
  "other-users-conversation-is-hidden": [...asking, "other-user"],
  "unknown-id-is-not-found": [...asking, "list", "unknown-id", "cancel-by-others"],
  "unknown-name-is-refused": ["list", "unknown-id"],
  "bad-request-is-refused": ["list", "missing-question", "question-no-text", "not-json"],
  "cancel-is-accepted": [...asking, "cancel", "cancel-follow-up", "cancel-again"],
  "deleted-is-gone": [...asking, ...removing, "follow-up-after-delete"],
};

const byOperation: Readonly<Record<string, Probes>> = {
  create: asking,
  get: asking,
  list: [...several, ...lists],
  "follow-up": [...asking, "follow-up", "follow-up-poll"],
  cancel: [...asking, "cancel"],
  delete: [...asking, ...removing],
  conversation: living,
};

function probesOf(id: string): readonly (readonly [ConversationInterface, Probes])[] {
  if (!isRuleId(id)) {
    return [];
  }
  const { interface: name, operation } = ruleRecord(id);
  switch (name) {
    case "stream":
      return [];
    case "legacy":
    case "current":
      return [[name, byName[id.slice(id.indexOf("/") + 1)] ?? byOperation[operation] ?? []]];
    case "migration":
      return [
        ["legacy", [...living, "migration", "migration-late"]],
        ["current", [...living, "migration", "migration-late"]],
      ];
  }
}

/** The probes that the rules need of each interface. Rules about other things than conversations need none. */
export function neededProbes(
  rules: ReadonlySet<string>,
): Readonly<Record<ConversationInterface, ReadonlySet<ConversationProbeId>>> {
  const needed = {
    legacy: new Set<ConversationProbeId>(),
    current: new Set<ConversationProbeId>(),
  };
  for (const [name, probes] of [...rules].flatMap((id) => probesOf(id))) {
    probes.forEach((probe) => needed[name].add(probe));
  }
  return needed;
}
