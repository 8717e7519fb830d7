import type { SentenceRows } from "./sentence-row.ts";

const legacy = {
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
} as const satisfies SentenceRows;

const current = {
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
} as const satisfies SentenceRows;

/** Sections 3.1 and 3.2: how questions and conversations move on. */
export const conversationStates = {
  ...legacy,
  ...current,
} as const satisfies SentenceRows;
