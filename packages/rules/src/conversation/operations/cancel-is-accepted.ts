import { bodyForm } from "../engine/body-form.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { progressBefore, shownProgress } from "../engine/progress.ts";
import { isMissing, isRefusedByErrors, isUnauthorizedByMistake, judgeRefusal } from "../engine/refusal.ts";
import { seenLagMicros } from "../engine/stale-reads.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";

/**
 * What is processing can be cancelled. It may have ended before the request came: a refusal counts only where a later
 * answer still shows it processing. Source: conversation-api, sections 1, 4.1 and 4.2.
 */
export const cancelIsAccepted = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: `${name}/cancel-is-accepted`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        const isCancellation = call.interface === name && call.operation === "cancel";
        const own = isCancellation ? ownConversation(evidence, call) : undefined;
        if (own !== undefined) {
          judgeCancellation(evidence, witness, { call, own });
        }
      }
    },
  });

interface Cancelling {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

function judgeCancellation(evidence: ConversationEvidence, witness: Witness, { call, own }: Cancelling): void {
  const form = bodyForm(call);
  if (form !== undefined) {
    witness.notes(call, `${call.interface}/cancel-body`, `a cancellation was answered with ${form}`);
  }
  switch (progressBefore(own, call)) {
    case "processing":
      judgeInTime(evidence, witness, { call, own });
      return;
    case "finished":
      noteLate(witness, call);
      return;
    case undefined:
  }
}

function judgeInTime(evidence: ConversationEvidence, witness: Witness, { call, own }: Cancelling): void {
  if (isRefusedByErrors(evidence, call)) {
    judgeRefusal(evidence, witness, { call, what: "cancelling what was processing", subject: own.conversation });
  } else if (isMissing(call)) {
    witness.lacks(call, own.conversation);
  } else if (call.answer.kind === "success") {
    witness.holds(call, own.conversation);
  } else if (isUnauthorizedByMistake(evidence, call)) {
    judgeRefusal(evidence, witness, { call, what: "cancelling what was processing", subject: own.conversation });
  } else if (isStillProcessing(evidence, { call, own })) {
    const what = "cancelling what was processing, and still is in a later answer,";
    judgeRefusal(evidence, witness, { call, what, subject: own.conversation });
  }
}

/**
 * Whether an answer that was asked for after the cancellation shows it processing, and no follow-up is why. Where reads lag, only
 * one that is sent later than they were seen to lag shows it.
 */
function isStillProcessing(evidence: ConversationEvidence, { call, own }: Cancelling): boolean {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const followUp = own.calls.find(
    (other) =>
      other.operation === "follow-up" && mayHaveHappened(other) && other.record.times.endedAtMicros > sentAtMicros,
  );
  const until = followUp?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;
  return own.calls.some(
    (other) =>
      other.interface === call.interface &&
      other.operation === "get" &&
      other.record.times.sentAtMicros >= endedAtMicros + seenLagMicros(evidence, other) &&
      other.record.times.endedAtMicros <= until &&
      shownProgress(other, call.asked.questionId) === "processing",
  );
}

function noteLate(witness: Witness, call: ConversationCall): void {
  const { answer } = call;
  if (answer.kind === "success" || answer.kind === "refused") {
    const message = `cancelling what had ended was answered with ${answer.status}`;
    witness.notes(call, `${call.interface}/cancel-of-finished`, message);
  }
}
