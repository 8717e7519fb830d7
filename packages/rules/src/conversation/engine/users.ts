import type { CredentialKind } from "@assay/evidence";

/**
 * The user of each credential. Tokens for only reading or writing, and the access token in other schemes, belong to the
 * same user as the access token. Other credentials may belong to any user, so each is treated as its own user. Requests
 * without a token have no user.
 */
const usersByCredential: Readonly<Record<CredentialKind, string>> = {
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

/** Returns the user of a credential, or `unknown`. */
export const userOf = (credential: CredentialKind): string => usersByCredential[credential];

/** Reports whether a credential is declared to have every scope of the conversation API. */
export const hasEveryScope = (credential: CredentialKind): boolean =>
  credential === "access-token" || credential === "other-token";

/**
 * Reports whether a credential permits everything once it is accepted, so that any refusal is due to the request. An
 * unknown credential may not. The specification does not mention OAuth tokens here, but a run may have no other.
 */
export const hasFullAccess = (credential: CredentialKind): boolean =>
  hasEveryScope(credential) || credential === "oauth-token";

/** Reports whether a conversation created with this credential does not belong to the second user. */
export const belongsToMainUser = (credential: CredentialKind): boolean =>
  credential === "oauth-token" || userOf(credential) === "main";
