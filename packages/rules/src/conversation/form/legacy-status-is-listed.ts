import { legacyMachine } from "@assay/contract";
import { shownValue } from "../../engine/json-value.ts";
import { eachQuestion } from "../engine/each-question.ts";

/** The listed values; which one a cancelled question has is not shown. Source: conversation-api, section 3.1. */
export const legacyStatusIsListed = eachQuestion({
  id: "legacy/status-is-listed",
  interface: "legacy",
  check({ question: { status, pointer }, isCancelled }, report) {
    if (status === undefined) {
      return;
    }
    const place = { pointer: `${pointer}/status` };
    if (status === "pending") {
      report.observation({ code: "legacy/pending-status", message: "a question is `pending`", ...place });
    }
    if (isCancelled && status !== legacyMachine.initial) {
      const message = `the status of a cancelled question is \`${shownValue(status)}\``;
      report.observation({ code: "legacy/status-after-cancel", message, ...place });
      return;
    }
    report.observe();
    if (!legacyMachine.states.includes(status)) {
      report.violation({ message: `the status of a question is \`${shownValue(status)}\``, ...place });
    }
  },
});
