import { judgedBy, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const format: readonly Sentence[] = [
  sentence(
    "conversation-api#4.1.1-base-path",
    "Everything stands below `/.api/deepsearch/v1`.",
    judgedBy("legacy/create-is-accepted", "legacy/get-returns-the-conversation", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.2-requests-are-json",
    "What a request carries is JSON and says so in `Content-Type`.",
    judgedBy("legacy/create-is-accepted", "legacy/bad-request-is-refused"),
  ),
  sentence(
    "conversation-api#4.1.3-responses-are-json",
    "What comes back is JSON, as is asked for in `Accept`.",
    partlyJudgedBy(
      "answers to cancelling and deleting, and refusals, whose bodies are not given",
      "legacy/create-is-accepted",
      "legacy/get-returns-the-conversation",
      "legacy/responses-fit-openapi",
    ),
  ),
];

const operations: readonly Sentence[] = [
  sentence(
    "conversation-api#4.1.4-create",
    "A conversation is created by a POST of an object with the string `question` to the base path.",
    judgedBy("legacy/create-is-accepted", "legacy/question-text-is-kept", "legacy/bad-request-is-refused"),
  ),
  sentence(
    "conversation-api#4.1.5-create-response",
    "What comes back is the conversation with its first question in processing.",
    judgedBy(
      "legacy/create-is-accepted",
      "legacy/created-in-progress",
      "legacy/conversation-fits-schema",
      "legacy/responses-fit-openapi",
    ),
  ),
  sentence(
    "conversation-api#4.1.6-get",
    "A conversation is fetched by a GET with its integer id in the path, and comes back as an object.",
    judgedBy(
      "legacy/get-returns-the-conversation",
      "legacy/ids-are-stable",
      "legacy/conversation-fits-schema",
      "legacy/responses-fit-openapi",
    ),
  ),
  sentence(
    "conversation-api#4.1.7-list",
    "Conversations are listed by a GET of the base path with parameters in the query.",
    partlyJudgedBy(
      "in which envelope they come",
      "legacy/list-parameters-are-accepted",
      "legacy/responses-fit-openapi",
    ),
  ),
  sentence(
    "conversation-api#4.1.8-follow-up",
    "A further question is asked by a POST of `conversation_id` and `question` to the questions of the conversation.",
    judgedBy("legacy/follow-up-is-accepted", "legacy/question-text-is-kept"),
  ),
  sentence(
    "conversation-api#4.1.9-follow-up-ids-match",
    "The `conversation_id` of a further question has to be the id in its path.",
    judgedBy("legacy/follow-up-id-must-match"),
  ),
  sentence(
    "conversation-api#4.1.10-follow-up-response",
    "What comes back to a further question is the conversation.",
    partlyJudgedBy(
      "answers with the new question alone, which some releases give and which are accepted",
      "legacy/follow-up-is-accepted",
      "legacy/conversation-fits-schema",
      "legacy/responses-fit-openapi",
    ),
  ),
  sentence(
    "conversation-api#4.1.11-cancel",
    "A question that is processing, and no other, is cancelled by a POST without a body to its path with `cancel` behind it.",
    partlyJudgedBy("what happens to a question that is not processing", "legacy/cancel-is-accepted"),
  ),
  sentence(
    "conversation-api#4.1.12-delete",
    "A conversation is deleted by a DELETE of its path.",
    judgedBy("legacy/delete-is-accepted"),
  ),
];

const listing: readonly Sentence[] = [
  sentence(
    "conversation-api#4.1.13-optional-parameters",
    "None of the parameters of a list has to be given.",
    judgedBy("legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.14-filter-id",
    "`filter_id` narrows a list to the id of a conversation.",
    judgedBy("legacy/filter-id-filters", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.15-filter-user-id",
    "`filter_user_id` narrows a list to the id of a user.",
    judgedBy("legacy/filter-user-id-filters", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.16-filter-read-token",
    "`filter_read_token` fetches a conversation by its read token.",
    judgedBy("legacy/filter-read-token-filters", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.17-sharing-for-others",
    "By that parameter, what others asked can be read only where the instance has sharing turned on.",
    judgedBy("legacy/shared-conversation-is-readable", "legacy/unshared-conversation-is-hidden"),
  ),
  sentence(
    "conversation-api#4.1.18-filter-is-starred",
    "`filter_is_starred` is `true` or `false`.",
    partlyJudgedBy(
      "that the right ones are taken for starred, which no operation can make them",
      "legacy/filter-is-starred-filters",
      "legacy/list-parameters-are-accepted",
    ),
  ),
  sentence(
    "conversation-api#4.1.19-page-first",
    "`page_first` is how many results a page has.",
    judgedBy("legacy/page-first-bounds", "legacy/pages-do-not-overlap", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.20-page-after",
    "`page_after` is a cursor for going from page to page.",
    judgedBy("legacy/pages-do-not-overlap"),
  ),
  sentence(
    "conversation-api#4.1.21-sort",
    "`sort` is an order by id, by creation or by update, upwards or, with a minus, downwards.",
    judgedBy("legacy/sort-is-kept", "legacy/list-parameters-are-accepted"),
  ),
  sentence(
    "conversation-api#4.1.22-default-sort",
    "Without `sort` a list goes downwards by update.",
    judgedBy("legacy/default-sort-is-newest-update-first"),
  ),
];

/** Section 4.1: the operations of the legacy interface. */
export const legacyEndpoints: readonly Sentence[] = [...format, ...operations, ...listing];
