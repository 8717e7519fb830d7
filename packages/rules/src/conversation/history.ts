import { withdrawnQuestions } from "./engine/cancelled-questions.ts";
import { shownValue } from "../engine/shown-value.ts";
import { eachQuestion } from "./engine/each-question.ts";
import { historyRule } from "./history/history-rule.ts";
import { checkAskedIds } from "./history/ids-are-stable.ts";
import { checkAskedTexts } from "./history/question-text-is-kept.ts";
import { checkCounts } from "./history/questions-were-asked.ts";
import { checkCreationsFirst } from "./history/update-follows-creation.ts";

/** Codes of a change that the state table does not have. */
const transitions = ["backward-transition", "unlisted-transition", "incomparable-ends"] as const;
/** Codes of questions that are not where they were. */
const order = ["question-lost", "question-reordered", "question-duplicated"] as const;

/** A status changes only as the state table permits. Source: conversation-api, section 3.1. */
export const legacyStatusTransitionsAreListed = historyRule({
  id: "legacy/status-transitions-are-listed",
  interface: "legacy",
  codes: transitions,
});

/** No read shows less than an earlier one did. Source: conversation-api, section 3.1. */
export const legacyReadsAreCurrent = historyRule({
  id: "legacy/reads-are-current",
  interface: "legacy",
  codes: ["stale-read"],
});

/** What is completed stays as it is. Source: conversation-api, sections 2.2 and 3.1. */
export const legacyFinishedAnswerIsStable = historyRule({
  id: "legacy/finished-answer-is-stable",
  interface: "legacy",
  codes: ["terminal-content-changed"],
});

/** A question keeps its id, and the answer to a call is about what was asked for. Source: conversation-api, sections 2.1 and 2.2. */
export const legacyIdsAreStable = historyRule({
  id: "legacy/ids-are-stable",
  interface: "legacy",
  codes: ["question-id-changed"],
  also: (evidence, reportFor) => checkAskedIds(evidence, "legacy", reportFor),
});

/** No question is lost, moved or shown twice. Source: conversation-api, section 2.1. */
export const legacyQuestionsKeepTheirOrder = historyRule({
  id: "legacy/questions-keep-their-order",
  interface: "legacy",
  codes: order,
  also(evidence, reportFor) {
    checkCounts(evidence, "legacy", reportFor);
    for (const { call, id } of withdrawnQuestions(evidence.threads)) {
      const message = `question ${id} is not shown any more after its cancellation`;
      reportFor(call.record.id).note({ code: "legacy/status-after-cancel", message });
    }
  },
});

/** A question reads as it was asked; one that was lost or moved is told of by the rule about order. Source: conversation-api, section 2.2. */
export const legacyQuestionTextIsKept = historyRule({
  id: "legacy/question-text-is-kept",
  interface: "legacy",
  codes: ["question-text-changed"],
  yieldsTo: order,
  also: (evidence, reportFor) => checkAskedTexts(evidence, "legacy", reportFor),
});

/** When something was created does not change. Source: conversation-api, sections 2.1 and 2.2. */
export const legacyCreatedAtIsStable = historyRule({
  id: "legacy/created-at-is-stable",
  interface: "legacy",
  codes: ["created-at-changed"],
});

/** The last change of something is never earlier than it was, nor than its creation. Source: conversation-api, sections 2.1 and 2.2. */
export const legacyUpdatedAtNeverFalls = historyRule({
  id: "legacy/updated-at-never-falls",
  interface: "legacy",
  codes: ["updated-at-fell"],
  also: (evidence, reportFor) => checkCreationsFirst(evidence, "legacy", reportFor),
});

/** A state changes only as the state table permits. Source: conversation-api, section 3.2. */
export const currentStateTransitionsAreListed = historyRule({
  id: "current/state-transitions-are-listed",
  interface: "current",
  codes: transitions,
});

/** No read shows less than an earlier one did. Source: conversation-api, section 3.2. */
export const currentReadsAreCurrent = historyRule({
  id: "current/reads-are-current",
  interface: "current",
  codes: ["stale-read"],
});

/** What has ended stays as it is. Source: conversation-api, sections 2.4 and 3.2. */
export const currentFinishedAnswerIsStable = historyRule({
  id: "current/finished-answer-is-stable",
  interface: "current",
  codes: ["terminal-content-changed"],
});

/** No question is lost, moved or shown twice. Source: conversation-api, section 2.4. */
export const currentQuestionsKeepTheirOrder = historyRule({
  id: "current/questions-keep-their-order",
  interface: "current",
  codes: order,
  also: (evidence, reportFor) => checkCounts(evidence, "current", reportFor),
});

/** A question reads as it was asked; one that was lost or moved is told of by the rule about order. Source: conversation-api, section 2.4. */
export const currentQuestionTextIsKept = historyRule({
  id: "current/question-text-is-kept",
  interface: "current",
  codes: ["question-text-changed"],
  yieldsTo: order,
  also: (evidence, reportFor) => checkAskedTexts(evidence, "current", reportFor),
});

/** When something was created does not change. Source: conversation-api, section 2.4. */
export const currentCreatedAtIsStable = historyRule({
  id: "current/created-at-is-stable",
  interface: "current",
  codes: ["created-at-changed"],
});

/** The last change of something is never earlier than it was, nor than its creation. Source: conversation-api, section 2.4. */
export const currentUpdatedAtNeverFalls = historyRule({
  id: "current/updated-at-never-falls",
  interface: "current",
  codes: ["updated-at-fell"],
  also: (evidence, reportFor) => checkCreationsFirst(evidence, "current", reportFor),
});

export { currentNameIsStable } from "./history/name-is-stable.ts";

/** `conversation_id` of a question is the id of the conversation around it, or of the one that was asked. Source: conversation-api, section 2.2. */
export const legacyQuestionBelongsToConversation = eachQuestion({
  id: "legacy/question-belongs-to-conversation",
  interface: "legacy",
  check({ question: { conversationId, pointer }, conversation, call }, report) {
    const id = conversation === undefined ? call.asked.conversation : conversation.id;
    if (id === undefined || conversationId === undefined) {
      return;
    }
    report.observation();
    if (conversationId !== id) {
      report.violation({
        message: `a question of conversation ${shownValue(id)} says it is in ${shownValue(conversationId)}`,
        pointer: `${pointer}/conversation_id`,
      });
    }
  },
});
