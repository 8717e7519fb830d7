import type { ConversationRuleId } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/reading";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { dedupeNotes } from "./dedupe-notes.ts";
import { findCancelledQuestions, isCancelled } from "./cancelled-questions.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import { conversationView, questionView } from "./conversation-view.ts";
import { reportBlocked, operationsReturningConversation } from "./define-conversation-check.ts";
import { listView } from "./list-view.ts";

/** A question in one response. */
export interface QuestionOccurrence {
  readonly question: QuestionView;
  readonly call: ConversationCall;
  /** Its conversation. Absent if the response contains only the question. */
  readonly conversation?: ConversationView;
  /** Whether it is the last or only question of its conversation. */
  readonly isLast: boolean;
  /** Whether the response answers the request that asked the question. */
  readonly isNew: boolean;
  /** Whether the run may have cancelled the question at any time. */
  readonly isCancelled: boolean;
}

/** Returns every question returned by one interface, including questions in lists. */
export function collectQuestions(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
): readonly QuestionOccurrence[] {
  const cancelledQuestions = findCancelledQuestions(evidence.conversationsOf);
  return evidence.calls
    .filter((call) => call.interface === interfaceName)
    .flatMap((call) =>
      findOccurrences(call).map((occurrence) => ({
        ...occurrence,
        // The response to a cancellation is unspecified, even if the cancellation was late.
        isCancelled:
          cancelledQuestions.lateCancellations.has(call) ||
          isCancelled(occurrence.question, findConversationId(occurrence), cancelledQuestions),
      })),
    );
}

const findConversationId = ({
  call,
  conversation,
  question,
}: Omit<QuestionOccurrence, "isCancelled">): string | undefined =>
  conversation?.id ?? call.request.conversationId ?? question.conversationId;

const findOccurrences = cachePerObject((call: ConversationCall): readonly Omit<QuestionOccurrence, "isCancelled">[] => {
  if (call.operation === "list") {
    return (listView(call)?.entries ?? []).flatMap((entry) => occurrencesInEntry(entry, call));
  }
  const conversation = conversationView(call);
  const asksQuestion = call.operation === "create" || call.operation === "follow-up";
  if (conversation === undefined) {
    const question = questionView(call);
    return question === undefined ? [] : [{ question, call, isLast: true, isNew: asksQuestion }];
  }
  const lastQuestion = conversation.questions.at(-1);
  const requestedText = call.request.question;
  // The new question is found by its text first. `questions-keep-their-order` checks that it is the last one.
  const newQuestion =
    conversation.questions.findLast(({ text }) => requestedText !== undefined && text === requestedText) ??
    lastQuestion;
  return conversation.questions.map((question) => ({
    question,
    call,
    conversation,
    isLast: question === lastQuestion,
    isNew: asksQuestion && question === newQuestion,
  }));
});

/** Returns the questions of a list entry. Summaries of the current interface may have no questions. */
const occurrencesInEntry = (conversation: ConversationView, call: ConversationCall) =>
  conversation.questions.map((question) => ({
    question,
    call,
    conversation,
    isLast: question === conversation.questions.at(-1),
    isNew: false,
  }));

/** The definition of a rule that checks every question of one interface. */
export interface QuestionCheck {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  readonly check: (occurrence: QuestionOccurrence, report: Reporter) => void;
}

/** Defines a rule that checks every question of one interface. */
export const defineQuestionCheck = ({ id, interface: interfaceName, check }: QuestionCheck): ConversationRule =>
  defineConversationRule({
    id,
    check(evidence, reportFor) {
      const reporters = dedupeNotes(reportFor);
      for (const occurrence of collectQuestions(evidence, interfaceName)) {
        check(occurrence, reporters(occurrence.call.record.id));
      }
      reportBlocked(
        evidence.calls.filter(
          (call) => call.interface === interfaceName && operationsReturningConversation.includes(call.operation),
        ),
        reportFor,
      );
    },
  });
