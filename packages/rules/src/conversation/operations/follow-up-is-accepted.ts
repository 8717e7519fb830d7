import { counted } from "@assay/contract";
import { describeBody } from "../engine/describe-body.ts";
import { findCancelledQuestions } from "../engine/cancelled-questions.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { QuestionView } from "@assay/reading";
import { existedDuring, findOwnConversation, spanOf } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { findLastProgress, progressBefore } from "../engine/progress.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { provesNoEffect } from "../engine/stale-reads.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { describeSequence, findModelledConversations } from "../model/modelled-conversations.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * An answered conversation accepts a further question and shows it from then on. It is unspecified whether it does so
 * while another question is processing, after a cancellation or after a failure. Source: conversation-api, sections 1,
 * 3.1, 4.1 and 4.2.
 */
export const followUpIsAccepted = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/follow-up-is-accepted`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const conversation =
          call.interface === interfaceName && isFollowUp(call) ? findOwnConversation(evidence, call) : undefined;
        if (conversation === undefined || !judgeFollowUp(evidence, reporter, { call, conversation })) {
          judgeByModel(evidence, reporter, { call, interfaceName });
        }
      }
    },
  }),
);

const isFollowUp = ({ interface: interfaceName, operation, request }: ConversationCall): boolean =>
  operation === "follow-up" &&
  request.question !== undefined &&
  (interfaceName === "current" || request.bodyConversationId === request.conversationId);

interface FollowUp {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

/** Judges a follow-up by the state of the conversation before it. Returns false if that state is unknown, or may allow a refusal. */
function judgeFollowUp(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, conversation }: FollowUp,
): boolean {
  const bodyDescription = describeBody(call);
  // `legacy/follow-up-answers-the-conversation` checks the response of the legacy interface.
  if (bodyDescription !== undefined && call.interface === "current") {
    reporter.notes(call, "current/follow-up-body", `a follow-up returned ${bodyDescription}`);
  }
  switch (progressBefore(conversation, call)) {
    case "processing":
      noteEarlyFollowUp(reporter, call);
      return false;
    case "finished":
      judgeTimelyFollowUp(evidence, reporter, { call, conversation });
      return true;
    case undefined:
      return false;
  }
}

/**
 * Judges an accepted follow-up that was sent together with another request, to a conversation that was processing, or through the
 * interface that did not create the conversation. It may have been refused, but once accepted it is kept.
 */
function judgeByModel(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, interfaceName }: { readonly call: ConversationCall; readonly interfaceName: string },
): void {
  const modelled =
    call.interface === interfaceName && isFollowUp(call) && call.response.kind === "success"
      ? findModelledConversations(evidence).find(({ calls }) => calls.includes(call))
      : undefined;
  const contradiction = modelled?.contradictions.find(({ kind, step, shortest }) => {
    const isOfInterface = step.interface === interfaceName && shortest.every((one) => one.interface === interfaceName);
    return kind === "question-is-lost" && isOfInterface && shortest.some(({ exchange }) => exchange === call.record.id);
  });
  const subject = call.record.id;
  if (contradiction !== undefined) {
    const message = `a follow-up was accepted, but a later read does not show it; ${describeSequence(contradiction)}`;
    reporter.fails(call, message, subject);
  } else if (modelled?.calls.some((read) => showsFollowUp(read, call)) === true) {
    reporter.passes(call, subject);
  }
}

const showsFollowUp = (
  read: ConversationCall,
  { request, record, interface: interfaceName }: ConversationCall,
): boolean =>
  read.operation === "get" &&
  read.interface === interfaceName &&
  read.record.times.sentAtMicros >= record.times.endedAtMicros &&
  questionsIn(read).some(({ text }) => text?.trim() === request.question?.trim());

function noteEarlyFollowUp(reporter: CallReporter, call: ConversationCall): void {
  const { response } = call;
  if (response.kind === "success" || response.kind === "refused") {
    const message = `a follow-up to a conversation that was processing returned ${response.status}`;
    reporter.notes(call, `${call.interface}/follow-up-while-processing`, message);
  }
}

function judgeTimelyFollowUp(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, conversation }: FollowUp,
): void {
  const subject = conversation.id;
  if (isResponseMissing(call)) {
    reporter.lacksResponse(call, subject);
  }
  const otherEnd = call.response.kind === "refused" ? describeOtherEnd(evidence, { call, conversation }) : undefined;
  if (call.response.kind === "refused" && otherEnd !== undefined) {
    const message = `a follow-up to a conversation that ${otherEnd} was refused with ${call.response.status}`;
    reporter.notes(call, `${call.interface}/follow-up-after-other-end`, message);
    return;
  }
  judgeRefusal(evidence, reporter, { call, description: "a follow-up to a conversation that has ended", subject });
  if (call.response.kind !== "success") {
    return;
  }
  const problem = findProblemInReads({ call, conversation });
  if (problem === undefined) {
    reporter.passes(call, subject);
  } else {
    reporter.fails(call, `a follow-up was accepted, but ${problem}`, subject);
  }
}

/** Describes how a conversation ended before a follow-up, if it did not end with an answer to its last question. */
function describeOtherEnd(evidence: ConversationEvidence, { call, conversation }: FollowUp): string | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const { lateCancellations } = findCancelledQuestions(evidence.conversationsOf);
  const isCancellation = (other: ConversationCall): boolean =>
    other.operation === "cancel" &&
    mayHaveTakenEffect(other) &&
    !lateCancellations.has(other) &&
    other.record.times.sentAtMicros <= endedAtMicros;
  if (conversation.calls.some(isCancellation)) {
    return "was cancelled";
  }
  const latestCall = findLastProgress(conversation, sentAtMicros)?.call;
  const view = latestCall === undefined ? undefined : conversationView(latestCall);
  const question = view?.questions.at(-1);
  const state = latestCall?.interface === "current" ? view?.state : question?.status;
  return state === "completed" && question?.facts.has("error") !== true ? undefined : "failed";
}

const questionsIn = (call: ConversationCall): readonly QuestionView[] => conversationView(call)?.questions ?? [];

/**
 * Reports whether the new question may have been cancelled before the end of a read. The legacy interface may drop a
 * cancelled question. Source: conversation-api, section 3.1.
 */
const isAfterCancellation = (read: ConversationCall, { call, conversation }: FollowUp): boolean =>
  call.interface === "legacy" &&
  conversation.calls.some(
    (other) =>
      other.operation === "cancel" &&
      mayHaveTakenEffect(other) &&
      other.record.times.sentAtMicros >= spanOf(call).fromMicros &&
      other.record.times.sentAtMicros <= read.record.times.endedAtMicros,
  );

/**
 * Describes the problem shown by the reads after an accepted follow-up. It returns undefined if one of them shows the
 * question, or none of them is evidence.
 */
function findProblemInReads({ call, conversation }: FollowUp): string | undefined {
  const { fromMicros, toMicros } = spanOf(call);
  const isReadOfInterface = (other: ConversationCall): boolean =>
    other.operation === "get" && other.interface === call.interface;
  const callBefore = conversation.calls.findLast(
    (other) => other.record.times.endedAtMicros <= fromMicros && questionsIn(other).length > 0,
  );
  const reads = conversation.calls.filter(
    (other) =>
      isReadOfInterface(other) &&
      other.record.times.sentAtMicros >= toMicros &&
      existedDuring(conversation, spanOf(other)) &&
      questionsIn(other).length > 0,
  );
  if (callBefore === undefined || callBefore.interface !== call.interface || reads.length === 0) {
    return undefined;
  }
  const count = questionsIn(callBefore).length;
  const isEvidence = (read: ConversationCall): boolean =>
    !isAfterCancellation(read, { call, conversation }) &&
    (questionsIn(read).length > count || provesNoEffect(conversation, call, read));
  return reads.some(isEvidence) ? describeMissing(reads, call, count) : undefined;
}

function describeMissing(
  reads: readonly ConversationCall[],
  { request }: ConversationCall,
  count: number,
): string | undefined {
  const addedQuestions = reads.flatMap((read) => questionsIn(read).slice(count));
  if (addedQuestions.length === 0) {
    return `no read after it shows more than ${counted(count, "question")}`;
  }
  const wasReturned = addedQuestions.some(({ text }) => text?.trim() === request.question?.trim());
  return wasReturned ? undefined : "no read after it shows its text in a new question";
}
