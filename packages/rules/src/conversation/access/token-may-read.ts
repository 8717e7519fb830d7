import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { isInUse, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { isBroken } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { isFiltered } from "../lists/list-page.ts";

interface LimitedToken {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  readonly operation: "list" | "create";
  /** What is missing where no such call was asked for with any of them. */
  readonly needs: string;
}

/** A rule that a token which may not do everything may do this, where a full one may. */
const tokenMayDo = ({ id, interface: name, credentials, operation, needs }: LimitedToken): ConversationRule =>
  defineWitnessedRule({
    id,
    check(evidence, witness) {
      const works = workingCalls(evidence);
      const sent = evidence.calls.filter(
        (call) =>
          call.interface === name &&
          call.operation === operation &&
          credentials.includes(call.record.credential) &&
          call.asked.hasGoodForm &&
          !isFiltered(call),
      );
      if (sent.length === 0 && isInUse(evidence, name)) {
        witness.needs(needs);
      }
      for (const call of sent) {
        const { answer, record } = call;
        if (answer.kind === "success") {
          witness.holds(call, record.credential);
        } else if (isBroken(call)) {
          witness.lacks(call, record.credential);
        } else if (answer.kind === "refused" && [401, 403].includes(answer.status) && works.has(sameCall(call))) {
          witness.breaks(
            call,
            `a ${operation === "list" ? "list" : "creation"} with the ${record.credential} was refused with ${answer.status}`,
            record.credential,
          );
        }
      }
    },
  });

/** The legacy interface asks for an access token, whatever its scopes are. Source: conversation-api, section 5. */
export const anyAccessTokenIsAccepted = tokenMayDo({
  id: "legacy/any-access-token-is-accepted",
  interface: "legacy",
  credentials: ["unscoped-token", "read-token"],
  operation: "list",
  needs: "a list with a token of few scopes (give one in ASSAY_UNSCOPED_TOKEN or ASSAY_READ_TOKEN)",
});

/** One of the two scopes of the external API is that for reading. Source: conversation-api, section 5. */
export const readScopeMayRead = tokenMayDo({
  id: "current/read-scope-may-read",
  interface: "current",
  credentials: ["read-token"],
  operation: "list",
  needs: "a list with a token that has only the scope externalapi:read (give one in ASSAY_READ_TOKEN)",
});

/** The other one is that for writing, and either is enough to be let in. Source: conversation-api, section 5. */
export const writeScopeMayWrite = tokenMayDo({
  id: "current/write-scope-may-write",
  interface: "current",
  credentials: ["write-token"],
  operation: "create",
  needs: "a creation with a token that has only the scope externalapi:write (give one in ASSAY_WRITE_TOKEN)",
});
