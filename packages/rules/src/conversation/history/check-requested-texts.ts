import { formatValue } from "../../engine/format-value.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import type { QuestionView } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";

/** The member of a question that contains its text. */
const textMembers = { legacy: "question", current: "input" } as const;

/** The response that adds a question contains the requested text. Another rule checks its position. */
export function checkRequestedTexts(
  { calls }: ConversationEvidence,
  name: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const call of calls) {
    const texts = call.interface === name ? textsIn(call) : [];
    const requestedText = call.request.question;
    const last = texts.at(-1);
    if (
      (call.operation !== "create" && call.operation !== "follow-up") ||
      requestedText === undefined ||
      last === undefined
    ) {
      continue;
    }
    const report = reportFor(call.record.id);
    report.observation();
    if (!texts.some(({ text }) => text === requestedText)) {
      report.violation({
        code: "not-as-asked",
        message: `asked \`${formatValue(requestedText)}\`, the question is \`${formatValue(last.text)}\``,
        pointer: `${last.pointer}/${textMembers[name]}`,
      });
    }
  }
}

function textsIn(call: ConversationCall): readonly QuestionView[] {
  const alone = questionView(call);
  const questions = conversationView(call)?.questions ?? (alone === undefined ? [] : [alone]);
  return questions.filter(({ text }) => text !== undefined);
}
