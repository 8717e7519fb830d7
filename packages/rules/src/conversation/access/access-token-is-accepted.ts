import { isInUse } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import { isMissing, isRefusedByErrors, isTokenSufficient, schemeIn } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { isPlain } from "../lists/list-is-accepted.ts";
import { asksForOwn } from "../lists/list-parameters-are-accepted.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

/**
 * A user's access token gives access to the user's conversations; in the current interface it has scopes of the
 * external API. If neither it nor another token is ever accepted, it may be wrong. Source: conversation-api, section
 * 5.
 */
export const accessTokenIsAccepted = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/access-token-is-accepted`,
    check(evidence, reporter) {
      const sent = evidence.calls.filter(
        (call) => call.interface === name && call.record.credential === "access-token" && call.asked.hasGoodForm,
      );
      if (sent.length === 0 && isInUse(evidence, name)) {
        reporter.needs("a request with an access token (give one in ASSAY_TOKEN)");
      }
      for (const call of sent.filter((call) => isOwnRequest(evidence, call))) {
        judgeCall(evidence, reporter, call);
      }
    },
  }),
);

/** Whether a call only concerns the user's own data. */
function isOwnRequest(evidence: ConversationEvidence, call: ConversationCall): boolean {
  switch (call.operation) {
    case "create":
      return true;
    case "list":
      return call.interface === "legacy" ? asksForOwn(evidence, call) : isPlain(call);
    case "get":
    case "follow-up":
    case "cancel":
    case "delete":
      return ownConversation(evidence, call) !== undefined;
  }
}

const otherScheme =
  "an access token: the one in ASSAY_TOKEN is accepted in the scheme `Bearer` alone, as an OAuth token is, which belongs into ASSAY_OAUTH_TOKEN";

/** Whether the legacy interface accepts the same token in the scheme of OAuth tokens, which it may be. */
const worksAsBearer = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  call.interface === "legacy" &&
  calls.some(
    ({ answer, interface: name, record }) =>
      name === "legacy" && answer.kind === "success" && record.credential === "access-token-as-bearer",
  );

/** The header of the current interface is unspecified: a form that differs from the legacy one is noted. */
function noteForm(reporter: CallReporter, call: ConversationCall): void {
  if (call.interface === "current" && schemeIn(call) === "bearer") {
    reporter.notes(call, "current/authorization-form", "an access token is accepted after the word `Bearer`");
  }
}

function judgeCall(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const { answer, operation } = call;
  if (isMissing(call)) {
    // Errors every time are the subject of another rule.
    if (!isRefusedByErrors(evidence, call)) {
      reporter.misses(call, operation);
    }
  } else if (answer.kind === "success") {
    reporter.passes(call, operation);
    noteForm(reporter, call);
  } else if (answer.kind === "refused" && (answer.status === 401 || answer.status === 403)) {
    const isElsewhere = worksAsBearer(evidence, call);
    if (isTokenSufficient(evidence, call)) {
      const where = isElsewhere ? ", and the same token was accepted in the scheme `Bearer`" : "";
      reporter.fails(call, `${operation} with an access token was refused with ${answer.status}${where}`, operation);
    } else {
      reporter.needs(isElsewhere ? otherScheme : acceptedTokenMissing);
    }
  }
}
