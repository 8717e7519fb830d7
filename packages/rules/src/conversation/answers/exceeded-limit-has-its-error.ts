import type { CredentialKind } from "@assay/evidence";
import { currentMachine, errorCodes } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findErrorCode } from "../migration/finished-pairs.ts";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/**
 * The expected error code for users who are declared to have no quota or entitlement left, and the limit for messages.
 */
const errorsByCredential: Readonly<Partial<Record<CredentialKind, { readonly code: string; readonly limit: string }>>> =
  {
    "quota-token": { code: "ERROR_QUOTA_EXCEEDED", limit: "quota" },
    "entitlement-token": { code: "ERROR_ENTITLEMENT_EXCEEDED", limit: "entitlement" },
  };

/**
 * If the quota or entitlement of a user is declared to be used up, the user's questions end with that error. The token
 * limit is not judged, because it is not specified. Source: conversation-api, section 8.
 */
export const currentExceededLimitHasItsError = defineCallRule({
  id: "current/exceeded-limit-has-its-error",
  check(evidence, reporter) {
    for (const { interface: interfaceName, create, calls, id } of findCreatedConversations(evidence)) {
      const expectedError = interfaceName === "current" ? errorsByCredential[create.record.credential] : undefined;
      const finalCall = calls.findLast((call) => call.interface === "current" && hasEnded(conversationView(call)));
      const view = finalCall === undefined ? undefined : conversationView(finalCall);
      if (expectedError === undefined || finalCall === undefined || view === undefined) {
        continue;
      }
      const ending = findEnding(view);
      if (ending === expectedError.code) {
        reporter.passes(finalCall, id);
      } else if (judgedEndings.has(ending)) {
        const message = `a question of a user without ${expectedError.limit} left ended with \`${formatValue(ending)}\` instead of \`${expectedError.code}\``;
        reporter.fails(finalCall, message, id);
      }
    }
  },
});

/**
 * Endings that are judged. `current/error-code-is-listed` reports other codes. An answer shows that the limit was not
 * exceeded, so the operator's declaration may be outdated.
 */
const judgedEndings: ReadonlySet<string> = new Set(errorCodes);

const hasEnded = (view: ConversationView | undefined): boolean =>
  view?.state !== undefined && currentMachine.terminal.includes(view.state);

/** Returns the code of the error, or otherwise the state. */
const findEnding = (view: ConversationView): string => findErrorCode(view) ?? view.state ?? "";
