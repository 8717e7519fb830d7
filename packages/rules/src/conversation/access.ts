import { readText } from "@assay/reading";
import { unissuedTokens } from "@assay/evidence";
import { credentialIsRefused } from "./access/credential-is-refused.ts";
import { someText } from "./access/some-text.ts";
import { jsonForm } from "./engine/body-form.ts";
import { inBothInterfaces } from "./engine/conversation-rule.ts";
import { defineCallRule } from "./engine/call-rule.ts";

export { accessTokenIsAccepted } from "./access/access-token-is-accepted.ts";
export { badRequestIsRefused } from "./access/bad-request-is-refused.ts";
export { otherUserMayNotWrite } from "./access/other-user-may-not-write.ts";
export { otherUsersConversationIsHidden } from "./access/other-users-conversation-is-hidden.ts";
export { refusalIsNoServerError } from "./access/refusal-is-no-server-error.ts";
export { needsNoXRequestedWith } from "./access/client-header.ts";
export { sharedConversationIsReadable, unsharedConversationIsHidden } from "./access/sharing.ts";
export { anyAccessTokenIsAccepted, readScopeMayRead, writeScopeMayWrite } from "./access/token-may-read.ts";
export { unknownIdIsNotFound, unknownNameIsRefused } from "./access/unknown-conversation.ts";

/** Only the legacy interface has a table of statuses. Source: conversation-api, section 7. */
const unauthorized = { legacy: { status: 401 }, current: {} } as const;

/** A request without a token is unauthorized. Source: conversation-api, sections 5 and 7. */
export const missingTokenIsRefused = inBothInterfaces((name) =>
  credentialIsRefused({
    id: `${name}/missing-token-is-refused`,
    interface: name,
    credentials: ["none"],
    came: "without a token",
    ...unauthorized[name],
  }),
);

/** A token that was never issued is unauthorized. Source: conversation-api, sections 5 and 7. */
export const invalidTokenIsRefused = inBothInterfaces((name) =>
  credentialIsRefused({
    id: `${name}/invalid-token-is-refused`,
    interface: name,
    credentials: unissuedTokens,
    came: "with a token that was never issued",
    ...unauthorized[name],
  }),
);

/** The current interface requires a scope of the external API. Source: conversation-api, section 5. */
export const scopeIsRequired = credentialIsRefused({
  id: "current/scope-is-required",
  interface: "current",
  credentials: ["unscoped-token"],
  came: "with a token that lacks the scope",
  needs: "a request with a token that lacks the scope (give one in ASSAY_UNSCOPED_TOKEN)",
});

/** The read scope should not permit writing; no requirement says so. Source: conversation-api, section 5. */
export const readScopeMayNotWrite = credentialIsRefused({
  id: "current/read-scope-may-not-write",
  interface: "current",
  credentials: ["read-token"],
  came: "with a token that has only the scope for reading",
  operations: ["create"],
  isGood: true,
  needs: "a creation with a token that has only the scope externalapi:read (give one in ASSAY_READ_TOKEN)",
});

/** A refusal has a message in any form. Source: conversation-api, section 7. */
export const refusalHasAMessage = defineCallRule({
  id: "legacy/refusal-has-a-message",
  check({ calls }, reporter) {
    for (const call of calls) {
      if (call.interface !== "legacy" || call.answer.kind !== "refused") {
        continue;
      }
      const { status, text } = call.answer;
      const { hasWords, form } = wordsIn(text);
      if (hasWords) {
        reporter.passes(call);
        reporter.notes(call, "legacy/error-body", `a refusal with ${status} has ${form}`);
      } else {
        reporter.fails(call, `${call.operation} was refused with ${status} and no words that say why`);
      }
    }
  },
});

const word = /\p{L}{3}/u;

/** Whether a body has words, and its form. Counts strings of a JSON body, and text outside tags of a web page. */
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
