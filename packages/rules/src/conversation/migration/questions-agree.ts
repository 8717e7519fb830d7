import { formatValue } from "../../engine/format-value.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { identifiedConversations } from "./identified-conversations.ts";
import { isFinishedCurrent, isFinishedLegacy, idOfLater, linkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * The texts of the questions and their order agree. Their number agrees too if the last reads of both interfaces show a
 * finished conversation and no later question was asked. Source: conversation-api, sections 2.4 and 9.
 */
export const migrationQuestionsAgree = defineMigrationRule({
  id: "migration/questions-agree",
  check(evidence, reportFor) {
    for (const linked of linkedConversations(evidence)) {
      const followUps = followUpsIn(evidence, linked);
      const until = nextQuestion(followUps, linked);
      const before = lastReads(linked, until);
      const reads = before ?? lastReads(linked);
      if (reads !== undefined) {
        const asked =
          before === undefined ? followUps : followUps.filter((call) => call.record.times.sentAtMicros < until);
        const [legacy, current] = reads;
        compare(linked, { legacy, current, isUsable: isUsable(asked, reads) }, reportFor);
      }
    }
    noteOtherNames(evidence, reportFor);
  },
});

/** Notes conversations that are not found under the id of the other interface. Names need not contain the number. */
function noteOtherNames(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { id, interface: name } of identifiedConversations(evidence)) {
    const call = evidence.calls.find(
      ({ interface: other, operation, request, response }) =>
        other !== name && operation === "get" && request.conversationId === id && response.kind === "refused",
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
  readonly isUsable: boolean;
}

function compare(
  { legacyId }: LinkedConversation,
  { legacy, current, isUsable }: LastReads,
  reportFor: ReportFor,
): void {
  const report = reportFor(idOfLater(legacy, current));
  report.observation();
  const [ours, theirs] = [legacy.view.questions, current.view.questions];
  const index = ours.findIndex(({ text }, at) => {
    const otherText = theirs[at]?.text;
    return text !== undefined && otherText !== undefined && text !== otherText;
  });
  const label = `of conversation ${formatValue(legacyId)}`;
  if (index !== -1) {
    report.violation({
      code: "other-text",
      message: `question ${index + 1} ${label} is \`${formatValue(ours[index]?.text)}\` in the legacy interface and \`${formatValue(theirs[index]?.text)}\` in the current one`,
      pointer: `/questions/${index}`,
    });
  } else if (isUsable && ours.length !== theirs.length) {
    const message = `the legacy interface shows ${ours.length} questions ${label}, the current one ${theirs.length}`;
    report.violation({ message, code: "other-count", pointer: "/questions" });
  }
}

/** The follow-ups that may have been added to a conversation, sorted by sending time. */
const followUpsIn = ({ calls }: ConversationEvidence, { ids }: LinkedConversation): readonly ConversationCall[] =>
  calls.filter(
    // A refused follow-up added nothing.
    ({ operation, request, response }) =>
      operation === "follow-up" && ids.has(request.conversationId ?? "") && response.kind !== "refused",
  );

const sentAt = ({ call }: ConversationRead): number => call.record.times.sentAtMicros;

/**
 * The time of the first question asked after the last read of one of the interfaces. Later reads of the other interface
 * cannot be compared.
 */
function nextQuestion(followUps: readonly ConversationCall[], { legacy, current }: LinkedConversation): number {
  const lastOfBoth = Math.min(...[legacy, current].map((reads) => Math.max(...reads.map(sentAt))));
  const next = followUps.find(({ record }) => record.times.sentAtMicros > lastOfBoth);
  return next?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;
}

/** The last reads of both interfaces before a given time. */
function lastReads(
  linked: LinkedConversation,
  until = Number.POSITIVE_INFINITY,
): readonly [ConversationRead, ConversationRead] | undefined {
  const isBefore = (read: ConversationRead): boolean => sentAt(read) < until;
  const [legacy, current] = [linked.legacy.findLast(isBefore), linked.current.findLast(isBefore)];
  return legacy === undefined || current === undefined ? undefined : [legacy, current];
}

/**
 * Reports whether both reads show a finished conversation, and every follow-up got its response before either read was
 * sent.
 */
function isUsable(
  followUps: readonly ConversationCall[],
  [legacy, current]: readonly [ConversationRead, ConversationRead],
): boolean {
  const from = Math.min(sentAt(legacy), sentAt(current));
  return (
    isFinishedLegacy(legacy) &&
    isFinishedCurrent(current) &&
    followUps.every(({ response, record }) => response.kind === "success" && record.times.endedAtMicros <= from)
  );
}
