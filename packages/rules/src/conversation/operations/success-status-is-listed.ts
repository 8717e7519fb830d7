import { defineWitnessedRule } from "./witness.ts";

/** The table of status codes has two of success. Source: conversation-api, section 7. */
export const successStatusIsListed = defineWitnessedRule({
  id: "legacy/success-status-is-listed",
  check({ calls }, witness) {
    for (const call of calls) {
      const status = call.answer.kind === "success" && call.interface === "legacy" ? call.answer.status : undefined;
      if (status === 200 || status === 202) {
        witness.holds(call);
      } else if (status !== undefined) {
        witness.breaks(call, `the success of ${call.operation} was told with ${status}, which the table does not list`);
      }
      if (status === 202) {
        witness.notes(call, "legacy/success-code", `${call.operation} was answered with 202`);
      }
    }
  },
});
