import type { CredentialKind } from "@assay/evidence";
import { currentMachine, errorCodes } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findErrorCode } from "../migration/finished-pairs.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/** The limit that every question of a declared user exceeds. */
const expectedErrors: Readonly<Partial<Record<CredentialKind, { readonly code: string; readonly limit: string }>>> = {
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
    for (const { interface: name, create, calls, id } of ownConversations(evidence)) {
      const expected = name === "current" ? expectedErrors[create.record.credential] : undefined;
      const ended = calls.findLast((call) => call.interface === "current" && hasEnded(conversationView(call)));
      const view = ended === undefined ? undefined : conversationView(ended);
      if (expected === undefined || ended === undefined || view === undefined) {
        continue;
      }
      const ending = endingOf(view);
      if (ending === expected.code) {
        reporter.passes(ended, id);
      } else if (judged.has(ending)) {
        const message = `a question of a user without ${expected.limit} left ended with \`${formatValue(ending)}\` instead of \`${expected.code}\``;
        reporter.fails(ended, message, id);
      }
    }
  },
});

/**
 * Endings that are judged. An error without a listed code fails other rules. An answer shows that the limit was not
 * exceeded, so the operator's declaration may be outdated.
 */
const judged: ReadonlySet<string> = new Set(errorCodes);

const hasEnded = (view: ConversationView | undefined): boolean =>
  view?.state !== undefined && currentMachine.terminal.includes(view.state);

/** The code of the error, or otherwise the state. */
const endingOf = (view: ConversationView): string => findErrorCode(view) ?? view.state ?? "";
