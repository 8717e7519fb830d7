import { describeBody } from "../engine/describe-body.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { findCancelledQuestions, isCancelled } from "../engine/cancelled-questions.ts";
import type { CancelledQuestions } from "../engine/cancelled-questions.ts";
import { member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { reportBlocked } from "../engine/define-conversation-check.ts";
import { formatValue } from "../../engine/format-value.ts";

/**
 * The response to a follow-up is the conversation, not only the new question. It contains the earlier questions, except
 * cancelled ones, which are unspecified. The content of the questions has separate rules. Source: conversation-api,
 * sections 2.1, 3.1 and 4.1.
 */
export const followUpAnswersTheConversation = defineConversationRule({
  id: "legacy/follow-up-answers-the-conversation",
  check({ calls, conversationsOf }, reportFor) {
    const cancelledQuestions = findCancelledQuestions(conversationsOf);
    const followUps = calls.filter((call) => call.interface === "legacy" && call.operation === "follow-up");
    for (const call of followUps.filter(({ response }) => response.kind === "success")) {
      const report = reportFor(call.record.id);
      report.observation();
      const view = conversationView(call);
      const lostId =
        view === undefined
          ? undefined
          : findQuestionIdsBefore(calls, call, cancelledQuestions).find((id) => !hasQuestion(view, id));
      if (lostId !== undefined) {
        report.violation({
          message: `a follow-up returned a conversation that lacks question ${formatValue(lostId)}, which an earlier response showed`,
          code: "questions-left-out",
          pointer: `${view?.pointer ?? ""}/questions`,
        });
      }
      if (view === undefined) {
        report.violation({
          message: `a follow-up returned ${describeBody(call) ?? "nothing"} instead of the conversation`,
          code: questionView(call) === undefined ? "no-conversation" : "question-alone",
        });
      }
    }
    reportBlocked(followUps, reportFor);
  },
});

/**
 * Reports whether the conversation contains a question. The schema rules report conversations without `questions` and
 * questions without ids.
 */
const hasQuestion = ({ json, questions }: ConversationView, id: string): boolean =>
  !Array.isArray(member(json, "questions")) ||
  questions.some((question) => question.id === id || question.id === undefined);

/** Returns the ids of the questions that were read before the follow-up and not cancelled. */
const findQuestionIdsBefore = (
  calls: readonly ConversationCall[],
  { request, record }: ConversationCall,
  cancelledQuestions: CancelledQuestions,
): readonly string[] =>
  calls
    .filter((call) => call.interface === "legacy" && call.operation === "get")
    .filter((call) => call.record.times.endedAtMicros <= record.times.sentAtMicros)
    .flatMap((call) => conversationView(call) ?? [])
    .filter(({ id }) => id !== undefined && id === request.conversationId)
    .flatMap(({ id: conversation, questions }) =>
      questions
        .filter((question) => !isCancelled(question, conversation, cancelledQuestions))
        .flatMap(({ id }) => id ?? []),
    );
