import type { RequirementRows } from "./requirement-row.ts";

/**
 * Every requirement of the conversation API, in the order of its specification. Numbered as in the streaming
 * specification: each row of a table, and each part that is judged separately.
 */
export const conversationRequirements = {
  // Section 1: the purpose of conversations.
  "conversation-api#1.1-questions-about-code": {
    text: "Questions in plain language about code are answered by an agent that searches.",
    partly: "that the answer is right, and that an agent found it",
  },
  "conversation-api#1.2-answer-is-markdown": {
    text: "An answer is text in markdown.",
    partly: "that the text is markdown, which any text is",
  },
  "conversation-api#1.3-answer-has-sources": {
    text: "An answer comes with a list of sources.",
    partly: "sources in the current interface, whose messages do not show any",
  },
  "conversation-api#1.4-ordered-questions": "A conversation is an ordered list of questions.",
  "conversation-api#1.5-first-question-creates": "The first question creates the conversation.",
  "conversation-api#1.6-follow-ups-are-added": "Further questions are added to an existing conversation.",
  "conversation-api#1.7-asynchronous": "The request that asks a question does not wait for the work on it.",
  "conversation-api#1.8-returns-at-once": {
    text: "A request for a new conversation or question returns at once, while the question is in progress.",
    partly: "how soon, because no time is promised",
  },
  "conversation-api#1.9-polled-until-terminal": {
    text: "The caller polls the conversation until the question is in a terminal state.",
    partly: "how long that takes, because no time is promised",
  },
  "conversation-api#1.10-can-be-listed": "Conversations can be listed.",
  "conversation-api#1.11-can-be-fetched": "A conversation can be fetched.",
  "conversation-api#1.12-can-be-deleted": "A conversation can be deleted.",
  "conversation-api#1.13-can-be-shared": {
    text: "A conversation can be shared.",
    partly: "sharing by the address, which is a page for people",
  },
  "conversation-api#1.14-can-be-cancelled": "Work that is still in progress can be cancelled.",
  "conversation-api#1.15-legacy-remains": {
    text: "The old interface is deprecated and can still be used.",
    partly: "for how much longer",
  },
  "conversation-api#1.16-new-is-supported": {
    text: "The vendor supports the new interface.",
    notObservable: "it is about the vendor; section 4.2 says that the interface responds",
  },

  // Sections 2.1 to 2.3: the objects of the legacy interface.
  "conversation-api#2.1.1-id": "`id` is an integer that identifies the conversation.",
  "conversation-api#2.1.2-questions": "`questions` is an ordered array of questions.",
  "conversation-api#2.1.3-created-at": "`created_at` of a conversation is a string, an ISO 8601 time in UTC.",
  "conversation-api#2.1.4-updated-at": "`updated_at` of a conversation is a string, an ISO 8601 time in UTC.",
  "conversation-api#2.1.5-user-id": {
    text: "`user_id` is an integer, the owner.",
    partly: "that the number is the owner's, because nothing else shows the owner",
  },
  "conversation-api#2.1.6-read-token": "`read_token` is a string; anyone who has it can read the conversation.",
  "conversation-api#2.1.7-read-token-in-share-url": "The read token is also a part of `share_url`.",
  "conversation-api#2.1.8-share-url": {
    text: "`share_url` is a string, an address that shares the conversation.",
    partly: "that the address works, which is a page for people",
  },
  "conversation-api#2.1.9-viewer":
    "`viewer` is an object with the boolean `is_owner`, and is present in a retrieved conversation.",
  "conversation-api#2.1.10-quota-usage":
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the time `reset_time` in UTC, and is present in a retrieved conversation.",
  "conversation-api#2.2.1-id": "`id` is an integer that identifies the question.",
  "conversation-api#2.2.2-conversation-id": "`conversation_id` is an integer, the id of the question's conversation.",
  "conversation-api#2.2.3-question": "`question` is a string, the text that was asked.",
  "conversation-api#2.2.4-created-at": "`created_at` of a question is a string, an ISO 8601 time in UTC.",
  "conversation-api#2.2.5-updated-at": "`updated_at` of a question is a string, an ISO 8601 time in UTC.",
  "conversation-api#2.2.6-status": "`status` is a string: pending, processing or completed.",
  "conversation-api#2.2.7-title": "`title` is a string from the service; it is present once the question is completed.",
  "conversation-api#2.2.8-answer": "`answer` is a string of markdown; it is present once the question is completed.",
  "conversation-api#2.2.9-sources": "`sources` is an array of sources; it is present once the question is completed.",
  "conversation-api#2.2.10-turns": "`turns` is an array of turns; it is present in a new question.",
  "conversation-api#2.2.11-stats": "`stats` is an object of counts.",
  "conversation-api#2.2.12-suggested-followups":
    "`suggested_followups` is an array of strings, or null while the question is processing.",
  "conversation-api#2.2.13-error": "`error` is an object that is present if processing failed.",
  "conversation-api#2.2.14-source-type": "The `type` of a source is a string, such as Repository.",
  "conversation-api#2.2.15-source-link":
    "The `link` of a source is a string, a path below the address of the instance.",
  "conversation-api#2.2.16-source-label": "The `label` of a source is a string.",
  "conversation-api#2.2.17-turn-reasoning": "The `reasoning` of a turn is a string.",
  "conversation-api#2.2.18-turn-timestamp": "The `timestamp` of a turn is an integer, Unix time in seconds.",
  "conversation-api#2.2.19-turn-role":
    "The `role` of a turn is a string, which is user for the question that was submitted.",
  "conversation-api#2.3.1-counts": "Every member of the stats is an integer that is not negative.",
  "conversation-api#2.3.2-zero-while-processing":
    "As long as the question is processing, every member of the stats is 0.",
  "conversation-api#2.3.3-members":
    "The stats count the time in `time_millis`, calls of tools in `tool_calls`, tokens in `total_input_tokens`, `cached_tokens`, `cache_creation_input_tokens`, `prompt_tokens`, `completion_tokens` and `total_tokens`, and `credits`.",

  // Section 2.4: the objects of the current interface.
  "conversation-api#2.4.1-names-replace-ids":
    "The new interface identifies objects by resource names instead of numbers.",
  "conversation-api#2.4.2-form-of-names":
    "The name of a conversation consists of users, the user, conversations and an id, separated by slashes.",
  "conversation-api#2.4.3-self": "The literal `users/~self` means the authenticated user.",
  "conversation-api#2.4.4-self-as-parent": "A request that needs a parent sends that literal.",
  "conversation-api#2.4.5-name-for-id": "A conversation has the string `name` instead of `id`.",
  "conversation-api#2.4.6-state-for-status": "`state` replaces `status`.",
  "conversation-api#2.4.7-state-is-a-oneof": "`state` is an object with one member, whose key is the state.",
  "conversation-api#2.4.8-answer": "The `answer` of a question is unchanged.",
  "conversation-api#2.4.9-shape-of-create":
    "The text of a new question is nested in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
  "conversation-api#2.4.10-full-schemas": "The messages of the new interface are not specified in full.",

  // Sections 3.1 and 3.2: the states of questions and conversations.
  "conversation-api#3.1.1-values": "A question has one of exactly three statuses.",
  "conversation-api#3.1.2-begins-processing": "An accepted question, first or further, is processing.",
  "conversation-api#3.1.3-begins-empty": "It begins with all stats 0, no answer and null as suggested follow-ups.",
  "conversation-api#3.1.4-success-completes": "When the work succeeds, the question goes from processing to completed.",
  "conversation-api#3.1.5-success-fills":
    "Then title, answer, sources, stats and suggested follow-ups get their values.",
  "conversation-api#3.1.6-failure-completes":
    "When the work fails for any reason, the question also goes from processing to completed.",
  "conversation-api#3.1.7-failure-fills-error": "Then the error gets its value; failures have no status of their own.",
  "conversation-api#3.1.8-pending": "How a question becomes pending is not specified.",
  "conversation-api#3.1.9-after-cancellation": "The final status of a cancelled question is not specified.",
  "conversation-api#3.2.1-values": "The state is processing, completed, error or canceled.",
  "conversation-api#3.2.2-terminal-values": "All of these except processing are terminal.",
  "conversation-api#3.2.3-begins-processing":
    "A conversation is processing after an accepted creation or further question.",
  "conversation-api#3.2.4-success-completes":
    "When the work succeeds, the conversation goes from processing to completed.",
  "conversation-api#3.2.5-success-brings-answer": "Then the answer is present.",
  "conversation-api#3.2.6-failure-is-error": "When the work fails, the conversation goes from processing to error.",
  "conversation-api#3.2.7-error-members": {
    text: "Then the error has a code, a message and a retry time.",
    partly: "that the retry time is always present, because not every failure has one",
  },
  "conversation-api#3.2.8-polled-until-terminal": {
    text: "The caller calls GetConversation until the state is terminal.",
    partly: "how many calls that takes",
  },

  // Section 4.1: the operations of the legacy interface.
  "conversation-api#4.1.1-base-path": "All paths are below `/.api/deepsearch/v1`.",
  "conversation-api#4.1.2-requests-are-json": "The body of a request is JSON, and its `Content-Type` says so.",
  "conversation-api#4.1.3-responses-are-json": {
    text: "The response is JSON, as `Accept` requests.",
    partly: "responses to cancelling and deleting, and refusals, whose bodies are not specified",
  },
  "conversation-api#4.1.4-create":
    "A POST of an object with the string `question` to the base path creates a conversation.",
  "conversation-api#4.1.5-create-response":
    "The response is the conversation with its first question, which is processing.",
  "conversation-api#4.1.6-get": "A GET with the integer id in the path returns the conversation as an object.",
  "conversation-api#4.1.7-list": {
    text: "A GET of the base path with parameters in the query lists conversations.",
    partly: "the envelope of the list",
  },
  "conversation-api#4.1.8-follow-up":
    "A POST of `conversation_id` and `question` to the questions of the conversation asks a further question.",
  "conversation-api#4.1.9-follow-up-ids-match":
    "The `conversation_id` of a further question must be the id in its path.",
  "conversation-api#4.1.10-follow-up-response": {
    text: "The response to a further question is the conversation.",
    partly: "responses with only the new question, which some releases send and which are accepted",
  },
  "conversation-api#4.1.11-cancel": {
    text: "A POST without a body to the path of a question followed by `cancel` cancels it, only while it is processing.",
    partly: "the effect on a question that is not processing",
  },
  "conversation-api#4.1.12-delete": "A DELETE of its path deletes a conversation.",
  "conversation-api#4.1.13-optional-parameters": "All parameters of a list are optional.",
  "conversation-api#4.1.14-filter-id": "`filter_id` limits a list to the conversation with that id.",
  "conversation-api#4.1.15-filter-user-id": "`filter_user_id` limits a list to the conversations of that user.",
  "conversation-api#4.1.16-filter-read-token": "`filter_read_token` returns a conversation by its read token.",
  "conversation-api#4.1.17-sharing-for-others":
    "With that parameter, conversations of others can be read only if the instance has sharing turned on.",
  "conversation-api#4.1.18-filter-is-starred": {
    text: "`filter_is_starred` is `true` or `false`.",
    partly:
      "that the right conversations count as starred, because no operation stars one; `false` is tested if the user of the run has starred one",
  },
  "conversation-api#4.1.19-page-first": "`page_first` is the number of results in a page.",
  "conversation-api#4.1.20-page-after": "`page_after` is a cursor that leads from page to page.",
  "conversation-api#4.1.21-sort": "`sort` orders by id, creation or update, ascending or, with a minus, descending.",
  "conversation-api#4.1.22-default-sort": "Without `sort` a list is ordered by update, descending.",

  // Section 4.2: the operations of the current interface, and the parts of both interfaces that are not shown.
  "conversation-api#4.2.1-post-below-service": "Every operation is a POST below `/api/deepsearch.v1.Service/`.",
  "conversation-api#4.2.2-create": "CreateConversation replaces the creation of the old interface.",
  "conversation-api#4.2.3-get": "GetConversation replaces the read of the old interface.",
  "conversation-api#4.2.4-list": "ListConversationSummaries replaces the list of the old interface.",
  "conversation-api#4.2.5-follow-up": "AddConversationQuestion replaces the further question of the old interface.",
  "conversation-api#4.2.6-cancel": "CancelConversation replaces the cancellation of a question.",
  "conversation-api#4.2.7-delete": "DeleteConversation replaces the deletion of the old interface.",
  "conversation-api#4.2.8-create-request": "A creation has the text of its question in that nested place.",
  "conversation-api#4.2.9-parent": "A request that needs a parent names `users/~self`.",
  "conversation-api#4.2.10-get-messages": "Request and response of GetConversation are not shown.",
  "conversation-api#4.2.11-list-messages": "Request and response of ListConversationSummaries are not shown.",
  "conversation-api#4.2.12-follow-up-messages": "Request and response of AddConversationQuestion are not shown.",
  "conversation-api#4.2.13-cancel-messages": "Request and response of CancelConversation are not shown.",
  "conversation-api#4.2.14-delete-messages": "Request and response of DeleteConversation are not shown.",
  "conversation-api#4.2.15-legacy-delete-body": "The response body of a deletion in the old interface is not shown.",
  "conversation-api#4.2.16-legacy-cancel-body":
    "The response body of a cancellation in the old interface is not shown.",

  // Section 5: credentials, first of the legacy interface, then of the current one.
  "conversation-api#5.1-legacy-authorization":
    "Every request of the old interface has an access token in `Authorization`, after the word `token`.",
  "conversation-api#5.2-legacy-token": {
    text: "Users create that token in their settings.",
    partly: "how tokens are created, which happens before a run",
  },
  "conversation-api#5.3-any-access-token": "Every access token is accepted.",
  "conversation-api#5.4-x-requested-with": {
    text: "Every request of the old interface has `X-Requested-With`.",
    notObservable: "it says what callers send, not that a request without it is refused",
  },
  "conversation-api#5.5-x-requested-with-shape": {
    text: "That header has the name of the client and, after a space, its version.",
    notObservable: "it says what callers send, not that a request with another value is refused",
  },
  "conversation-api#5.6-other-users":
    "Conversations of another user can be read only by their read token and only while sharing is turned on.",
  "conversation-api#5.7-scope": "A token for the new interface has the scope externalapi:read or externalapi:write.",
  "conversation-api#5.8-no-x-requested-with": "The new interface does not need `X-Requested-With`.",
  "conversation-api#5.9-authorization-form": "The form of `Authorization` in the new interface is not specified.",

  // Sections 6 and 7: completion and errors.
  "conversation-api#6.1-completion-by-polling":
    "The caller learns by calling GetConversation that the work is finished.",
  "conversation-api#6.2-push": "Whether the service reports on its own that the work is finished is not specified.",
  "conversation-api#7.1-status-200": "Status 200 means success.",
  "conversation-api#7.2-status-202": "Status 202 means that a request was accepted and the work continues.",
  "conversation-api#7.3-status-400": "Status 400 means that the request was bad.",
  "conversation-api#7.4-status-401": "Status 401 means that the caller is not authorized.",
  "conversation-api#7.5-status-404": "Status 404 means not found.",
  "conversation-api#7.6-status-500": {
    text: "Status 500 means that the server failed.",
    notObservable: "no request causes it on purpose, and a run that gets it cannot judge the response",
  },
  "conversation-api#7.7-message": "An error response has a message that describes the error.",
  "conversation-api#7.8-error-body": "The form of the body of an error response is not specified.",
  "conversation-api#7.9-failed-question": "A failed question of the old interface is completed and has an `error`.",
  "conversation-api#7.10-error-members": "That error has four strings: `title`, `kind`, `message` and `details`.",
  "conversation-api#7.11-error-kind": "One `kind` is TokenLimitExceeded.",
  "conversation-api#7.12-other-kinds": "Other kinds of error are not specified.",
  "conversation-api#7.13-error-state":
    "In the new interface a failure is the state `error`, whose value has a code, a message and a retry time.",
  "conversation-api#7.14-internal": "ERROR_INTERNAL is a code.",
  "conversation-api#7.15-quota-exceeded": "ERROR_QUOTA_EXCEEDED is a code.",
  "conversation-api#7.16-entitlement-exceeded": "ERROR_ENTITLEMENT_EXCEEDED is a code.",
  "conversation-api#7.17-token-limit-exceeded": "ERROR_TOKEN_LIMIT_EXCEEDED is a code.",
  "conversation-api#7.18-message-is-text": "The `message` of that state is a string.",
  "conversation-api#7.19-retry-time": {
    text: "The `retry_time` of that state is a time.",
    partly: "that a retry is possible from then on",
  },

  // Sections 8 and 9: limits and versions.
  "conversation-api#8.1-token-limit": {
    text: "A search that needs too many tokens ends with the token limit error.",
    partly: "that a search that is too large has exactly this error, because no number of tokens is specified",
  },
  "conversation-api#8.2-quota": {
    text: "A user who exceeds the quota gets the quota error.",
    partly: "users whose quota is used up, unless the operator provides one",
  },
  "conversation-api#8.3-entitlement": {
    text: "A user who exceeds the entitlement gets the entitlement error.",
    partly: "users whose entitlement is used up, unless the operator provides one",
  },
  "conversation-api#8.4-quota-usage": {
    text: "`quota_usage` of a retrieved conversation has the usage, the limit and the time of the reset.",
    partly: "that the numbers are right",
  },
  "conversation-api#8.5-rate-limits": "The rate limit of conversations is not specified.",
  "conversation-api#8.6-page-size": "The maximum size of a list page is not specified.",
  "conversation-api#8.7-quota-limit": "The meaning of the values of `quota_limit` is not specified.",
  "conversation-api#9.1-legacy-version": "The old interface is version `v1`, as its path says.",
  "conversation-api#9.2-deprecated": {
    text: "The old interface is deprecated since release 7.0.",
    notObservable: "it is about the plans of the vendor; no response needs to mention it",
  },
  "conversation-api#9.3-remains-available": "The old interface continues to work.",
  "conversation-api#9.4-current-version":
    "The new interface has its version in the package `deepsearch.v1`, below `/api/`.",
  "conversation-api#9.5-interactive-reference": {
    text: "`/api-reference` serves a page on which people can try the interface.",
    notObservable: "it is a page for people; a run only takes the address of the schema from it",
  },
  "conversation-api#9.6-openapi-schema": {
    text: "An OpenAPI schema can be downloaded there.",
    partly: "a schema that needs a sign-in or scripts; if none is found, the schema of this project is used",
  },
  "conversation-api#9.7-base-url": "A client that migrates changes the base address.",
  "conversation-api#9.8-token-scope": "A client that migrates needs a token with other scopes.",
  "conversation-api#9.9-ids-become-names": "A client that migrates uses resource names instead of numbers.",
  "conversation-api#9.10-requests-are-nested": "A client that migrates nests the flat request.",
  "conversation-api#9.11-status-becomes-state":
    "A client that migrates finds the status string as the only key of the state.",
  "conversation-api#9.12-error-becomes-state":
    "A question that is completed with an error in the old interface is in the state error in the new one.",
  "conversation-api#9.13-removal-date": "The removal date of the old interface is not specified.",
} as const satisfies RequirementRows;
