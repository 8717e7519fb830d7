import type { ApiCredential, Identity } from "../../access.ts";

export interface Caller {
  readonly userId: number;
}

/** The reason a call is refused, whatever its body contains. */
export type AccessProblem = "no-token" | "invalid-token" | "other-scheme" | "missing-scope" | "client-header";

/** An access decision. */
export type ApiAccess =
  | { readonly allowed: true; readonly caller: Caller }
  | { readonly allowed: false; readonly problem: AccessProblem; readonly message: string };

/** Input of the access decision. */
export interface ApiAccessRequest {
  readonly interface: "legacy" | "current";
  /** True if the operation changes something. */
  readonly isWrite: boolean;
  /** Value of `X-Requested-With`. */
  readonly clientHeader: string | undefined;
}

const createRefusal = (problem: AccessProblem, message: string): ApiAccess => ({ allowed: false, problem, message });

/** Refusals of credentials that neither interface accepts. */
const credentialRefusals: Partial<Readonly<Record<ApiCredential, ApiAccess>>> = {
  none: createRefusal("no-token", "This API requires an access token."),
  invalid: createRefusal("invalid-token", "Invalid access token."),
  "other-scheme": createRefusal("other-scheme", "Invalid Authorization header."),
};

/** A client name and a version, separated by white space. */
const clientAndVersion = /^\S+\s+\S+$/u;

const decideLegacyAccess = ({ credential, userId }: Identity, { clientHeader }: ApiAccessRequest): ApiAccess => {
  if (credential === "oauth" || credential === "noScopeOauth") {
    return createRefusal("other-scheme", "This interface accepts access tokens only under the scheme token.");
  }
  return clientAndVersion.test(clientHeader?.trim() ?? "")
    ? { allowed: true, caller: { userId } }
    : createRefusal("client-header", "The header X-Requested-With must name the client and its version.");
};

const decideCurrentAccess = ({ scopes, userId }: Identity, { isWrite }: ApiAccessRequest): ApiAccess => {
  const hasScope = scopes.includes("externalapi:write") || (!isWrite && scopes.includes("externalapi:read"));
  return hasScope
    ? { allowed: true, caller: { userId } }
    : createRefusal("missing-scope", `The token lacks the scope externalapi:${isWrite ? "write" : "read"}.`);
};

/**
 * Decides whether a call is allowed. The legacy interface accepts any access token under the scheme `token` and requires
 * `X-Requested-With`. The current one also accepts OAuth tokens and requires a scope: either to read, `externalapi:write` to write.
 * Source: conversation-api, section 5.
 */
export const decideApiAccess = (identity: Identity, request: ApiAccessRequest): ApiAccess =>
  credentialRefusals[identity.credential] ??
  (request.interface === "legacy" ? decideLegacyAccess(identity, request) : decideCurrentAccess(identity, request));
