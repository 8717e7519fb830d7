import { eachQuestion } from "../engine/each-question.ts";
import { arrayMember, stringMember } from "../engine/wire-member.ts";

/** The answer to a creation shows the turn of the user. Source: conversation-api, section 2.2. */
export const legacyNewQuestionHasTurns = eachQuestion({
  id: "legacy/new-question-has-turns",
  interface: "legacy",
  check({ question: { json, pointer }, isNew, call }, report) {
    if (!isNew || call.operation !== "create") {
      return;
    }
    report.observe();
    if (!arrayMember(json, "turns").some((turn) => stringMember(turn, "role") === "user")) {
      report.violation({ message: "a new question has no turn of the user", pointer: `${pointer}/turns` });
    }
  },
});
