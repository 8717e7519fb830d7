import { legacyValidators } from "@assay/openapi";
import { eachQuestion } from "../engine/each-question.ts";
import { reportMisfits } from "./report-misfits.ts";

/** The question object itself; what is in it has rules of its own. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = eachQuestion({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportMisfits(legacyValidators().LegacyQuestion, { what: "a question", value: json, pointer }, report);
  },
});
