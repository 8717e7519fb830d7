import { headerOf } from "../../engine/header-of.ts";
import { bodyForm } from "../engine/body-form.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { isShownCancelled } from "../engine/ended-by-itself.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { progressBefore, shownProgress } from "../engine/progress.ts";
import { isMissing, isRefusedByErrors, isUnauthorizedByMistake, judgeRefusal } from "../engine/refusal.ts";
import { seenLagMicros } from "../engine/stale-reads.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";

/**
 * What is processing can be cancelled. It may have ended before the request came. So a refusal fails only if a later answer shows
 * the question processing or cancelled, or if its status is 404 although the question is there.
 * Source: conversation-api, sections 1, 4.1, 4.2 and 7.
 */
export const cancelIsAccepted = inBothInterfaces((name) =>
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
  }),
);

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
    if (!isSentAgain({ call, own })) {
      witness.lacks(call, own.conversation);
    }
  } else if (call.answer.kind === "success") {
    witness.holds(call, own.conversation);
  } else if (isUnauthorizedByMistake(evidence, call)) {
    judgeRefusal(evidence, witness, { call, what: "cancelling what was processing", subject: own.conversation });
  } else {
    const what = describeInTime(evidence, { call, own });
    if (what !== undefined) {
      judgeRefusal(evidence, witness, {
        call,
        what,
        subject: own.conversation,
      });
    }
  }
}

/** Whether the same cancel was sent again, because a busy target asked for that, and then answered. */
const isSentAgain = ({ call, own }: Cancelling): boolean =>
  headerOf(call.record.response?.headers ?? [], "retry-after") !== undefined &&
  own.calls.some(
    ({ answer, operation, record }) =>
      operation === "cancel" &&
      record.request.url === call.record.request.url &&
      record.credential === call.record.credential &&
      record.times.sentAtMicros >= call.record.times.endedAtMicros &&
      (answer.kind === "success" || answer.kind === "refused"),
  );

/** What a refused cancel was sent for, if later answers show that it came in time; undefined if the question may have ended before. */
function describeInTime(evidence: ConversationEvidence, cancelling: Cancelling): string | undefined {
  if (isStillProcessing(evidence, cancelling)) {
    return "cancelling what was processing, and still is in a later answer,";
  }
  if (isCancelledAllTheSame(evidence, cancelling)) {
    return "cancelling what was processing, and was cancelled all the same,";
  }
  return isWronglyMissing(evidence, cancelling) ? "cancelling what the reads before and after show" : undefined;
}

/** Reads through the same interface that were sent after a cancel. */
const readsAfter = ({ call, own }: Cancelling): readonly ConversationCall[] =>
  own.calls.filter(
    (other) =>
      other.interface === call.interface &&
      other.operation === "get" &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/** True if a later read shows the question as cancelled, and no other call asked for that. */
function isCancelledAllTheSame(evidence: ConversationEvidence, { call, own }: Cancelling): boolean {
  const others = own.calls.filter((other) => other !== call && other.operation === "cancel");
  return readsAfter({ call, own }).some(
    (read) =>
      isShownCancelled(evidence, read, call.asked.questionId) &&
      !others.some(
        (other) => other.record.times.sentAtMicros <= read.record.times.endedAtMicros && isAboutSame(call, other),
      ),
  );
}

/** Whether two cancels are of the same question. A cancel through the current interface is of the whole conversation. */
const isAboutSame = (one: ConversationCall, other: ConversationCall): boolean =>
  one.interface === "current" || other.interface === "current" || one.asked.questionId === other.asked.questionId;

/**
 * True if a cancel was answered with 404 although later reads show the question too. It is undecided where a replica may lag, and
 * where the target answers a cancel of what had ended with 404 as well. Source: conversation-api, section 7.
 */
function isWronglyMissing(evidence: ConversationEvidence, { call, own }: Cancelling): boolean {
  const { sentAtMicros } = call.record.times;
  const asked = own.calls.findLast(
    (other) =>
      (other.operation === "create" || other.operation === "follow-up") &&
      other.record.times.sentAtMicros < sentAtMicros,
  );
  return (
    isNotFound(call) &&
    sentAtMicros >= (asked?.record.times.endedAtMicros ?? 0) + seenLagMicros(evidence, call) &&
    readsAfter({ call, own }).some((read) => shownProgress(read, call.asked.questionId) !== undefined) &&
    !evidence.calls.some((other) => other.interface === call.interface && isNotFound(other) && isLate(evidence, other))
  );
}

const isNotFound = ({ answer }: ConversationCall): boolean => answer.kind === "refused" && answer.status === 404;

/** True for a cancel of what its user had read as finished. */
function isLate(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const own = call.operation === "cancel" ? ownConversation(evidence, call) : undefined;
  return own !== undefined && progressBefore(own, call) === "finished";
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
