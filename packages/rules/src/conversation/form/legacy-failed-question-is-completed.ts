import { legacyMachine } from "@assay/contract";
import { eachQuestion } from "../engine/each-question.ts";

/** There is no status of failure: a question with an error is completed. Source: conversation-api, sections 3.1 and 7. */
export const legacyFailedQuestionIsCompleted = eachQuestion({
  id: "legacy/failed-question-is-completed",
  interface: "legacy",
  check({ question: { status, facts, pointer }, isCancelled }, report) {
    // A status that is not listed is a rule of its own; what a cancellation leads to is not shown.
    if (isCancelled || !facts.has("error") || status === undefined || !legacyMachine.states.includes(status)) {
      return;
    }
    report.observe();
    if (status !== "completed") {
      report.violation({ message: `a question with an error is \`${status}\``, pointer: `${pointer}/status` });
    }
  },
});
