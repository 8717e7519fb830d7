import { legacyMachine } from "@assay/contract";
import { questionView } from "../engine/conversation-view.ts";
import { eachQuestion } from "../engine/each-question.ts";

/** The answer to a creation or a follow-up shows the question at work. Source: conversation-api, section 3.1. */
export const legacyCreatedInProgress = eachQuestion({
  id: "legacy/created-in-progress",
  interface: "legacy",
  check({ question: { status, pointer }, isNew, call }, report) {
    if (isNew && questionView(call) !== undefined) {
      report.observation({ code: "legacy/follow-up-body", message: "a follow-up is answered by the question alone" });
    }
    // A status that is not listed is a rule of its own.
    if (!isNew || status === undefined || !legacyMachine.states.includes(status)) {
      return;
    }
    const place = { pointer: `${pointer}/status` };
    report.observe();
    if (status === "pending") {
      report.observation({ code: "legacy/pending-status", message: "a new question is `pending`", ...place });
    } else if (status !== legacyMachine.initial) {
      report.violation({ message: `a new question is \`${status}\`, not \`${legacyMachine.initial}\``, ...place });
    }
  },
});
