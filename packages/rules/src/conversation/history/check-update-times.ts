import type { ConversationView, QuestionView } from "@assay/reading";
import { parseInstant } from "@assay/state-machine";
import { formatValue } from "../../engine/format-value.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { viewsIn } from "../engine/define-conversation-check.ts";
import { collectQuestions } from "../engine/define-question-check.ts";

/** The two times may come from clocks that differ slightly, and may be rounded differently. */
const toleranceMicros = 1_000_000;

type ViewWithTimes = Pick<ConversationView | QuestionView, "createdAt" | "updatedAt" | "pointer">;

/** Checks that update times are not before creation times. Unparseable times are ignored. */
export function checkUpdateTimes(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const call of evidence.calls.filter((candidate) => candidate.interface === interfaceName)) {
    for (const view of viewsIn(call)) {
      checkUpdateTime({ view, subject: "a conversation" }, call.record.id, reportFor);
    }
  }
  for (const { question, call } of collectQuestions(evidence, interfaceName)) {
    checkUpdateTime({ view: question, subject: "a question" }, call.record.id, reportFor);
  }
}

function checkUpdateTime(
  { view, subject }: { readonly view: ViewWithTimes; readonly subject: string },
  exchange: string,
  reportFor: ReportFor,
): void {
  const { createdAt = "", updatedAt = "", pointer } = view;
  const aheadMicros = parseInstant(createdAt).micros - parseInstant(updatedAt).micros;
  if (Number.isNaN(aheadMicros)) {
    return;
  }
  const report = reportFor(exchange);
  report.observation();
  if (aheadMicros > toleranceMicros) {
    report.violation({
      code: "updated-before-created",
      message: `${subject} was created at ${formatValue(createdAt)} and last updated before, at ${formatValue(updatedAt)}`,
      pointer,
    });
  }
}
