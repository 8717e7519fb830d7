import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { successfulFullAccessCalls, isInterfaceInUse } from "./call-key.ts";
import type { ConversationCall, ConversationInterface, ConversationOperation } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { findExistingConversation } from "../engine/created-conversations.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { hasFailed, isTokenKnown } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { isFiltered, findListPages } from "../lists/list-page.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";

const operationLabels: Readonly<Record<ConversationOperation, string>> = {
  create: "a creation",
  get: "a read",
  list: "a list",
  "follow-up": "a follow-up question",
  cancel: "a cancellation",
  delete: "a deletion",
};

interface LimitedTokenRule {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  readonly operations: readonly ConversationOperation[];
  /** The missing prerequisite if no such call was sent with any of the tokens. */
  readonly needs: string;
}

/** Reports whether a call needs no conversation, or one that the same token created or lists. */
const requestsDataOfToken = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "create" ||
  (call.operation === "list" && !isFiltered(call)) ||
  findExistingConversation(evidence, call)?.create.record.credential === call.record.credential ||
  findListPages(evidence, call.interface).some(
    ({ call: { record }, ids }) =>
      record.credential === call.record.credential && ids.includes(call.request.conversationId ?? ""),
  );

/**
 * Returns the key shared by calls of one operation of an interface. The conversation is not part of the key, because a
 * token with few scopes may have its own conversations, which the other token cannot read.
 */
const toOperationKey = ({ interface: interfaceName, operation }: ConversationCall): string =>
  `${interfaceName} ${operation}`;

/** Defines a rule that a limited token permits these operations if a full token does. */
const defineTokenRule = ({
  id,
  interface: interfaceName,
  credentials,
  operations,
  needs,
}: LimitedTokenRule): ConversationRule =>
  defineCallRule({
    id,
    check(evidence, reporter) {
      const workingKeys = new Set(successfulFullAccessCalls(evidence).map(toOperationKey));
      const tokenCalls = evidence.calls.filter(
        (call) =>
          call.interface === interfaceName &&
          operations.includes(call.operation) &&
          credentials.includes(call.record.credential) &&
          call.request.isWellFormed &&
          requestsDataOfToken(evidence, call),
      );
      if (tokenCalls.length === 0 && isInterfaceInUse(evidence, interfaceName)) {
        reporter.needs(needs);
      }
      for (const call of tokenCalls) {
        const { response, operation } = call;
        const subject = `${call.record.credential} ${operation}`;
        if (response.kind === "success") {
          reporter.passes(call, subject);
        } else if (hasFailed(call)) {
          reporter.lacksResponse(call, subject);
        } else if (
          response.kind === "refused" &&
          [401, 403].includes(response.status) &&
          workingKeys.has(toOperationKey(call))
        ) {
          if (!isTokenKnown(evidence, call.record.credential)) {
            reporter.needs(acceptedTokenPrerequisite);
            continue;
          }
          const label = operationLabels[operation];
          reporter.fails(
            call,
            `${label} with the ${call.record.credential} was refused with ${response.status}`,
            subject,
          );
        }
      }
    },
  });

/** The legacy interface accepts any access token, regardless of its scopes. Source: conversation-api, section 5. */
export const anyAccessTokenIsAccepted = defineTokenRule({
  id: "legacy/any-access-token-is-accepted",
  interface: "legacy",
  credentials: ["unscoped-token", "read-token"],
  operations: ["list", "create", "get", "follow-up", "cancel", "delete"],
  needs: "a list with a token of few scopes (set ASSAY_UNSCOPED_TOKEN or ASSAY_READ_TOKEN)",
});

/** The read scope of the external API permits reading. Source: conversation-api, section 5. */
export const readScopeMayRead = defineTokenRule({
  id: "current/read-scope-may-read",
  interface: "current",
  credentials: ["read-token"],
  operations: ["list", "get"],
  needs: "a list with a token that has only the scope externalapi:read (set ASSAY_READ_TOKEN)",
});

/** The write scope permits writing. Either scope is sufficient for access. Source: conversation-api, section 5. */
export const writeScopeMayWrite = defineTokenRule({
  id: "current/write-scope-may-write",
  interface: "current",
  credentials: ["write-token"],
  operations: ["create", "follow-up", "delete"],
  needs: "a creation with a token that has only the scope externalapi:write (set ASSAY_WRITE_TOKEN)",
});
