import { defineCallRule } from "../engine/call-rule.ts";

/** The table of status codes contains two success codes. Source: conversation-api, section 7. */
export const successStatusIsListed = defineCallRule({
  id: "legacy/success-status-is-listed",
  check({ calls }, reporter) {
    for (const call of calls) {
      const status = call.response.kind === "success" && call.interface === "legacy" ? call.response.status : undefined;
      if (status === 200 || status === 202) {
        reporter.passes(call);
      } else if (status !== undefined) {
        reporter.fails(call, `${call.operation} succeeded with status ${status}, which the status table does not list`);
      }
      if (status === 202) {
        reporter.notes(call, "legacy/success-code", `${call.operation} returned 202`);
      }
    }
  },
});
