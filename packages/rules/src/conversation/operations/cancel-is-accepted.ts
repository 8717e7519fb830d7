import { headerOf } from "../../engine/header-of.ts";
import { describeBody } from "../engine/describe-body.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { showsCancellation } from "../engine/ended-without-cancellation.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { progressBefore, progressIn } from "../engine/progress.ts";
import {
  isResponseMissing,
  isRefusedWithServerErrors,
  isWronglyUnauthorized,
  judgeRefusal,
} from "../engine/refusal.ts";
import { observedLagMicros } from "../engine/stale-reads.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * A question that is processing can be cancelled. It may have ended before the request arrived. A refusal therefore
 * fails only if a later response shows the question processing or cancelled, or if its status is 404 although the
 * question exists. Source: conversation-api, sections 1, 4.1, 4.2 and 7.
 */
export const cancelIsAccepted = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/cancel-is-accepted`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const isCancellation = call.interface === interfaceName && call.operation === "cancel";
        const conversation = isCancellation ? findOwnConversation(evidence, call) : undefined;
        if (conversation !== undefined) {
          judgeCancellation(evidence, reporter, { call, conversation });
        }
      }
    },
  }),
);

interface Cancellation {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

function judgeCancellation(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, conversation }: Cancellation,
): void {
  const bodyDescription = describeBody(call);
  if (bodyDescription !== undefined) {
    reporter.notes(call, `${call.interface}/cancel-body`, `a cancellation returned ${bodyDescription}`);
  }
  switch (progressBefore(conversation, call)) {
    case "processing":
      judgeTimelyCancellation(evidence, reporter, { call, conversation });
      return;
    case "finished":
      noteLateCancellation(reporter, call);
      return;
    case undefined:
  }
}

function judgeTimelyCancellation(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, conversation }: Cancellation,
): void {
  if (isRefusedWithServerErrors(evidence, call)) {
    judgeRefusal(evidence, reporter, {
      call,
      description: "cancelling a question that was processing",
      subject: conversation.id,
    });
  } else if (isResponseMissing(call)) {
    if (!wasRetried({ call, conversation })) {
      reporter.lacksResponse(call, conversation.id);
    }
  } else if (call.response.kind === "success") {
    reporter.passes(call, conversation.id);
  } else if (isWronglyUnauthorized(evidence, call)) {
    judgeRefusal(evidence, reporter, {
      call,
      description: "cancelling a question that was processing",
      subject: conversation.id,
    });
  } else {
    const description = describeTimelyCancellation(evidence, { call, conversation });
    if (description !== undefined) {
      judgeRefusal(evidence, reporter, {
        call,
        description,
        subject: conversation.id,
      });
    }
  }
}

/** Reports whether the same cancellation was retried because the target was busy, and then got a response. */
const wasRetried = ({ call, conversation }: Cancellation): boolean =>
  headerOf(call.record.response?.headers ?? [], "retry-after") !== undefined &&
  conversation.calls.some(
    ({ response, operation, record }) =>
      operation === "cancel" &&
      record.request.url === call.record.request.url &&
      record.credential === call.record.credential &&
      record.times.sentAtMicros >= call.record.times.endedAtMicros &&
      (response.kind === "success" || response.kind === "refused"),
  );

/**
 * Describes a refused cancellation if later responses show that it was in time. It returns undefined if the question
 * may have ended before.
 */
function describeTimelyCancellation(evidence: ConversationEvidence, cancellation: Cancellation): string | undefined {
  if (isStillProcessing(evidence, cancellation)) {
    return "cancelling a question that was processing, and still is in a later response,";
  }
  if (isCancelledAnyway(evidence, cancellation)) {
    return "cancelling a question that was processing, and was cancelled anyway,";
  }
  return isWronglyMissing(evidence, cancellation)
    ? "cancelling a question that reads before and after show"
    : undefined;
}

/** Reads through the same interface after a cancellation. */
const findReadsAfter = ({ call, conversation }: Cancellation): readonly ConversationCall[] =>
  conversation.calls.filter(
    (other) =>
      other.interface === call.interface &&
      other.operation === "get" &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/** Reports whether a later read shows the question as cancelled although no other call cancelled it. */
function isCancelledAnyway(evidence: ConversationEvidence, { call, conversation }: Cancellation): boolean {
  const otherCancellations = conversation.calls.filter((other) => other !== call && other.operation === "cancel");
  return findReadsAfter({ call, conversation }).some(
    (read) =>
      showsCancellation(evidence, read, call.request.questionId) &&
      !otherCancellations.some(
        (other) => other.record.times.sentAtMicros <= read.record.times.endedAtMicros && isForSameQuestion(call, other),
      ),
  );
}

/**
 * Reports whether two cancellations are for the same question. In the current interface they are for the whole
 * conversation.
 */
const isForSameQuestion = (left: ConversationCall, right: ConversationCall): boolean =>
  left.interface === "current" || right.interface === "current" || left.request.questionId === right.request.questionId;

/**
 * Reports whether a cancellation got 404 although later reads show the question. False if a replica may lag, or if the
 * target also returns 404 for late cancellations. Source: conversation-api, section 7.
 */
function isWronglyMissing(evidence: ConversationEvidence, { call, conversation }: Cancellation): boolean {
  const { sentAtMicros } = call.record.times;
  const creation = conversation.calls.findLast(
    (other) =>
      (other.operation === "create" || other.operation === "follow-up") &&
      other.record.times.sentAtMicros < sentAtMicros,
  );
  return (
    isNotFound(call) &&
    sentAtMicros >= (creation?.record.times.endedAtMicros ?? 0) + observedLagMicros(evidence, call) &&
    findReadsAfter({ call, conversation }).some((read) => progressIn(read, call.request.questionId) !== undefined) &&
    !evidence.calls.some(
      (other) => other.interface === call.interface && isNotFound(other) && wasSentTooLate(evidence, other),
    )
  );
}

const isNotFound = ({ response }: ConversationCall): boolean => response.kind === "refused" && response.status === 404;

/** Reports whether the user had already read the question as finished when cancelling it. */
function wasSentTooLate(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const conversation = call.operation === "cancel" ? findOwnConversation(evidence, call) : undefined;
  return conversation !== undefined && progressBefore(conversation, call) === "finished";
}

/**
 * Reports whether a response after the cancellation shows processing that is not due to a follow-up. If reads lag, only
 * a read after more than the observed lag is considered.
 */
function isStillProcessing(evidence: ConversationEvidence, { call, conversation }: Cancellation): boolean {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const followUp = conversation.calls.find(
    (other) =>
      other.operation === "follow-up" && mayHaveTakenEffect(other) && other.record.times.endedAtMicros > sentAtMicros,
  );
  const untilMicros = followUp?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;
  return conversation.calls.some(
    (other) =>
      other.interface === call.interface &&
      other.operation === "get" &&
      other.record.times.sentAtMicros >= endedAtMicros + observedLagMicros(evidence, other) &&
      other.record.times.endedAtMicros <= untilMicros &&
      progressIn(other, call.request.questionId) === "processing",
  );
}

function noteLateCancellation(reporter: CallReporter, call: ConversationCall): void {
  const { response } = call;
  if (response.kind === "success" || response.kind === "refused") {
    const message = `a cancellation after the end returned ${response.status}`;
    reporter.notes(call, `${call.interface}/cancel-of-finished`, message);
  }
}
