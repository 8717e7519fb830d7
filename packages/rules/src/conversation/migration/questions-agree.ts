import { formatValue } from "../../engine/format-value.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { findIdentifiedConversations } from "./identified-conversations.ts";
import { isFinishedCurrent, isFinishedLegacy, idOfLater, findLinkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * The texts of the questions and their order agree. Their number agrees too if the last reads of both interfaces show a
 * finished conversation and no later question was asked. Source: conversation-api, sections 2.4 and 9.
 */
export const migrationQuestionsAgree = defineMigrationRule({
  id: "migration/questions-agree",
  check(evidence, reportFor) {
    for (const conversation of findLinkedConversations(evidence)) {
      const followUps = findFollowUps(evidence, conversation);
      const untilMicros = findNextQuestionMicros(followUps, conversation);
      const readsBefore = findLastReads(conversation, untilMicros);
      const reads = readsBefore ?? findLastReads(conversation);
      if (reads !== undefined) {
        const askedFollowUps =
          readsBefore === undefined
            ? followUps
            : followUps.filter((followUp) => followUp.record.times.sentAtMicros < untilMicros);
        const [legacyRead, currentRead] = reads;
        compareReads(
          conversation,
          { legacyRead, currentRead, isCountComparable: areCountsComparable(askedFollowUps, reads) },
          reportFor,
        );
      }
    }
    noteDifferentNames(evidence, reportFor);
  },
});

/** Notes conversations that are not found under their id in the other interface. Names need not contain the number. */
function noteDifferentNames(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { id, interface: interfaceName } of findIdentifiedConversations(evidence)) {
    const call = evidence.calls.find(
      ({ interface: otherName, operation, request, response }) =>
        otherName !== interfaceName &&
        operation === "get" &&
        request.conversationId === id &&
        response.kind === "refused",
    );
    if (call !== undefined) {
      const message = "a conversation is not found under its id in the other interface";
      reportFor(call.record.id).note({ code: "migration/numbers-in-names", message });
    }
  }
}

interface LastReads {
  readonly legacyRead: ConversationRead;
  readonly currentRead: ConversationRead;
  readonly isCountComparable: boolean;
}

function compareReads(
  { legacyId }: LinkedConversation,
  { legacyRead, currentRead, isCountComparable }: LastReads,
  reportFor: ReportFor,
): void {
  const report = reportFor(idOfLater(legacyRead, currentRead));
  report.observation();
  const [legacyQuestions, currentQuestions] = [legacyRead.view.questions, currentRead.view.questions];
  const index = legacyQuestions.findIndex(({ text }, position) => {
    const currentText = currentQuestions[position]?.text;
    return text !== undefined && currentText !== undefined && text !== currentText;
  });
  const label = `of conversation ${formatValue(legacyId)}`;
  if (index !== -1) {
    report.violation({
      code: "other-text",
      message: `question ${index + 1} ${label} is \`${formatValue(legacyQuestions[index]?.text)}\` in the legacy interface and \`${formatValue(currentQuestions[index]?.text)}\` in the current one`,
      pointer: `/questions/${index}`,
    });
  } else if (isCountComparable && legacyQuestions.length !== currentQuestions.length) {
    const message = `the legacy interface shows ${legacyQuestions.length} questions ${label}, the current one ${currentQuestions.length}`;
    report.violation({ message, code: "other-count", pointer: "/questions" });
  }
}

/** Returns the follow-ups that may have been added to a conversation, sorted by sending time. */
const findFollowUps = ({ calls }: ConversationEvidence, { ids }: LinkedConversation): readonly ConversationCall[] =>
  calls.filter(
    // A refused follow-up added nothing.
    ({ operation, request, response }) =>
      operation === "follow-up" && ids.has(request.conversationId ?? "") && response.kind !== "refused",
  );

const sentAtMicros = ({ call }: ConversationRead): number => call.record.times.sentAtMicros;

/**
 * Returns the time of the first question asked after the last read of one of the interfaces. Later reads through the
 * other interface cannot be compared.
 */
function findNextQuestionMicros(
  followUps: readonly ConversationCall[],
  { legacyReads, currentReads }: LinkedConversation,
): number {
  const lastReadMicros = Math.min(...[legacyReads, currentReads].map((reads) => Math.max(...reads.map(sentAtMicros))));
  const nextFollowUp = followUps.find(({ record }) => record.times.sentAtMicros > lastReadMicros);
  return nextFollowUp?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;
}

/** Returns the last reads of both interfaces before a given time. */
function findLastReads(
  conversation: LinkedConversation,
  untilMicros = Number.POSITIVE_INFINITY,
): readonly [ConversationRead, ConversationRead] | undefined {
  const isBefore = (read: ConversationRead): boolean => sentAtMicros(read) < untilMicros;
  const [legacyRead, currentRead] = [
    conversation.legacyReads.findLast(isBefore),
    conversation.currentReads.findLast(isBefore),
  ];
  return legacyRead === undefined || currentRead === undefined ? undefined : [legacyRead, currentRead];
}

/**
 * Reports whether both reads show a finished conversation, and every follow-up got its response before either read was
 * sent.
 */
function areCountsComparable(
  followUps: readonly ConversationCall[],
  [legacyRead, currentRead]: readonly [ConversationRead, ConversationRead],
): boolean {
  const firstReadMicros = Math.min(sentAtMicros(legacyRead), sentAtMicros(currentRead));
  return (
    isFinishedLegacy(legacyRead) &&
    isFinishedCurrent(currentRead) &&
    followUps.every(
      ({ response, record }) => response.kind === "success" && record.times.endedAtMicros <= firstReadMicros,
    )
  );
}
