import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { mayHaveHappened, ownConversation } from "../engine/own-conversations.ts";
import type { ReportFor } from "../engine/choices-once.ts";

/**
 * A conversation of the run has no more questions than were asked in it: one that appears twice has another id or none, so
 * that nothing else tells it. What others asked in recordings nobody knows.
 */
export function checkCounts(evidence: ConversationEvidence, name: ConversationInterface, reportFor: ReportFor): void {
  const followUps = evidence.calls.filter((call) => call.operation === "follow-up" && mayHaveHappened(call));
  for (const call of evidence.calls) {
    const isRead = call.interface === name && call.operation === "get" && call.record.credential !== "unknown";
    const own = isRead ? ownConversation(evidence, call) : undefined;
    const view = own === undefined ? undefined : conversationView(call);
    if (own === undefined || view === undefined || view.id !== own.conversation) {
      continue;
    }
    const asked =
      1 + followUps.filter((other) => mayBeIn(other, own.conversation) && wasSentBefore(other, call)).length;
    const report = reportFor(call.record.id);
    report.observe();
    if (view.questions.length > asked) {
      const were = asked === 1 ? "1 question was" : `${asked} questions were`;
      report.violation({
        code: "question-duplicated",
        message: `${were} asked, and the conversation has ${view.questions.length}`,
        pointer: view.questions.at(-1)?.pointer ?? "",
      });
    }
  }
}

/** A follow-up whose ids differ may have gone to either conversation. */
const mayBeIn = ({ asked }: ConversationCall, conversation: string): boolean =>
  asked.conversation === conversation || asked.bodyConversation === conversation;

const wasSentBefore = (one: ConversationCall, other: ConversationCall): boolean =>
  one.record.times.sentAtMicros <= other.record.times.endedAtMicros;
