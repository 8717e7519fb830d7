import type { SentenceRows } from "./sentence-row.ts";

const format = {
  "conversation-api#4.1.1-base-path": "Everything stands below `/.api/deepsearch/v1`.",
  "conversation-api#4.1.2-requests-are-json": "What a request carries is JSON and says so in `Content-Type`.",
  "conversation-api#4.1.3-responses-are-json": {
    text: "What comes back is JSON, as is asked for in `Accept`.",
    partly: "answers to cancelling and deleting, and refusals, whose bodies are not given",
  },
} as const satisfies SentenceRows;

const operations = {
  "conversation-api#4.1.4-create":
    "A conversation is created by a POST of an object with the string `question` to the base path.",
  "conversation-api#4.1.5-create-response":
    "What comes back is the conversation with its first question in processing.",
  "conversation-api#4.1.6-get":
    "A conversation is fetched by a GET with its integer id in the path, and comes back as an object.",
  "conversation-api#4.1.7-list": {
    text: "Conversations are listed by a GET of the base path with parameters in the query.",
    partly: "in which envelope they come",
  },
  "conversation-api#4.1.8-follow-up":
    "A further question is asked by a POST of `conversation_id` and `question` to the questions of the conversation.",
  "conversation-api#4.1.9-follow-up-ids-match":
    "The `conversation_id` of a further question has to be the id in its path.",
  "conversation-api#4.1.10-follow-up-response": {
    text: "What comes back to a further question is the conversation.",
    partly: "answers with the new question alone, which some releases give and which are accepted",
  },
  "conversation-api#4.1.11-cancel": {
    text: "A question that is processing, and no other, is cancelled by a POST without a body to its path with `cancel` behind it.",
    partly: "what happens to a question that is not processing",
  },
  "conversation-api#4.1.12-delete": "A conversation is deleted by a DELETE of its path.",
} as const satisfies SentenceRows;

const listing = {
  "conversation-api#4.1.13-optional-parameters": "None of the parameters of a list has to be given.",
  "conversation-api#4.1.14-filter-id": "`filter_id` narrows a list to the id of a conversation.",
  "conversation-api#4.1.15-filter-user-id": "`filter_user_id` narrows a list to the id of a user.",
  "conversation-api#4.1.16-filter-read-token": "`filter_read_token` fetches a conversation by its read token.",
  "conversation-api#4.1.17-sharing-for-others":
    "By that parameter, what others asked can be read only where the instance has sharing turned on.",
  "conversation-api#4.1.18-filter-is-starred": {
    text: "`filter_is_starred` is `true` or `false`.",
    partly:
      "that the right ones are taken for starred, which no operation can make them; that `false` leaves them out is seen where the user of the run has starred one",
  },
  "conversation-api#4.1.19-page-first": "`page_first` is how many results a page has.",
  "conversation-api#4.1.20-page-after": "`page_after` is a cursor for going from page to page.",
  "conversation-api#4.1.21-sort":
    "`sort` is an order by id, by creation or by update, upwards or, with a minus, downwards.",
  "conversation-api#4.1.22-default-sort": "Without `sort` a list goes downwards by update.",
} as const satisfies SentenceRows;

/** Section 4.1: the operations of the legacy interface. */
export const legacyEndpoints = {
  ...format,
  ...operations,
  ...listing,
} as const satisfies SentenceRows;
