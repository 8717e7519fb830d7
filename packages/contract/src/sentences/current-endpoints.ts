import { judgedBy, leftOpen, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const operations: readonly Sentence[] = [
  sentence(
    "conversation-api#4.2.1-post-below-service",
    "Every operation is a POST below `/api/deepsearch.v1.Service/`.",
    judgedBy(
      "current/create-is-accepted",
      "current/get-returns-the-conversation",
      "current/list-is-accepted",
      "current/follow-up-is-accepted",
      "current/cancel-is-accepted",
      "current/delete-is-accepted",
    ),
  ),
  sentence(
    "conversation-api#4.2.2-create",
    "CreateConversation takes the place of creating.",
    judgedBy("current/create-is-accepted", "current/bad-request-is-refused", "current/responses-fit-openapi"),
  ),
  sentence(
    "conversation-api#4.2.3-get",
    "GetConversation takes the place of getting.",
    judgedBy(
      "current/get-returns-the-conversation",
      "current/unknown-name-is-refused",
      "current/created-at-is-stable",
      "current/updated-at-never-falls",
      "current/responses-fit-openapi",
      "migration/questions-agree",
      "migration/answers-agree",
    ),
  ),
  sentence(
    "conversation-api#4.2.4-list",
    "ListConversationSummaries takes the place of listing.",
    judgedBy("current/list-is-accepted", "current/pages-do-not-overlap", "current/responses-fit-openapi"),
  ),
  sentence(
    "conversation-api#4.2.5-follow-up",
    "AddConversationQuestion takes the place of asking a further question.",
    judgedBy("current/follow-up-is-accepted", "current/question-text-is-kept", "current/responses-fit-openapi"),
  ),
  sentence(
    "conversation-api#4.2.6-cancel",
    "CancelConversation takes the place of cancelling a question.",
    judgedBy("current/cancel-is-accepted"),
  ),
  sentence(
    "conversation-api#4.2.7-delete",
    "DeleteConversation takes the place of deleting.",
    judgedBy("current/delete-is-accepted"),
  ),
];

const messages: readonly Sentence[] = [
  sentence(
    "conversation-api#4.2.8-create-request",
    "A creation carries the text of its question in that nested place.",
    judgedBy("current/create-is-accepted", "current/question-text-is-kept", "current/bad-request-is-refused"),
  ),
  sentence(
    "conversation-api#4.2.9-parent",
    "A request that has to name a parent names `users/~self`.",
    judgedBy("current/list-is-accepted", "current/self-stands-for-the-user"),
  ),
  sentence(
    "conversation-api#4.2.10-get-messages",
    "What GetConversation takes and gives is not shown.",
    leftOpen("current/schemas"),
  ),
  sentence(
    "conversation-api#4.2.11-list-messages",
    "What ListConversationSummaries takes and gives is not shown.",
    leftOpen("current/list-body"),
  ),
  sentence(
    "conversation-api#4.2.12-follow-up-messages",
    "What AddConversationQuestion takes and gives is not shown.",
    leftOpen("current/follow-up-body"),
  ),
  sentence(
    "conversation-api#4.2.13-cancel-messages",
    "What CancelConversation takes and gives is not shown.",
    leftOpen("current/cancel-body"),
  ),
  sentence(
    "conversation-api#4.2.14-delete-messages",
    "What DeleteConversation takes and gives is not shown.",
    leftOpen("current/delete-body"),
  ),
  sentence(
    "conversation-api#4.2.15-legacy-delete-body",
    "With which body the old interface answers a deletion is not shown.",
    leftOpen("legacy/delete-body"),
  ),
  sentence(
    "conversation-api#4.2.16-legacy-cancel-body",
    "With which body the old interface answers a cancellation is not shown.",
    leftOpen("legacy/cancel-body"),
  ),
];

/** Section 4.2: the operations of the current interface, and what is not shown of both. */
export const currentEndpoints: readonly Sentence[] = [...operations, ...messages];
