import { neverIssued } from "@assay/evidence";
import { accessTokenIsAccepted } from "./access/access-token-is-accepted.ts";
import { badRequestIsRefused } from "./access/bad-request-is-refused.ts";
import { credentialIsRefused } from "./access/credential-is-refused.ts";
import { otherUserMayNotWrite } from "./access/other-user-may-not-write.ts";
import { otherUsersConversationIsHidden } from "./access/other-users-conversation-is-hidden.ts";
import { refusalIsNoServerError } from "./access/refusal-is-no-server-error.ts";
import { someText } from "./access/some-text.ts";
import { jsonForm } from "./engine/body-form.ts";
import { readText } from "./engine/body-text.ts";
import { defineWitnessedRule } from "./engine/witness.ts";

export { needsNoXRequestedWith } from "./access/client-header.ts";
export { sharedConversationIsReadable, unsharedConversationIsHidden } from "./access/sharing.ts";
export { anyAccessTokenIsAccepted, readScopeMayRead, writeScopeMayWrite } from "./access/token-may-read.ts";
export { unknownIdIsNotFound, unknownNameIsRefused } from "./access/unknown-conversation.ts";

/** A user's access token opens what belongs to that user. Source: conversation-api, section 5. */
export const legacyAccessTokenIsAccepted = accessTokenIsAccepted("legacy");

/** A user's access token opens what belongs to that user. Source: conversation-api, section 5. */
export const currentAccessTokenIsAccepted = accessTokenIsAccepted("current");

/** Nobody sees what another user asked. Source: conversation-api, section 5. */
export const legacyOtherUsersConversationIsHidden = otherUsersConversationIsHidden("legacy");

/** Nobody sees what another user asked. Source: conversation-api, section 5. */
export const currentOtherUsersConversationIsHidden = otherUsersConversationIsHidden("current");

/** Nobody changes what another user asked. Source: conversation-api, section 5. */
export const legacyOtherUserMayNotWrite = otherUserMayNotWrite("legacy");

/** Nobody changes what another user asked. Source: conversation-api, section 5. */
export const currentOtherUserMayNotWrite = otherUserMayNotWrite("current");

/** A creation without a question, or with a body that is not JSON, is a bad request. Source: conversation-api, sections 4.1 and 7. */
export const legacyBadRequestIsRefused = badRequestIsRefused("legacy");

/** A creation without a question, or with a body that is not JSON, is a bad request. Source: conversation-api, section 4.2. */
export const currentBadRequestIsRefused = badRequestIsRefused("current");

/** A mistake of the caller is no error of the server. Source: conversation-api, section 7. */
export const legacyRefusalIsNoServerError = refusalIsNoServerError("legacy");

/** A mistake of the caller is hardly an error of the server; no status is named. Source: conversation-api, section 7. */
export const currentRefusalIsNoServerError = refusalIsNoServerError("current");

/** What nobody signed in for is unauthorized. Source: conversation-api, sections 5 and 7. */
export const legacyMissingTokenIsRefused = credentialIsRefused({
  id: "legacy/missing-token-is-refused",
  interface: "legacy",
  credentials: ["none"],
  came: "without a token",
  status: 401,
});

/** A token that was never issued is unauthorized. Source: conversation-api, sections 5 and 7. */
export const legacyInvalidTokenIsRefused = credentialIsRefused({
  id: "legacy/invalid-token-is-refused",
  interface: "legacy",
  credentials: neverIssued,
  came: "with a token that was never issued",
  status: 401,
});

/** The current interface demands a token as well. Source: conversation-api, section 5. */
export const currentMissingTokenIsRefused = credentialIsRefused({
  id: "current/missing-token-is-refused",
  interface: "current",
  credentials: ["none"],
  came: "without a token",
});

/** A token that was never issued is none. Source: conversation-api, section 5. */
export const currentInvalidTokenIsRefused = credentialIsRefused({
  id: "current/invalid-token-is-refused",
  interface: "current",
  credentials: neverIssued,
  came: "with a token that was never issued",
});

/** The current interface demands a scope of the external API. Source: conversation-api, section 5. */
export const scopeIsRequired = credentialIsRefused({
  id: "current/scope-is-required",
  interface: "current",
  credentials: ["unscoped-token"],
  came: "with a token that lacks the scope",
  needs: "a request with a token that lacks the scope (give one in ASSAY_UNSCOPED_TOKEN)",
});

/** The scope for reading is hardly one for writing; no sentence says so. Source: conversation-api, section 5. */
export const readScopeMayNotWrite = credentialIsRefused({
  id: "current/read-scope-may-not-write",
  interface: "current",
  credentials: ["read-token"],
  came: "with a token that has only the scope for reading",
  operations: ["create"],
  isGood: true,
  needs: "a creation with a token that has only the scope externalapi:read (give one in ASSAY_READ_TOKEN)",
});

/** A refusal says in words why, in whatever form. Source: conversation-api, section 7. */
export const refusalHasAMessage = defineWitnessedRule({
  id: "legacy/refusal-has-a-message",
  check({ calls }, witness) {
    for (const call of calls) {
      if (call.interface !== "legacy" || call.answer.kind !== "refused") {
        continue;
      }
      const { status, text } = call.answer;
      const { hasWords, form } = wordsIn(text);
      if (hasWords) {
        witness.holds(call);
        witness.notes(call, "legacy/error-body", `a refusal with ${status} has ${form}`);
      } else {
        witness.breaks(call, `${call.operation} was refused with ${status} and no words that say why`);
      }
    }
  },
});

const word = /\p{L}{3}/u;

/** Whether a body has words, in a JSON body those of its strings, in a web page those outside of tags; and its form. */
function wordsIn(text: string): { readonly hasWords: boolean; readonly form: string } {
  const read = readText(text);
  const json = read.kind === "text" ? read.json : undefined;
  if (json !== undefined) {
    return { hasWords: someText(json, (held) => word.test(held)), form: jsonForm(json, text) };
  }
  const isPage = /^\s*</.test(text);
  return { hasWords: word.test(isPage ? withoutTags(text) : text), form: isPage ? "a page" : "plain text" };
}

const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, " ");
