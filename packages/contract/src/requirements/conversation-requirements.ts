import type { RequirementRows } from "./requirement-row.ts";

/**
 * Every statement of the document of the conversation API, in its order, each with what is done about it. Counted as in
 * the streaming document: a table row by row, and apart what is judged apart.
 */
export const conversationRequirements = {
  // Section 1: what conversations are for.
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
  "conversation-api#1.4-ordered-questions": "A conversation is a list of questions in an order.",
  "conversation-api#1.5-first-question-creates": "Asking a first question makes the conversation.",
  "conversation-api#1.6-follow-ups-are-added": "Further questions go into a conversation that exists.",
  "conversation-api#1.7-asynchronous": "The work on a question is not waited for by the request that asks it.",
  "conversation-api#1.8-returns-at-once": {
    text: "A new conversation or question is answered at once, while the question is in progress.",
    partly: "how soon that has to be, for which no time is promised",
  },
  "conversation-api#1.9-polled-until-terminal": {
    text: "The caller asks for the conversation again and again until the question has come to a terminal state.",
    partly: "how long that takes, for which no time is promised",
  },
  "conversation-api#1.10-can-be-listed": "Conversations can be listed.",
  "conversation-api#1.11-can-be-fetched": "A conversation can be fetched.",
  "conversation-api#1.12-can-be-deleted": "A conversation can be deleted.",
  "conversation-api#1.13-can-be-shared": {
    text: "A conversation can be shared.",
    partly: "sharing through the address itself, which is a page for people",
  },
  "conversation-api#1.14-can-be-cancelled": "What is still in progress can be cancelled.",
  "conversation-api#1.15-legacy-remains": {
    text: "The old interface is deprecated and can still be used.",
    partly: "for how much longer",
  },
  "conversation-api#1.16-new-is-supported": {
    text: "It is the new interface that the vendor looks after.",
    notObservable: "it tells what the vendor does; that the interface answers is said in section 4.2",
  },

  // Sections 2.1 to 2.3: the objects of the legacy interface.
  "conversation-api#2.1.1-id": "`id` is an integer that identifies the conversation.",
  "conversation-api#2.1.2-questions": "`questions` is an array of questions that has an order.",
  "conversation-api#2.1.3-created-at":
    "`created_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.1.4-updated-at":
    "`updated_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.1.5-user-id": {
    text: "`user_id` is an integer, the owner.",
    partly: "that the number is the owner's, which nothing else tells",
  },
  "conversation-api#2.1.6-read-token": "`read_token` is a string; anyone who has it can read the conversation.",
  "conversation-api#2.1.7-read-token-in-share-url": "The read token is also a part of `share_url`.",
  "conversation-api#2.1.8-share-url": {
    text: "`share_url` is a string, an address to share the conversation with.",
    partly: "that the address works, which is a page for people",
  },
  "conversation-api#2.1.9-viewer":
    "`viewer` is an object with the boolean `is_owner`, and is there when a conversation is retrieved.",
  "conversation-api#2.1.10-quota-usage":
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the point in time `reset_time` in UTC, and is there when a conversation is retrieved.",
  "conversation-api#2.2.1-id": "`id` is an integer that identifies the question.",
  "conversation-api#2.2.2-conversation-id": "`conversation_id` is an integer, the conversation around the question.",
  "conversation-api#2.2.3-question": "`question` is a string, the text that was asked.",
  "conversation-api#2.2.4-created-at": "`created_at` of a question is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.2.5-updated-at": "`updated_at` of a question is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.2.6-status": "`status` is a string: pending, processing or completed.",
  "conversation-api#2.2.7-title":
    "`title` is a string that the service makes; it is there once the question is completed.",
  "conversation-api#2.2.8-answer": "`answer` is a string of markdown; it is there when the question is completed.",
  "conversation-api#2.2.9-sources": "`sources` is an array of sources; it is there when the question is completed.",
  "conversation-api#2.2.10-turns": "`turns` is an array of turns; it is there on a new question.",
  "conversation-api#2.2.11-stats": "`stats` is an object of counts.",
  "conversation-api#2.2.12-suggested-followups":
    "`suggested_followups` is an array of strings, or null, as it is while the question is processing.",
  "conversation-api#2.2.13-error": "`error` is an object that is there when processing has failed.",
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
    "Where the old interface has numbers to identify things, the new one has resource names.",
  "conversation-api#2.4.2-form-of-names":
    "The name of a conversation is made of users, the user, conversations and an id, with slashes in between.",
  "conversation-api#2.4.3-self": "`users/~self`, taken literally, means the user who is authenticated.",
  "conversation-api#2.4.4-self-as-parent": "That word is what a request gives wherever it has to give a parent.",
  "conversation-api#2.4.5-name-for-id": "A conversation has the string `name` where it used to have `id`.",
  "conversation-api#2.4.6-state-for-status": "`state` is there where it used to be `status`.",
  "conversation-api#2.4.7-state-is-a-oneof": "`state` is an object of one member, whose key says the state.",
  "conversation-api#2.4.8-answer": "The `answer` of a question is as it was.",
  "conversation-api#2.4.9-shape-of-create":
    "The text of a new question stands deep in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
  "conversation-api#2.4.10-full-schemas": "The messages of the new interface are not given in full.",

  // Sections 3.1 and 3.2: how questions and conversations move on.
  "conversation-api#3.1.1-values": "A question is in one of three statuses, and there are no others.",
  "conversation-api#3.1.2-begins-processing": "A question that was accepted, first or further, is processing.",
  "conversation-api#3.1.3-begins-empty":
    "It begins with stats of 0, without an answer and with null for suggested follow-ups.",
  "conversation-api#3.1.4-success-completes": "When the work succeeds, the question goes from processing to completed.",
  "conversation-api#3.1.5-success-fills":
    "With that, title, answer, sources, stats and suggested follow-ups get their values.",
  "conversation-api#3.1.6-failure-completes":
    "When the work fails, for whatever reason, the question goes from processing to completed as well.",
  "conversation-api#3.1.7-failure-fills-error":
    "With that, the error gets its value, as no status of its own exists for failures.",
  "conversation-api#3.1.8-pending": "How a question comes to be pending is not given.",
  "conversation-api#3.1.9-after-cancellation": "In which status a cancelled question ends is not given.",
  "conversation-api#3.2.1-values": "The state is processing, completed, error or canceled.",
  "conversation-api#3.2.2-terminal-values": "All of these are terminal but processing.",
  "conversation-api#3.2.3-begins-processing":
    "A conversation is processing after a creation or a further question that was accepted.",
  "conversation-api#3.2.4-success-completes":
    "When the work succeeds, the conversation goes from processing to completed.",
  "conversation-api#3.2.5-success-brings-answer": "With that, the answer is there.",
  "conversation-api#3.2.6-failure-is-error": "When the work fails, the conversation goes from processing to error.",
  "conversation-api#3.2.7-error-members": {
    text: "With that, the error brings a code, a message and a time to retry.",
    partly: "that the time to retry is always there, as not every failure has one",
  },
  "conversation-api#3.2.8-polled-until-terminal": {
    text: "GetConversation is called until the state is a terminal one.",
    partly: "how many calls that takes",
  },

  // Section 4.1: the operations of the legacy interface.
  "conversation-api#4.1.1-base-path": "Everything stands below `/.api/deepsearch/v1`.",
  "conversation-api#4.1.2-requests-are-json": "What a request carries is JSON and says so in `Content-Type`.",
  "conversation-api#4.1.3-responses-are-json": {
    text: "What comes back is JSON, as is asked for in `Accept`.",
    partly: "answers to cancelling and deleting, and refusals, whose bodies are not given",
  },
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

  // Section 4.2: the operations of the current interface, and what is not shown of both.
  "conversation-api#4.2.1-post-below-service": "Every operation is a POST below `/api/deepsearch.v1.Service/`.",
  "conversation-api#4.2.2-create": "CreateConversation takes the place of creating.",
  "conversation-api#4.2.3-get": "GetConversation takes the place of getting.",
  "conversation-api#4.2.4-list": "ListConversationSummaries takes the place of listing.",
  "conversation-api#4.2.5-follow-up": "AddConversationQuestion takes the place of asking a further question.",
  "conversation-api#4.2.6-cancel": "CancelConversation takes the place of cancelling a question.",
  "conversation-api#4.2.7-delete": "DeleteConversation takes the place of deleting.",
  "conversation-api#4.2.8-create-request": "A creation carries the text of its question in that nested place.",
  "conversation-api#4.2.9-parent": "A request that has to name a parent names `users/~self`.",
  "conversation-api#4.2.10-get-messages": "What GetConversation takes and gives is not shown.",
  "conversation-api#4.2.11-list-messages": "What ListConversationSummaries takes and gives is not shown.",
  "conversation-api#4.2.12-follow-up-messages": "What AddConversationQuestion takes and gives is not shown.",
  "conversation-api#4.2.13-cancel-messages": "What CancelConversation takes and gives is not shown.",
  "conversation-api#4.2.14-delete-messages": "What DeleteConversation takes and gives is not shown.",
  "conversation-api#4.2.15-legacy-delete-body": "With which body the old interface answers a deletion is not shown.",
  "conversation-api#4.2.16-legacy-cancel-body":
    "With which body the old interface answers a cancellation is not shown.",

  // Section 5: credentials, first of the legacy interface, then of the current one.
  "conversation-api#5.1-legacy-authorization":
    "Every request of the old interface has an access token in `Authorization`, after the word `token`.",
  "conversation-api#5.2-legacy-token": {
    text: "That token is one which users make in their settings.",
    partly: "how tokens are made, which is done before a run",
  },
  "conversation-api#5.3-any-access-token": "Every access token will do.",
  "conversation-api#5.4-x-requested-with": {
    text: "Every request of the old interface has `X-Requested-With`.",
    notObservable: "it tells what callers send; that a request without it is refused is not said",
  },
  "conversation-api#5.5-x-requested-with-shape": {
    text: "That header holds the name of the client and, after a space, its version.",
    notObservable: "it tells what callers send; that a request with another value is refused is not said",
  },
  "conversation-api#5.6-other-users":
    "What another user asked can be read by its read token and only while sharing is turned on.",
  "conversation-api#5.7-scope": "A token for the new interface has the scope externalapi:read or externalapi:write.",
  "conversation-api#5.8-no-x-requested-with": "The new interface does without `X-Requested-With`.",
  "conversation-api#5.9-authorization-form": "How `Authorization` is written for the new interface is not given.",

  // Sections 6 and 7: how completion is learnt, and errors.
  "conversation-api#6.1-completion-by-polling": "That the work is over is learnt by calling GetConversation.",
  "conversation-api#6.2-push": "Whether the service tells by itself that the work is over is not given.",
  "conversation-api#7.1-status-200": "Status 200 means success.",
  "conversation-api#7.2-status-202": "Status 202 means that a request was accepted whose work goes on.",
  "conversation-api#7.3-status-400": "Status 400 means that the request was bad.",
  "conversation-api#7.4-status-401": "Status 401 means that the caller is not authorized.",
  "conversation-api#7.5-status-404": "Status 404 means that there is no such thing.",
  "conversation-api#7.6-status-500": {
    text: "Status 500 means that the server failed.",
    notObservable: "nothing a caller sends brings it about, and a run that meets it cannot judge what it came for",
  },
  "conversation-api#7.7-message": "An error response says in words what is wrong.",
  "conversation-api#7.8-error-body": "How the body of an error response is built is not given.",
  "conversation-api#7.9-failed-question":
    "A question of the old interface whose processing failed is completed and has an `error`.",
  "conversation-api#7.10-error-members": "That error has four strings: `title`, `kind`, `message` and `details`.",
  "conversation-api#7.11-error-kind": "A `kind` that exists is TokenLimitExceeded.",
  "conversation-api#7.12-other-kinds": "Which other kinds of error exist is not given.",
  "conversation-api#7.13-error-state":
    "In the new interface a failure is the state `error`, whose value has a code, a message and a time to retry.",
  "conversation-api#7.14-internal": "ERROR_INTERNAL is a code.",
  "conversation-api#7.15-quota-exceeded": "ERROR_QUOTA_EXCEEDED is a code.",
  "conversation-api#7.16-entitlement-exceeded": "ERROR_ENTITLEMENT_EXCEEDED is a code.",
  "conversation-api#7.17-token-limit-exceeded": "ERROR_TOKEN_LIMIT_EXCEEDED is a code.",
  "conversation-api#7.18-message-is-text": "The `message` of that state is a string.",
  "conversation-api#7.19-retry-time": {
    text: "The `retry_time` of that state is a point in time.",
    partly: "that the service can be asked again from then on",
  },

  // Sections 8 and 9: limits and versions.
  "conversation-api#8.1-token-limit": {
    text: "A search for which too many tokens are needed ends in the error for that.",
    partly: "that a search which is too large has this error and no other, as no number of tokens is named",
  },
  "conversation-api#8.2-quota": {
    text: "Who goes beyond the quota gets the error for that.",
    partly: "whose quota is used up, for which the operator has to name a user",
  },
  "conversation-api#8.3-entitlement": {
    text: "Who goes beyond the entitlement gets the error for that.",
    partly: "whose entitlement is used up, for which the operator has to name a user",
  },
  "conversation-api#8.4-quota-usage": {
    text: "A retrieved conversation tells in `quota_usage` how much is used, what the limit is and when it starts again.",
    partly: "that the numbers are right",
  },
  "conversation-api#8.5-rate-limits": "How many requests are permitted in which time is not given.",
  "conversation-api#8.6-page-size": "How large a page of a list can get is not given.",
  "conversation-api#8.7-quota-limit": "What the values of `quota_limit` mean is not given.",
  "conversation-api#9.1-legacy-version": "The old interface is version `v1`, as its path says.",
  "conversation-api#9.2-deprecated": {
    text: "The old interface counts as deprecated since release 7.0.",
    notObservable: "it tells about the plans of the vendor; no answer has to say it",
  },
  "conversation-api#9.3-remains-available": "The old interface goes on working all the same.",
  "conversation-api#9.4-current-version":
    "The new interface has its version in the package `deepsearch.v1`, below `/api/`.",
  "conversation-api#9.5-interactive-reference": {
    text: "A page for people to try the interface is served at `/api-reference`.",
    notObservable: "it is a page for people; a run takes from it nothing but the address of the schema",
  },
  "conversation-api#9.6-openapi-schema": {
    text: "An OpenAPI schema can be downloaded there.",
    partly:
      "that there is one behind a sign-in or behind scripts; where none is found, answers are held to the schema of this project",
  },
  "conversation-api#9.7-base-url": "Who moves to the new interface changes the base address.",
  "conversation-api#9.8-token-scope": "Who moves needs a token with other scopes.",
  "conversation-api#9.9-ids-become-names": "Who moves has resource names for the numbers.",
  "conversation-api#9.10-requests-are-nested": "Who moves writes the flat request as a nested one.",
  "conversation-api#9.11-status-becomes-state":
    "Who moves finds the string of the status as the only key of the state.",
  "conversation-api#9.12-error-becomes-state":
    "What the old interface shows as completed with an error, the new one shows as the state error.",
  "conversation-api#9.13-removal-date": "When the old interface will be removed is not given.",
} as const satisfies RequirementRows;
