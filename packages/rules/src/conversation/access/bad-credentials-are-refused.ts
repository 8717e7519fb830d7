import { credentialIsRefused } from "./credential-is-refused.ts";

/** What nobody signed in for is unauthorized. Source: conversation-api, sections 5 and 7. */
export const legacyMissingTokenIsRefused = credentialIsRefused({
  id: "legacy/missing-token-is-refused",
  interface: "legacy",
  credential: "none",
  came: "without a token",
  status: 401,
});

/** A token that was never issued is unauthorized. Source: conversation-api, sections 5 and 7. */
export const legacyInvalidTokenIsRefused = credentialIsRefused({
  id: "legacy/invalid-token-is-refused",
  interface: "legacy",
  credential: "invalid-token",
  came: "with a token that was never issued",
  status: 401,
});

/** A token counts in the scheme `token`, not after just any word. Source: conversation-api, section 5. */
export const otherSchemeIsRefused = credentialIsRefused({
  id: "legacy/other-scheme-is-refused",
  interface: "legacy",
  credential: "other-scheme",
  came: "with a token after a word that is no scheme",
});

/** The current interface demands a token as well. Source: conversation-api, section 5. */
export const currentMissingTokenIsRefused = credentialIsRefused({
  id: "current/missing-token-is-refused",
  interface: "current",
  credential: "none",
  came: "without a token",
});

/** A token that was never issued is none. Source: conversation-api, section 5. */
export const currentInvalidTokenIsRefused = credentialIsRefused({
  id: "current/invalid-token-is-refused",
  interface: "current",
  credential: "invalid-token",
  came: "with a token that was never issued",
});

/** The current interface demands a scope of the external API. Source: conversation-api, section 5. */
export const scopeIsRequired = credentialIsRefused({
  id: "current/scope-is-required",
  interface: "current",
  credential: "unscoped-token",
  came: "with a token that lacks the scope",
  needs: "a request with a token that lacks the scope (give one in ASSAY_UNSCOPED_TOKEN)",
});

/** The scope for reading is hardly one for writing; no sentence says so. Source: conversation-api, section 5. */
export const readScopeMayNotWrite = credentialIsRefused({
  id: "current/read-scope-may-not-write",
  interface: "current",
  credential: "read-token",
  came: "with a token that has only the scope for reading",
  operations: ["create"],
  needs: "a creation with a token that has only the scope externalapi:read (give one in ASSAY_READ_TOKEN)",
});
