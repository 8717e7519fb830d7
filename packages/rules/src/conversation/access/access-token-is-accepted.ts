import { isInterfaceInUse } from "./call-key.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import {
  isResponseMissing,
  isRefusedWithServerErrors,
  isTokenSufficient,
  authorizationScheme,
} from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { isMinimalList } from "../lists/list-is-accepted.ts";
import { requestsOwnData } from "../lists/list-parameters-are-accepted.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";

/**
 * A user's access token gives access to the user's conversations. In the current interface it needs scopes of the
 * external API. If neither it nor another token is ever accepted, it may be wrong. Source: conversation-api, section 5.
 */
export const accessTokenIsAccepted = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/access-token-is-accepted`,
    check(evidence, reporter) {
      const tokenCalls = evidence.calls.filter(
        (call) =>
          call.interface === interfaceName && call.record.credential === "access-token" && call.request.isWellFormed,
      );
      if (tokenCalls.length === 0 && isInterfaceInUse(evidence, interfaceName)) {
        reporter.needs("a request with an access token (set ASSAY_TOKEN)");
      }
      for (const call of tokenCalls.filter((candidate) => requestsOnlyOwnData(evidence, candidate))) {
        judgeCall(evidence, reporter, call);
      }
    },
  }),
);

/** Reports whether a call requests only the user's own data. */
function requestsOnlyOwnData(evidence: ConversationEvidence, call: ConversationCall): boolean {
  switch (call.operation) {
    case "create":
      return true;
    case "list":
      return call.interface === "legacy" ? requestsOwnData(evidence, call) : isMinimalList(call);
    case "get":
    case "follow-up":
    case "cancel":
    case "delete":
      return findOwnConversation(evidence, call) !== undefined;
  }
}

const oauthTokenInstead =
  "an access token: the token in ASSAY_TOKEN is accepted only with the scheme `Bearer`, like an OAuth token; set OAuth tokens in ASSAY_OAUTH_TOKEN";

/**
 * Reports whether the legacy interface accepts the same token with the scheme for OAuth tokens. Such a token may be an
 * OAuth token.
 */
const worksAsBearer = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  call.interface === "legacy" &&
  calls.some(
    ({ response, interface: interfaceName, record }) =>
      interfaceName === "legacy" && response.kind === "success" && record.credential === "access-token-as-bearer",
  );

/**
 * Notes a form of the authorization header that differs from the legacy one. The header of the current interface is
 * unspecified.
 */
function noteAuthorizationForm(reporter: CallReporter, call: ConversationCall): void {
  if (call.interface === "current" && authorizationScheme(call) === "bearer") {
    reporter.notes(call, "current/authorization-form", "an access token is accepted with the scheme `Bearer`");
  }
}

function judgeCall(evidence: ConversationEvidence, reporter: CallReporter, call: ConversationCall): void {
  const { response, operation } = call;
  if (isResponseMissing(call)) {
    // The rule about the operation reports one that fails every time.
    if (!isRefusedWithServerErrors(evidence, call)) {
      reporter.lacksResponse(call, operation);
    }
  } else if (response.kind === "success") {
    reporter.passes(call, operation);
    noteAuthorizationForm(reporter, call);
  } else if (response.kind === "refused" && (response.status === 401 || response.status === 403)) {
    const isAcceptedAsBearer = worksAsBearer(evidence, call);
    if (isTokenSufficient(evidence, call)) {
      const detail = isAcceptedAsBearer ? ", and the same token was accepted with the scheme `Bearer`" : "";
      reporter.fails(call, `${operation} with an access token was refused with ${response.status}${detail}`, operation);
    } else {
      reporter.needs(isAcceptedAsBearer ? oauthTokenInstead : acceptedTokenPrerequisite);
    }
  }
}
