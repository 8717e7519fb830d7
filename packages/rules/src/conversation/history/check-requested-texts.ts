import { formatValue } from "../../engine/format-value.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import type { QuestionView } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";

/** JSON member that holds the question text, by interface. */
const textMemberByInterface = { legacy: "question", current: "input" } as const;

/**
 * Checks that the response to a new question echoes the question's text. The rule `questions-keep-their-order` checks
 * its position.
 */
export function checkRequestedTexts(
  { calls }: ConversationEvidence,
  interfaceName: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const call of calls) {
    const requestedText = call.request.question;
    if (call.interface !== interfaceName || !isNewQuestion(call) || requestedText === undefined) {
      continue;
    }
    const questions = findQuestionsWithText(call);
    const lastQuestion = questions.at(-1);
    if (lastQuestion === undefined) {
      continue;
    }
    const report = reportFor(call.record.id);
    report.observation();
    if (!questions.some(({ text }) => text === requestedText)) {
      report.violation({
        code: "not-as-asked",
        message: `requested \`${formatValue(requestedText)}\`, but the question is \`${formatValue(lastQuestion.text)}\``,
        pointer: `${lastQuestion.pointer}/${textMemberByInterface[interfaceName]}`,
      });
    }
  }
}

const isNewQuestion = ({ operation }: ConversationCall): boolean => operation === "create" || operation === "follow-up";

function findQuestionsWithText(call: ConversationCall): readonly QuestionView[] {
  const singleQuestion = questionView(call);
  const questions = conversationView(call)?.questions ?? (singleQuestion === undefined ? [] : [singleQuestion]);
  return questions.filter(({ text }) => text !== undefined);
}
