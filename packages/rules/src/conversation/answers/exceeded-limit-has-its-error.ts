import type { CredentialKind } from "@assay/evidence";
import { currentMachine, errorCodes } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { errorCodeOf } from "../migration/finished-pairs.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import { defineCallRule } from "../engine/call-rule.ts";

/** The limit that every question of a declared user exceeds. */
const errorOf: Readonly<Partial<Record<CredentialKind, { readonly code: string; readonly what: string }>>> = {
  "quota-token": { code: "ERROR_QUOTA_EXCEEDED", what: "quota" },
  "entitlement-token": { code: "ERROR_ENTITLEMENT_EXCEEDED", what: "entitlement" },
};

/**
 * A question of a user whose quota or entitlement is declared to be used up ends with that error. The token limit is
 * not judged, because it is not specified. Source: conversation-api, section 8.
 */
export const currentExceededLimitHasItsError = defineCallRule({
  id: "current/exceeded-limit-has-its-error",
  check(evidence, reporter) {
    for (const { interface: name, create, calls, conversation } of ownConversations(evidence)) {
      const expected = name === "current" ? errorOf[create.record.credential] : undefined;
      const ended = calls.findLast((call) => call.interface === "current" && hasEnded(conversationView(call)));
      const view = ended === undefined ? undefined : conversationView(ended);
      if (expected === undefined || ended === undefined || view === undefined) {
        continue;
      }
      const ending = endingOf(view);
      if (ending === expected.code) {
        reporter.passes(ended, conversation);
      } else if (judged.has(ending)) {
        const message = `a question of a user without ${expected.what} left ended in \`${formatValue(ending)}\`, not in \`${expected.code}\``;
        reporter.fails(ended, message, conversation);
      }
    }
  },
});

/**
 * An error without a listed code fails other rules. An answer shows that the limit was not exceeded: the declaration
 * of the operator may be outdated.
 */
const judged: ReadonlySet<string> = new Set(errorCodes);

const hasEnded = (view: ConversationView | undefined): boolean =>
  view?.state !== undefined && currentMachine.terminal.includes(view.state);

/** The code of the error, or else the state. */
const endingOf = (view: ConversationView): string => errorCodeOf(view) ?? view.state ?? "";
