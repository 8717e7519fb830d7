import { judgedBy, leftOpen, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const legacy: readonly Sentence[] = [
  sentence(
    "conversation-api#3.1.1-values",
    "A question is in one of three statuses, and there are no others.",
    judgedBy("legacy/status-is-listed"),
  ),
  sentence(
    "conversation-api#3.1.2-begins-processing",
    "A question that was accepted, first or further, is processing.",
    judgedBy("legacy/created-in-progress"),
  ),
  sentence(
    "conversation-api#3.1.3-begins-empty",
    "It begins with stats of 0, without an answer and with null for suggested follow-ups.",
    judgedBy(
      "legacy/stats-are-zero-while-processing",
      "legacy/no-answer-while-processing",
      "legacy/followups-null-while-processing",
    ),
  ),
  sentence(
    "conversation-api#3.1.4-success-completes",
    "When the work succeeds, the question goes from processing to completed.",
    judgedBy("legacy/status-transitions-are-listed", "legacy/reads-are-current"),
  ),
  sentence(
    "conversation-api#3.1.5-success-fills",
    "With that, title, answer, sources, stats and suggested follow-ups get their values.",
    judgedBy("legacy/completed-question-is-filled", "legacy/finished-answer-is-stable"),
  ),
  sentence(
    "conversation-api#3.1.6-failure-completes",
    "When the work fails, for whatever reason, the question goes from processing to completed as well.",
    judgedBy("legacy/status-transitions-are-listed", "legacy/failed-question-is-completed"),
  ),
  sentence(
    "conversation-api#3.1.7-failure-fills-error",
    "With that, the error gets its value, as no status of its own exists for failures.",
    judgedBy("legacy/failed-question-is-completed", "legacy/error-fits-schema", "legacy/status-is-listed"),
  ),
  sentence(
    "conversation-api#3.1.8-pending",
    "How a question comes to be pending is not given.",
    leftOpen("legacy/pending-status"),
  ),
  sentence(
    "conversation-api#3.1.9-after-cancellation",
    "In which status a cancelled question ends is not given.",
    leftOpen("legacy/status-after-cancel"),
  ),
];

const current: readonly Sentence[] = [
  sentence(
    "conversation-api#3.2.1-values",
    "The state is processing, completed, error or canceled.",
    judgedBy("current/state-is-listed"),
  ),
  sentence(
    "conversation-api#3.2.2-terminal-values",
    "All of these are terminal but processing.",
    judgedBy("current/state-transitions-are-listed", "current/finished-answer-is-stable"),
  ),
  sentence(
    "conversation-api#3.2.3-begins-processing",
    "A conversation is processing after a creation or a further question that was accepted.",
    judgedBy("current/created-in-progress"),
  ),
  sentence(
    "conversation-api#3.2.4-success-completes",
    "When the work succeeds, the conversation goes from processing to completed.",
    judgedBy("current/state-transitions-are-listed", "current/reads-are-current"),
  ),
  sentence(
    "conversation-api#3.2.5-success-brings-answer",
    "With that, the answer is there.",
    judgedBy("current/completed-has-an-answer", "current/no-answer-while-processing"),
  ),
  sentence(
    "conversation-api#3.2.6-failure-is-error",
    "When the work fails, the conversation goes from processing to error.",
    judgedBy("current/state-transitions-are-listed"),
  ),
  sentence(
    "conversation-api#3.2.7-error-members",
    "With that, the error brings a code, a message and a time to retry.",
    partlyJudgedBy(
      "that the time to retry is always there, as not every failure has one",
      "current/error-has-its-members",
      "current/retry-time-is-a-timestamp",
    ),
  ),
  sentence(
    "conversation-api#3.2.8-polled-until-terminal",
    "GetConversation is called until the state is a terminal one.",
    partlyJudgedBy("how many calls that takes", "current/get-returns-the-conversation", "current/reads-are-current"),
  ),
];

/** Sections 3.1 and 3.2: how questions and conversations move on. */
export const conversationStates: readonly Sentence[] = [...legacy, ...current];
