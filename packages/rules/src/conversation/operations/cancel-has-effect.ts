import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { progressBefore, progressIn } from "../engine/progress.ts";
import { observedLagMicros } from "../engine/stale-reads.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/** Minimum number of ineffective cancellations before the rule fails. A single one may always be too late. */
const minAttempts = 3;

/**
 * The effect of a cancellation is unspecified, but repeated cancellations should not all be ineffective. A cancellation
 * is considered only if a later read still shows the question processing and an even later read shows how it ended.
 * Source: conversation-api, sections 1, 4.1 and 4.2.
 */
export const cancelHasEffect = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/cancel-has-effect`,
    check(evidence, reporter) {
      const attempts = evidence.calls.flatMap((call) => {
        const isAttempt =
          call.interface === interfaceName && call.operation === "cancel" && call.response.kind === "success";
        const conversation = isAttempt ? findOwnConversation(evidence, call) : undefined;
        const isLate = conversation !== undefined && progressBefore(conversation, call) === "finished";
        const end = conversation === undefined || isLate ? undefined : findEndAfter(evidence, conversation, call);
        return end === undefined ? [] : [{ call, isEffective: end === "other" }];
      });
      const [lastAttempt] = attempts.slice(-1);
      const effectiveAttempt = attempts.find(({ isEffective }) => isEffective);
      if (effectiveAttempt !== undefined) {
        reporter.passes(effectiveAttempt.call);
      } else if (lastAttempt !== undefined && attempts.length >= minAttempts) {
        const message = `each of ${attempts.length} questions that were cancelled while processing was completed normally`;
        reporter.fails(lastAttempt.call, message);
      }
    },
  }),
);

/**
 * Returns the end of a cancelled conversation: with an answer or otherwise. It returns undefined if it cannot be
 * determined. If reads lag, only a read after more than the observed lag proves that the question was still processing.
 */
function findEndAfter(
  evidence: ConversationEvidence,
  conversation: CreatedConversation,
  cancellation: ConversationCall,
): "answer" | "other" | undefined {
  const { questionId } = cancellation.request;
  const { sentAtMicros, endedAtMicros } = cancellation.record.times;
  // After a further question, reads may show that question instead.
  const followUpTimes = conversation.calls.find((call) => call.operation === "follow-up" && mayHaveTakenEffect(call))
    ?.record.times;
  const untilMicros = followUpTimes?.sentAtMicros ?? Number.POSITIVE_INFINITY;
  const reads = conversation.calls.filter(
    (call) =>
      call.operation === "get" &&
      call.interface === cancellation.interface &&
      call.record.times.sentAtMicros >= endedAtMicros &&
      call.record.times.endedAtMicros <= untilMicros &&
      progressIn(call, questionId) !== undefined,
  );
  const lastRead = reads.at(-1);
  if (untilMicros <= sentAtMicros || lastRead === undefined || progressIn(lastRead, questionId) !== "finished") {
    return undefined;
  }
  if (!isAnswered(lastRead)) {
    return "other";
  }
  const wasProcessing = (read: ConversationCall): boolean =>
    progressIn(read, questionId) === "processing" &&
    read.record.times.sentAtMicros >= endedAtMicros + observedLagMicros(evidence, read);
  return reads.some(wasProcessing) ? "answer" : undefined;
}

/** Reports whether the last question ended like one that was not cancelled. */
function isAnswered(call: ConversationCall): boolean {
  const view = conversationView(call);
  const lastQuestion = view?.questions.at(-1);
  const state = call.interface === "legacy" ? lastQuestion?.status : view?.state;
  return state === "completed" && lastQuestion?.facts.has("answer") === true && !lastQuestion.facts.has("error");
}
