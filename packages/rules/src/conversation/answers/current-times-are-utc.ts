import { checkPastRetryTimes } from "./past-retry-times.ts";
import { checkShiftedTimes } from "./shifted-times.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked, operationsReturningConversation } from "../engine/define-conversation-check.ts";

/**
 * The times of a conversation match the clock of the target without a time zone shift, and a retry time is not before
 * the question. The specification does not show the messages of this interface, so no requirement defines its times.
 * Source: conversation-api, section 2.4.
 */
export const currentTimesAreUtc = defineConversationRule({
  id: "current/times-are-utc",
  check(evidence, reportFor) {
    checkShiftedTimes(evidence, "current", reportFor);
    checkPastRetryTimes(evidence, reportFor);
    reportBlocked(
      evidence.calls.filter(
        (call) => call.interface === "current" && operationsReturningConversation.includes(call.operation),
      ),
      reportFor,
    );
  },
});
