import type { ConversationRuleRow } from "../../rule-record.ts";

/** Lists of conversations, their filters, order and pages. */
export const legacyListRules = {
  "legacy/list-parameters-are-accepted": {
    basis: "stated",
    operation: "list",
    title: "A list with documented parameters is answered",
    sentences: [
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
    title: "A list without parameters has the conversations that its user created",
    sentences: ["conversation-api#4.1.7-list", "conversation-api#1.10-can-be-listed"],
    demandedBy: "release",
  },
  "legacy/list-shows-own-only": {
    basis: "derived",
    operation: "list",
    title: "A list shows only conversations of its user, unless a read token asks for others",
    sentences: ["conversation-api#4.1.7-list", "conversation-api#5.6-other-users"],
  },
  "legacy/filter-id-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_id` lists nothing but the conversation of that id",
    sentences: ["conversation-api#4.1.14-filter-id"],
  },
  "legacy/filter-user-id-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_user_id` lists nothing but the conversations of that user",
    sentences: ["conversation-api#4.1.15-filter-user-id"],
  },
  "legacy/filter-read-token-filters": {
    basis: "stated",
    operation: "list",
    title: "`filter_read_token` lists the conversation of that read token",
    sentences: ["conversation-api#2.1.6-read-token", "conversation-api#4.1.16-filter-read-token"],
  },
  "legacy/filter-is-starred-filters": {
    basis: "derived",
    operation: "list",
    title: "A conversation is either starred or not starred, never both or neither",
    sentences: ["conversation-api#4.1.18-filter-is-starred"],
  },
  "legacy/page-first-bounds": {
    basis: "stated",
    operation: "list",
    title: "`page_first` bounds the number of listed conversations",
    sentences: ["conversation-api#4.1.19-page-first"],
  },
  "legacy/pages-do-not-overlap": {
    basis: "derived",
    operation: "list",
    title: "Walking the pages meets every conversation once",
    sentences: ["conversation-api#4.1.19-page-first", "conversation-api#4.1.20-page-after"],
  },
  "legacy/sort-is-kept": {
    basis: "stated",
    operation: "list",
    title: "A list is in the order that `sort` asks for",
    sentences: ["conversation-api#4.1.21-sort"],
  },
  "legacy/default-sort-is-newest-update-first": {
    basis: "stated",
    operation: "list",
    title: "Without `sort` the list begins with the newest update",
    sentences: ["conversation-api#4.1.22-default-sort"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
