import { isInUse } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import { isMissing, isRefusedByErrors, isTokenProven, schemeIn } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { isPlain } from "../lists/list-is-accepted.ts";
import { asksForOwn } from "../lists/list-parameters-are-accepted.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

/**
 * A user's access token opens what belongs to that user; in the current interface it has scopes of the external API. Where
 * it never does, and no other token either, it may just be wrong. Source: conversation-api, section 5.
 */
export const accessTokenIsAccepted = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/access-token-is-accepted`,
    check(evidence, witness) {
      const sent = evidence.calls.filter(
        (call) => call.interface === name && call.record.credential === "access-token" && call.asked.hasGoodForm,
      );
      if (sent.length === 0 && isInUse(evidence, name)) {
        witness.needs("a request with an access token (give one in ASSAY_TOKEN)");
      }
      for (const call of sent.filter((call) => isOwnMatter(evidence, call))) {
        judgeCall(evidence, witness, call);
      }
    },
  }),
);

/** Whether a call is about nothing but what belongs to its user. */
function isOwnMatter(evidence: ConversationEvidence, call: ConversationCall): boolean {
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

/** Whether the legacy interface takes the very same token in the scheme of OAuth tokens, which may be what it is. */
const worksAsBearer = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  call.interface === "legacy" &&
  calls.some(
    ({ answer, interface: name, record }) =>
      name === "legacy" && answer.kind === "success" && record.credential === "access-token-as-bearer",
  );

/** The form of the header is unspecified for the current interface: another one than that of the legacy interface is noted. */
function noteForm(witness: Witness, call: ConversationCall): void {
  if (call.interface === "current" && schemeIn(call) === "bearer") {
    witness.notes(call, "current/authorization-form", "an access token is accepted after the word `Bearer`");
  }
}

function judgeCall(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const { answer, operation } = call;
  if (isMissing(call)) {
    // What is answered with errors each time has a rule of its own.
    if (!isRefusedByErrors(evidence, call)) {
      witness.lacks(call, operation);
    }
  } else if (answer.kind === "success") {
    witness.holds(call, operation);
    noteForm(witness, call);
  } else if (answer.kind === "refused" && (answer.status === 401 || answer.status === 403)) {
    const isElsewhere = worksAsBearer(evidence, call);
    if (isTokenProven(evidence, call)) {
      const where = isElsewhere ? ", and the same token was accepted in the scheme `Bearer`" : "";
      witness.breaks(call, `${operation} with an access token was refused with ${answer.status}${where}`, operation);
    } else {
      witness.needs(isElsewhere ? otherScheme : acceptedTokenMissing);
    }
  }
}
