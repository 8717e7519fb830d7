import { shownValue } from "../../engine/shown-value.ts";
import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { createdConversations } from "./created-conversations.ts";
import { isFinishedCurrent, isFinishedLegacy, laterOf, linkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * The texts of the questions in their order; and how many there are, where the last reads of both interfaces are of a
 * finished conversation to which nothing was added since. Source: conversation-api, sections 2.4 and 9.
 */
export const migrationQuestionsAgree = defineMigrationRule({
  id: "migration/questions-agree",
  check(evidence, reportFor) {
    for (const linked of linkedConversations(evidence)) {
      const legacy = linked.legacy.at(-1);
      const current = linked.current.at(-1);
      if (legacy !== undefined && current !== undefined) {
        compare(linked, { legacy, current, isSettled: isSettled(evidence, linked, [legacy, current]) }, reportFor);
      }
    }
    noteOtherNames(evidence, reportFor);
  },
});

/** What is not found under the id that the other interface has for it: names need not hold the number. */
function noteOtherNames(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { conversation, interface: name } of createdConversations(evidence)) {
    const call = evidence.calls.find(
      ({ interface: other, operation, asked, answer }) =>
        other !== name && operation === "get" && asked.conversation === conversation && answer.kind === "refused",
    );
    if (call !== undefined) {
      const message = "a conversation is not found under the id of the other interface";
      reportFor(call.record.id).note({ code: "migration/numbers-in-names", message });
    }
  }
}

interface LastReads {
  readonly legacy: ConversationRead;
  readonly current: ConversationRead;
  readonly isSettled: boolean;
}

function compare(
  { conversation }: LinkedConversation,
  { legacy, current, isSettled }: LastReads,
  reportFor: ReportFor,
): void {
  const report = reportFor(laterOf(legacy, current));
  report.opportunity();
  const [ours, theirs] = [legacy.view.questions, current.view.questions];
  const index = ours.findIndex(({ text }, at) => {
    const other = theirs[at]?.text;
    return text !== undefined && other !== undefined && text !== other;
  });
  const which = `of conversation ${shownValue(conversation)}`;
  if (index !== -1) {
    report.violation({
      code: "other-text",
      message: `question ${index + 1} ${which} is \`${shownValue(ours[index]?.text)}\` in the legacy interface and \`${shownValue(theirs[index]?.text)}\` in the current one`,
      pointer: `/questions/${index}`,
    });
  } else if (isSettled && ours.length !== theirs.length) {
    const message = `the legacy interface shows ${ours.length} questions ${which}, the current one ${theirs.length}`;
    report.violation({ message, code: "other-count", pointer: "/questions" });
  }
}

/** Whether both reads are of a finished conversation, and every follow-up had been answered before either was sent. */
function isSettled(
  { calls }: ConversationEvidence,
  { ids, legacy }: LinkedConversation,
  reads: readonly [ConversationRead, ConversationRead],
): boolean {
  const [one, other] = reads;
  const from = Math.min(...reads.map(({ call }) => call.record.times.sentAtMicros));
  // What was refused added nothing.
  const followUps = calls.filter(
    ({ operation, asked, answer }) =>
      operation === "follow-up" && ids.has(asked.conversation ?? "") && answer.kind !== "refused",
  );
  return (
    legacy.length > 0 &&
    isFinishedLegacy(one) &&
    isFinishedCurrent(other) &&
    followUps.every(({ answer, record }) => answer.kind === "success" && record.times.endedAtMicros <= from)
  );
}
