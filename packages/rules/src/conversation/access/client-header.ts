import { callKey } from "./call-key.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { hasFailed } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/** Returns the key shared by equal calls with the same credential. A different token may be wrong. */
const toCredentialKey = (call: ConversationCall): string => `${call.record.credential} ${callKey(call)}`;

/** The current interface does not require the header. Source: conversation-api, section 5. */
export const needsNoXRequestedWith = defineCallRule({
  id: "current/needs-no-x-requested-with",
  check(evidence, reporter) {
    const currentCalls = evidence.calls.filter(
      ({ interface: interfaceName, request, record }) =>
        interfaceName === "current" && request.isWellFormed && hasFullAccess(record.credential),
    );
    const callsWithHeader = currentCalls.filter(
      ({ request, response }) => request.hasClientHeader && response.kind === "success",
    );
    const workingKeys = new Set(callsWithHeader.map(toCredentialKey));
    for (const call of currentCalls.filter(({ request }) => !request.hasClientHeader)) {
      const { response } = call;
      if (response.kind === "success") {
        reporter.passes(call);
      } else if (hasFailed(call)) {
        reporter.lacksResponse(call);
      } else if (response.kind === "refused" && call.operation === "list" && workingKeys.has(toCredentialKey(call))) {
        reporter.fails(
          call,
          `a list without \`X-Requested-With\` was refused with ${response.status}, but one with it was not`,
        );
      }
    }
  },
});
