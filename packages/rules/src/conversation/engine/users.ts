import type { CredentialKind } from "@assay/evidence";

/**
 * Who asks with which credential. The tokens for reading or writing alone, and the access token in other schemes, go with the access token, all others may be of
 * somebody else, so that each is taken for a user of its own. Requests without a user are those of nobody.
 */
const users: Readonly<Record<CredentialKind, string>> = {
  "access-token": "main",
  "read-token": "main",
  "other-scheme": "main",
  "oauth-token": "oauth",
  "other-token": "other",
  "quota-token": "quota",
  "entitlement-token": "entitlement",
  "unscoped-token": "unscoped",
  "unscoped-oauth-token": "unscoped-oauth",
  "write-token": "main",
  "access-token-as-bearer": "main",
  "invalid-token": "invalid",
  "invalid-oauth-token": "invalid",
  "shortened-token": "invalid",
  "lengthened-token": "invalid",
  "empty-token": "invalid",
  none: "none",
  unknown: "unknown",
};

/** The user behind a credential, as far as the run knows users. */
export const userOf = (credential: CredentialKind): string => users[credential];

/** Whether a credential is declared to have every scope that the conversation API may ask for. */
export const hasEveryScope = (credential: CredentialKind): boolean =>
  credential === "access-token" || credential === "other-token";

/**
 * Whether a credential may do everything once it is shown to be accepted, so that a refusal is one of the request. An unknown
 * one may not. Of OAuth tokens the document does not speak: a run may have no other.
 */
export const mayDoEverything = (credential: CredentialKind): boolean =>
  hasEveryScope(credential) || credential === "oauth-token";

/** Whether a conversation that was created with this credential is not one of the second user. */
export const isOfMainUser = (credential: CredentialKind): boolean =>
  credential === "oauth-token" || userOf(credential) === "main";
