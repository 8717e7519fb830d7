import type { SentenceRows } from "./sentence-row.ts";

const service = {
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
} as const satisfies SentenceRows;

const processing = {
  "conversation-api#1.7-asynchronous": "The work on a question is not waited for by the request that asks it.",
  "conversation-api#1.8-returns-at-once": {
    text: "A new conversation or question is answered at once, while the question is in progress.",
    partly: "how soon that has to be, for which no time is promised",
  },
  "conversation-api#1.9-polled-until-terminal": {
    text: "The caller asks for the conversation again and again until the question has come to a terminal state.",
    partly: "how long that takes, for which no time is promised",
  },
} as const satisfies SentenceRows;

const uses = {
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
} as const satisfies SentenceRows;

/** Section 1: what conversations are for. */
export const conversationPurpose = {
  ...service,
  ...processing,
  ...uses,
} as const satisfies SentenceRows;
