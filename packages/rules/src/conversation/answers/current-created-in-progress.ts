import { currentMachine } from "@assay/contract";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { reportBlocked } from "../engine/define-conversation-check.ts";
import type { Reporter } from "../../engine/reporter.ts";

/**
 * The response to a creation shows the conversation in progress. So does the response to a follow-up, if it contains a
 * state. Source: conversation-api, section 3.2.
 */
export const currentCreatedInProgress = defineConversationRule({
  id: "current/created-in-progress",
  check({ calls }, reportFor) {
    const questionCalls = calls.filter(
      ({ interface: interfaceName, operation }) =>
        interfaceName === "current" && (operation === "create" || operation === "follow-up"),
    );
    for (const call of questionCalls) {
      const report = reportFor(call.record.id);
      checkState(call, report);
      if (call.operation === "follow-up" && call.response.kind === "success") {
        report.note({
          code: "current/follow-up-body",
          message: `the response to a follow-up is ${describeFollowUpBody(call)}`,
        });
      }
    }
    reportBlocked(questionCalls, reportFor);
  },
});

function checkState(call: ConversationCall, report: Reporter): void {
  const { state, pointer } = conversationView(call) ?? {};
  // `current/state-is-listed` reports an unlisted state.
  if (state === undefined || !currentMachine.states.includes(state)) {
    return;
  }
  report.observation();
  if (state !== currentMachine.initial) {
    const label = call.operation === "create" ? "a new conversation" : "a conversation with a new question";
    const message = `${label} is \`${state}\`, not \`${currentMachine.initial}\``;
    report.violation({ message, code: "begins-as", argument: state, pointer: `${pointer ?? ""}/state` });
  }
}

function describeFollowUpBody(call: ConversationCall): string {
  if (conversationView(call) !== undefined) {
    return "the conversation";
  }
  return questionView(call) === undefined ? "neither the question nor the conversation" : "only the question";
}
