import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { progressBefore, shownProgress } from "../engine/progress.ts";
import { seenLagMicros } from "../engine/stale-reads.ts";
import { defineWitnessedRule } from "../engine/witness.ts";

/** So many cancellations have to be without any effect before that is told: one may always come too late. */
const severalTries = 3;

/**
 * Where a cancellation leads to is not documented; that it leads nowhere, try after try, is hardly meant. A try counts where
 * a read that was asked for after it still shows the question processing, and a later one how it ended. Source:
 * conversation-api, sections 1, 4.1 and 4.2.
 */
export const cancelHasEffect = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/cancel-has-effect`,
    check(evidence, witness) {
      const tries = evidence.calls.flatMap((call) => {
        const isTry = call.interface === name && call.operation === "cancel" && call.answer.kind === "success";
        const own = isTry ? ownConversation(evidence, call) : undefined;
        const isLate = own !== undefined && progressBefore(own, call) === "finished";
        const end = own === undefined || isLate ? undefined : endAfter(evidence, own, call);
        return end === undefined ? [] : [{ call, isEffective: end === "other" }];
      });
      const [last] = tries.slice(-1);
      const effective = tries.find(({ isEffective }) => isEffective);
      if (effective !== undefined) {
        witness.holds(effective.call);
      } else if (last !== undefined && tries.length >= severalTries) {
        const message = `each of ${tries.length} questions that were cancelled while they were processing was answered as if nothing had happened`;
        witness.breaks(last.call, message);
      }
    },
  }),
);

/**
 * How a conversation ended that was cancelled: with an answer, or otherwise; nothing where that is not certain. Where reads lag,
 * only one that is sent later than they were seen to lag shows that it was still processing.
 */
function endAfter(
  evidence: ConversationEvidence,
  own: OwnConversation,
  cancellation: ConversationCall,
): "answer" | "other" | undefined {
  const { questionId } = cancellation.asked;
  const { sentAtMicros, endedAtMicros } = cancellation.record.times;
  // What is shown once a further question was asked may be said of that one.
  const next = own.calls.find((call) => call.operation === "follow-up" && mayHaveHappened(call))?.record.times;
  const until = next?.sentAtMicros ?? Number.POSITIVE_INFINITY;
  const reads = own.calls.filter(
    (call) =>
      call.operation === "get" &&
      call.interface === cancellation.interface &&
      call.record.times.sentAtMicros >= endedAtMicros &&
      call.record.times.endedAtMicros <= until &&
      shownProgress(call, questionId) !== undefined,
  );
  const last = reads.at(-1);
  if (until <= sentAtMicros || last === undefined || shownProgress(last, questionId) !== "finished") {
    return undefined;
  }
  if (!isAnswered(last)) {
    return "other";
  }
  const wasProcessing = (read: ConversationCall): boolean =>
    shownProgress(read, questionId) === "processing" &&
    read.record.times.sentAtMicros >= endedAtMicros + seenLagMicros(evidence, read);
  return reads.some(wasProcessing) ? "answer" : undefined;
}

/** Whether the last question ended as one does that nobody cancelled. */
function isAnswered(call: ConversationCall): boolean {
  const view = conversationView(call);
  const last = view?.questions.at(-1);
  const state = call.interface === "legacy" ? last?.status : view?.state;
  return state === "completed" && last?.facts.has("answer") === true && !last.facts.has("error");
}
