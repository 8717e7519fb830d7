import { unissuedTokens } from "@assay/evidence";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { defineCredentialRule } from "./credential-is-refused.ts";

/** Only the legacy interface has a table of status codes. Source: conversation-api, section 7. */
const unauthorizedStatus = { legacy: { status: 401 }, current: {} } as const;

/** A request without a token is unauthorized. Source: conversation-api, sections 5 and 7. */
export const missingTokenIsRefused = defineForBothInterfaces((interfaceName) =>
  defineCredentialRule({
    id: `${interfaceName}/missing-token-is-refused`,
    interface: interfaceName,
    credentials: ["none"],
    description: "without a token",
    ...unauthorizedStatus[interfaceName],
  }),
);

/** A token that was never issued is unauthorized. Source: conversation-api, sections 5 and 7. */
export const invalidTokenIsRefused = defineForBothInterfaces((interfaceName) =>
  defineCredentialRule({
    id: `${interfaceName}/invalid-token-is-refused`,
    interface: interfaceName,
    credentials: unissuedTokens,
    description: "with a token that was never issued",
    ...unauthorizedStatus[interfaceName],
  }),
);

/** The current interface requires a scope of the external API. Source: conversation-api, section 5. */
export const scopeIsRequired = defineCredentialRule({
  id: "current/scope-is-required",
  interface: "current",
  credentials: ["unscoped-token"],
  description: "with a token that lacks the scope",
  needs: "a request with a token that lacks the scope (set ASSAY_UNSCOPED_TOKEN)",
});

/** The read scope should not permit writing, but no requirement forbids it. Source: conversation-api, section 5. */
export const readScopeMayNotWrite = defineCredentialRule({
  id: "current/read-scope-may-not-write",
  interface: "current",
  credentials: ["read-token"],
  description: "with a token that has only the scope for reading",
  operations: ["create"],
  mustBeValid: true,
  needs: "a creation with a token that has only the scope externalapi:read (set ASSAY_READ_TOKEN)",
});
