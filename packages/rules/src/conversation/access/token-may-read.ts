import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { fullCalls, isInUse } from "./same-call.ts";
import type { ConversationCall, ConversationInterface, ConversationOperation } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { isBroken, isTokenKnown } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { isFiltered, listPages } from "../lists/list-page.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

const nameOf: Readonly<Record<ConversationOperation, string>> = {
  create: "a creation",
  get: "a read",
  list: "a list",
  "follow-up": "a follow-up question",
  cancel: "a cancellation",
  delete: "a deletion",
};

interface LimitedToken {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  readonly operations: readonly ConversationOperation[];
  /** What is missing where no such call was asked for with any of them. */
  readonly needs: string;
}

/** Whether an operation is about nobody's conversation, or about one that its own token created or lists. */
const isOwnMatter = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "create" ||
  (call.operation === "list" && !isFiltered(call)) ||
  existingConversation(evidence, call)?.create.record.credential === call.record.credential ||
  listPages(evidence, call.interface).some(
    ({ call: { record }, ids }) =>
      record.credential === call.record.credential && ids.includes(call.asked.conversation ?? ""),
  );

/** Interface and operation: a token of few scopes may have conversations of its own, which the other one cannot read. */
const kindOf = ({ interface: name, operation }: ConversationCall): string => `${name} ${operation}`;

/** A rule that a token which may not do everything may do this, where a full one may. */
const tokenMayDo = ({ id, interface: name, credentials, operations, needs }: LimitedToken): ConversationRule =>
  defineWitnessedRule({
    id,
    check(evidence, witness) {
      const works = new Set(fullCalls(evidence).map(kindOf));
      const sent = evidence.calls.filter(
        (call) =>
          call.interface === name &&
          operations.includes(call.operation) &&
          credentials.includes(call.record.credential) &&
          call.asked.hasGoodForm &&
          isOwnMatter(evidence, call),
      );
      if (sent.length === 0 && isInUse(evidence, name)) {
        witness.needs(needs);
      }
      for (const call of sent) {
        const { answer, operation } = call;
        const subject = `${call.record.credential} ${operation}`;
        if (answer.kind === "success") {
          witness.holds(call, subject);
        } else if (isBroken(call)) {
          witness.lacks(call, subject);
        } else if (answer.kind === "refused" && [401, 403].includes(answer.status) && works.has(kindOf(call))) {
          if (!isTokenKnown(evidence, call.record.credential)) {
            witness.needs(acceptedTokenMissing);
            continue;
          }
          const what = nameOf[operation];
          witness.breaks(call, `${what} with the ${call.record.credential} was refused with ${answer.status}`, subject);
        }
      }
    },
  });

/** The legacy interface asks for an access token, whatever its scopes are. Source: conversation-api, section 5. */
export const anyAccessTokenIsAccepted = tokenMayDo({
  id: "legacy/any-access-token-is-accepted",
  interface: "legacy",
  credentials: ["unscoped-token", "read-token"],
  operations: ["list", "create", "get", "follow-up", "cancel", "delete"],
  needs: "a list with a token of few scopes (give one in ASSAY_UNSCOPED_TOKEN or ASSAY_READ_TOKEN)",
});

/** One of the two scopes of the external API is that for reading. Source: conversation-api, section 5. */
export const readScopeMayRead = tokenMayDo({
  id: "current/read-scope-may-read",
  interface: "current",
  credentials: ["read-token"],
  operations: ["list", "get"],
  needs: "a list with a token that has only the scope externalapi:read (give one in ASSAY_READ_TOKEN)",
});

/** The other one is that for writing, and either is enough to be let in. Source: conversation-api, section 5. */
export const writeScopeMayWrite = tokenMayDo({
  id: "current/write-scope-may-write",
  interface: "current",
  credentials: ["write-token"],
  operations: ["create", "follow-up", "delete"],
  needs: "a creation with a token that has only the scope externalapi:write (give one in ASSAY_WRITE_TOKEN)",
});
