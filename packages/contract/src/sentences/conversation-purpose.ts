import { judgedBy, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const service: readonly Sentence[] = [
  sentence(
    "conversation-api#1.1-questions-about-code",
    "Questions in plain language about code are answered by an agent that searches.",
    partlyJudgedBy(
      "that the answer is right, and that an agent found it",
      "legacy/completed-question-is-filled",
      "current/completed-has-an-answer",
    ),
  ),
  sentence(
    "conversation-api#1.2-answer-is-markdown",
    "An answer is text in markdown.",
    partlyJudgedBy(
      "that the text is markdown, which any text is",
      "legacy/question-fits-schema",
      "current/answer-is-unchanged",
    ),
  ),
  sentence(
    "conversation-api#1.3-answer-has-sources",
    "An answer comes with a list of sources.",
    partlyJudgedBy(
      "sources in the current interface, whose messages do not show any",
      "legacy/completed-question-is-filled",
      "legacy/source-fits-schema",
    ),
  ),
  sentence(
    "conversation-api#1.4-ordered-questions",
    "A conversation is a list of questions in an order.",
    judgedBy(
      "legacy/conversation-fits-schema",
      "legacy/questions-keep-their-order",
      "current/conversation-fits-schema",
      "current/questions-keep-their-order",
      "migration/questions-agree",
    ),
  ),
  sentence(
    "conversation-api#1.5-first-question-creates",
    "Asking a first question makes the conversation.",
    judgedBy(
      "legacy/create-is-accepted",
      "legacy/question-text-is-kept",
      "current/create-is-accepted",
      "current/question-text-is-kept",
    ),
  ),
  sentence(
    "conversation-api#1.6-follow-ups-are-added",
    "Further questions go into a conversation that exists.",
    judgedBy(
      "legacy/follow-up-is-accepted",
      "legacy/questions-keep-their-order",
      "current/follow-up-is-accepted",
      "current/questions-keep-their-order",
    ),
  ),
];

const processing: readonly Sentence[] = [
  sentence(
    "conversation-api#1.7-asynchronous",
    "The work on a question is not waited for by the request that asks it.",
    judgedBy("legacy/created-in-progress", "current/created-in-progress"),
  ),
  sentence(
    "conversation-api#1.8-returns-at-once",
    "A new conversation or question is answered at once, while the question is in progress.",
    partlyJudgedBy(
      "how soon that has to be, for which no time is promised",
      "legacy/created-in-progress",
      "current/created-in-progress",
    ),
  ),
  sentence(
    "conversation-api#1.9-polled-until-terminal",
    "The caller asks for the conversation again and again until the question has come to a terminal state.",
    partlyJudgedBy(
      "how long that takes, for which no time is promised",
      "legacy/get-returns-the-conversation",
      "legacy/reads-are-current",
      "legacy/finished-answer-is-stable",
      "current/get-returns-the-conversation",
      "current/reads-are-current",
      "current/finished-answer-is-stable",
    ),
  ),
];

const uses: readonly Sentence[] = [
  sentence(
    "conversation-api#1.10-can-be-listed",
    "Conversations can be listed.",
    judgedBy("legacy/list-parameters-are-accepted", "current/list-is-accepted"),
  ),
  sentence(
    "conversation-api#1.11-can-be-fetched",
    "A conversation can be fetched.",
    judgedBy("legacy/get-returns-the-conversation", "current/get-returns-the-conversation"),
  ),
  sentence(
    "conversation-api#1.12-can-be-deleted",
    "A conversation can be deleted.",
    judgedBy("legacy/delete-is-accepted", "current/delete-is-accepted"),
  ),
  sentence(
    "conversation-api#1.13-can-be-shared",
    "A conversation can be shared.",
    partlyJudgedBy(
      "sharing through the address itself, which is a page for people",
      "legacy/shared-conversation-is-readable",
      "legacy/share-url-holds-read-token",
    ),
  ),
  sentence(
    "conversation-api#1.14-can-be-cancelled",
    "What is still in progress can be cancelled.",
    judgedBy("legacy/cancel-is-accepted", "current/cancel-is-accepted"),
  ),
  sentence(
    "conversation-api#1.15-legacy-remains",
    "The old interface is deprecated and can still be used.",
    partlyJudgedBy("for how much longer", "legacy/create-is-accepted", "legacy/get-returns-the-conversation"),
  ),
  sentence(
    "conversation-api#1.16-new-is-supported",
    "It is the new interface that the vendor looks after.",
    notObservable("it tells what the vendor does; that the interface answers is said in section 4.2"),
  ),
];

/** Section 1: what conversations are for. */
export const conversationPurpose: readonly Sentence[] = [...service, ...processing, ...uses];
