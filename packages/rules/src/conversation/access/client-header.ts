import { callKey } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { isBroken } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/** The key shared by equal calls with one credential. Other tokens may be wrong. */
const byCredential = (call: ConversationCall): string => `${call.record.credential} ${callKey(call)}`;

/** The current interface does not require the header. Source: conversation-api, section 5. */
export const needsNoXRequestedWith = defineCallRule({
  id: "current/needs-no-x-requested-with",
  check(evidence, reporter) {
    const sent = evidence.calls.filter(
      ({ interface: name, request, record }) =>
        name === "current" && request.isWellFormed && hasFullAccess(record.credential),
    );
    const succeeded = sent.filter(({ request, response }) => request.hasClientHeader && response.kind === "success");
    const workingKeys = new Set(succeeded.map(byCredential));
    for (const call of sent.filter(({ request }) => !request.hasClientHeader)) {
      const { response } = call;
      if (response.kind === "success") {
        reporter.passes(call);
      } else if (isBroken(call)) {
        reporter.misses(call);
      } else if (response.kind === "refused" && call.operation === "list" && workingKeys.has(byCredential(call))) {
        reporter.fails(
          call,
          `a list without \`X-Requested-With\` was refused with ${response.status}, but one with it was not`,
        );
      }
    }
  },
});
