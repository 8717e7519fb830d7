import type { ConversationRuleRow } from "../../rule-record.ts";

/** Lists of conversations, their filters, order and pages. */
export const legacyListRules = {
  "legacy/list-parameters-are-accepted": {
    basis: "stated",
    operation: "list",
    title: "A list request with documented parameters succeeds",
    requirements: [
      "conversation-api#4.1.1-base-path",
      "conversation-api#4.1.3-responses-are-json",
      "conversation-api#4.1.7-list",
      "conversation-api#4.1.13-optional-parameters",
      "conversation-api#4.1.14-filter-id",
      "conversation-api#4.1.15-filter-user-id",
      "conversation-api#4.1.16-filter-read-token",
      "conversation-api#4.1.18-filter-is-starred",
      "conversation-api#4.1.19-page-first",
      "conversation-api#4.1.21-sort",
      "conversation-api#1.10-can-be-listed",
    ],
    demandedBy: "release",
  },
  "legacy/list-has-own-conversations": {
    basis: "derived",
    operation: "list",
    title: "A list without parameters has the conversations that the user created",
    requirements: ["conversation-api#4.1.7-list", "conversation-api#1.10-can-be-listed"],
    demandedBy: "release",
  },
  "legacy/list-shows-own-only": {
    basis: "derived",
    operation: "list",
    title: "A list has only conversations of the user, unless a read token asks for others",
    requirements: ["conversation-api#4.1.7-list", "conversation-api#5.6-other-users"],
  },
  "legacy/filter-id-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_id` lists only the conversation with that id",
    requirements: ["conversation-api#4.1.14-filter-id"],
  },
  "legacy/filter-user-id-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_user_id` lists only conversations of that user",
    requirements: ["conversation-api#4.1.15-filter-user-id"],
  },
  "legacy/filter-read-token-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_read_token` lists the conversation with that read token",
    requirements: ["conversation-api#2.1.6-read-token", "conversation-api#4.1.16-filter-read-token"],
  },
  "legacy/filter-is-starred-filters": {
    basis: "derived",
    operation: "list",
    title: "A conversation is listed either as starred or as not starred",
    requirements: ["conversation-api#4.1.18-filter-is-starred"],
  },
  "legacy/page-first-bounds": {
    basis: "stated",
    operation: "list",
    title: "`page_first` limits the number of listed conversations",
    why: "Clients size their page by `page_first`. If it is ignored, they load every conversation at once.",
    requirements: ["conversation-api#4.1.19-page-first"],
  },
  "legacy/pages-do-not-overlap": {
    basis: "derived",
    operation: "list",
    title: "Reading all pages lists every conversation exactly once",
    why: "Clients read a list page by page by its cursor. If pages overlap or leave a behaviour, users see conversations twice or not at all.",
    requirements: ["conversation-api#4.1.19-page-first", "conversation-api#4.1.20-page-after"],
  },
  "legacy/sort-is-kept": {
    basis: "stated",
    operation: "list",
    title: "A list is sorted as `sort` requests",
    requirements: ["conversation-api#4.1.21-sort"],
  },
  "legacy/default-sort-is-newest-update-first": {
    basis: "stated",
    operation: "list",
    title: "Without `sort`, a list begins with the newest update",
    requirements: ["conversation-api#4.1.22-default-sort"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
