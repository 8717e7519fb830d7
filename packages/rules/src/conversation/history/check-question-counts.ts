import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationView } from "@assay/reading";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";

/**
 * Checks that a conversation of the run has at most as many questions as were asked in it. A duplicate may have a
 * different id or none, so no other rule detects it. Recordings are skipped, because other clients may have asked
 * questions.
 */
export function checkQuestionCounts(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  reportFor: ReportFor,
): void {
  const followUps = evidence.calls.filter((call) => call.operation === "follow-up" && mayHaveTakenEffect(call));
  for (const call of evidence.calls.filter((candidate) => candidate.interface === interfaceName)) {
    const view = findOwnView(evidence, call);
    if (view === undefined) {
      continue;
    }
    const maxQuestions = countQuestionsAsked(followUps, call, view.id ?? "");
    const report = reportFor(call.record.id);
    report.observation();
    if (view.questions.length > maxQuestions) {
      const countWithVerb = maxQuestions === 1 ? "1 question was" : `${maxQuestions} questions were`;
      report.violation({
        code: "question-duplicated",
        message: `${countWithVerb} asked, and the conversation has ${view.questions.length}`,
        pointer: view.questions.at(-1)?.pointer ?? "",
      });
    }
  }
}

/** Returns the conversation in a read, if it is the requested one and the run created it through the same interface. */
function findOwnView(evidence: ConversationEvidence, call: ConversationCall): ConversationView | undefined {
  const isKnown = call.operation === "get" && call.record.credential !== "unknown";
  const conversation = isKnown ? findOwnConversation(evidence, call) : undefined;
  const view = conversationView(call);
  return conversation !== undefined && view?.id === conversation.id ? view : undefined;
}

/**
 * Returns the maximum number of questions asked in a conversation by the end of a call: the first question and each
 * follow-up.
 */
const countQuestionsAsked = (
  followUps: readonly ConversationCall[],
  call: ConversationCall,
  conversationId: string,
): number =>
  1 + followUps.filter((followUp) => mayBelongTo(followUp, conversationId) && wasSentBefore(followUp, call)).length;

/** Reports whether a follow-up may belong to a conversation. One with two different ids may belong to either. */
const mayBelongTo = ({ request }: ConversationCall, conversationId: string): boolean =>
  request.conversationId === conversationId || request.bodyConversationId === conversationId;

const wasSentBefore = (call: ConversationCall, later: ConversationCall): boolean =>
  call.record.times.sentAtMicros <= later.record.times.endedAtMicros;
