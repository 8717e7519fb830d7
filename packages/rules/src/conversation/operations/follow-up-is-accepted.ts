import { bodyForm } from "../engine/body-form.ts";
import { cancelledQuestions } from "../engine/cancelled-questions.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { QuestionView } from "@assay/reading";
import { livedThrough, ownConversation, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { lastShowing, progressBefore } from "../engine/progress.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { isReadBack } from "../engine/stale-reads.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";

/**
 * A conversation that was answered takes a further question, and shows it from then on. Whether it does so while another one is
 * processing, after a cancellation or after a failure is unspecified. Source: conversation-api, sections 1, 3.1, 4.1 and 4.2.
 */
export const followUpIsAccepted = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/follow-up-is-accepted`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        const own = call.interface === name && isFollowUp(call) ? ownConversation(evidence, call) : undefined;
        if (own !== undefined) {
          judgeFollowUp(evidence, witness, { call, own });
        }
      }
    },
  }),
);

const isFollowUp = ({ interface: name, operation, asked }: ConversationCall): boolean =>
  operation === "follow-up" &&
  asked.question !== undefined &&
  (name === "current" || asked.bodyConversation === asked.conversation);

interface Asking {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

function judgeFollowUp(evidence: ConversationEvidence, witness: Witness, { call, own }: Asking): void {
  const form = bodyForm(call);
  // What the legacy interface answers with is documented, and a rule of its own.
  if (form !== undefined && call.interface === "current") {
    witness.notes(call, "current/follow-up-body", `a follow-up was answered with ${form}`);
  }
  switch (progressBefore(own, call)) {
    case "processing":
      noteEarly(witness, call);
      return;
    case "finished":
      judgeInTime(evidence, witness, { call, own });
      return;
    case undefined:
  }
}

function noteEarly(witness: Witness, call: ConversationCall): void {
  const { answer } = call;
  if (answer.kind === "success" || answer.kind === "refused") {
    const message = `a follow-up to a conversation that was processing was answered with ${answer.status}`;
    witness.notes(call, `${call.interface}/follow-up-while-processing`, message);
  }
}

function judgeInTime(evidence: ConversationEvidence, witness: Witness, { call, own }: Asking): void {
  const subject = own.conversation;
  if (isMissing(call)) {
    witness.lacks(call, subject);
  }
  const end = call.answer.kind === "refused" ? otherEnd(evidence, { call, own }) : undefined;
  if (call.answer.kind === "refused" && end !== undefined) {
    const message = `a follow-up to a conversation that ${end} was refused with ${call.answer.status}`;
    witness.notes(call, `${call.interface}/follow-up-after-other-end`, message);
    return;
  }
  judgeRefusal(evidence, witness, { call, what: "a follow-up to a conversation that has ended", subject });
  if (call.answer.kind !== "success") {
    return;
  }
  const problem = whatBecame({ call, own });
  if (problem === undefined) {
    witness.holds(call, subject);
  } else {
    witness.breaks(call, `a follow-up was accepted, but ${problem}`, subject);
  }
}

/** How a conversation ended before a follow-up, where that was not an answer to its last question. */
function otherEnd(evidence: ConversationEvidence, { call, own }: Asking): string | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const { tooLate } = cancelledQuestions(evidence.threads);
  const isCancellation = (other: ConversationCall): boolean =>
    other.operation === "cancel" &&
    mayHaveHappened(other) &&
    !tooLate.has(other) &&
    other.record.times.sentAtMicros <= endedAtMicros;
  if (own.calls.some(isCancellation)) {
    return "was cancelled";
  }
  const last = lastShowing(own, sentAtMicros)?.call;
  const view = last === undefined ? undefined : conversationView(last);
  const question = view?.questions.at(-1);
  const state = last?.interface === "current" ? view?.state : question?.status;
  return state === "completed" && question?.facts.has("error") !== true ? undefined : "failed";
}

const questionsOf = (call: ConversationCall): readonly QuestionView[] => conversationView(call)?.questions ?? [];

/**
 * Whether the new question may have been cancelled before a read, or meanwhile. What becomes of one in the legacy interface is not shown: its
 * conversation may do without it. Source: conversation-api, section 3.1.
 */
const isAfterCancellation = (read: ConversationCall, { call, own }: Asking): boolean =>
  call.interface === "legacy" &&
  own.calls.some(
    (other) =>
      other.operation === "cancel" &&
      mayHaveHappened(other) &&
      other.record.times.sentAtMicros >= spanOf(call).from &&
      other.record.times.sentAtMicros <= read.record.times.endedAtMicros,
  );

/** What is wrong with the reads after an accepted follow-up; nothing where one of them shows it, or none is evidence. */
function whatBecame({ call, own }: Asking): string | undefined {
  const { from, to } = spanOf(call);
  const isRead = (other: ConversationCall): boolean => other.operation === "get" && other.interface === call.interface;
  const before = own.calls.findLast(
    (other) => other.record.times.endedAtMicros <= from && questionsOf(other).length > 0,
  );
  const reads = own.calls.filter(
    (other) =>
      isRead(other) &&
      other.record.times.sentAtMicros >= to &&
      livedThrough(own, spanOf(other)) &&
      questionsOf(other).length > 0,
  );
  if (before === undefined || before.interface !== call.interface || reads.length === 0) {
    return undefined;
  }
  const count = questionsOf(before).length;
  const isEvidence = (read: ConversationCall): boolean =>
    !isAfterCancellation(read, { call, own }) && (questionsOf(read).length > count || isReadBack(own, call, read));
  return reads.some(isEvidence) ? whatIsMissing(reads, call, count) : undefined;
}

function whatIsMissing(
  reads: readonly ConversationCall[],
  { asked }: ConversationCall,
  count: number,
): string | undefined {
  const more = reads.flatMap((read) => questionsOf(read).slice(count));
  if (more.length === 0) {
    return `no read after it shows more than the ${count} questions there were`;
  }
  const isShown = more.some(({ text }) => text?.trim() === asked.question?.trim());
  return isShown ? undefined : "no read after it shows its text in a new question";
}
