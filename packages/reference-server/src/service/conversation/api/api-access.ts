import type { ApiCredential, Identity } from "../../access.ts";

/** Who calls. */
export interface Caller {
  readonly userId: number;
}

/** Why a call is refused before it is read. */
export type AccessProblem = "no-token" | "invalid-token" | "other-scheme" | "missing-scope" | "client-header";

/** Whether a call may go on. */
export type ApiAccess =
  | { readonly allowed: true; readonly caller: Caller }
  | { readonly allowed: false; readonly problem: AccessProblem; readonly message: string };

/** What the decision rests on. */
export interface AccessRequest {
  readonly interface: "legacy" | "current";
  /** Whether the operation changes something. */
  readonly writes: boolean;
  /** Value of `X-Requested-With`. */
  readonly clientHeader: string | undefined;
}

const refuse = (problem: AccessProblem, message: string): ApiAccess => ({ allowed: false, problem, message });

/** Credentials that are nobody's. */
const refusedCredentials: Partial<Readonly<Record<ApiCredential, ApiAccess>>> = {
  none: refuse("no-token", "This API requires an access token."),
  invalid: refuse("invalid-token", "Invalid access token."),
  "other-scheme": refuse("other-scheme", "Invalid Authorization header."),
};

/** A client name, white space and a version, neither of them with white space inside. */
const clientAndVersion = /^\S+\s+\S+$/u;

const legacyAccess = ({ credential, userId }: Identity, { clientHeader }: AccessRequest): ApiAccess => {
  if (credential === "oauth" || credential === "noScopeOauth") {
    return refuse("other-scheme", "This interface takes access tokens in the scheme token.");
  }
  return clientAndVersion.test(clientHeader?.trim() ?? "")
    ? { allowed: true, caller: { userId } }
    : refuse("client-header", "The header X-Requested-With must name the client and its version.");
};

const currentAccess = ({ scopes, userId }: Identity, { writes }: AccessRequest): ApiAccess => {
  const isEnough = scopes.includes("externalapi:write") || (!writes && scopes.includes("externalapi:read"));
  return isEnough
    ? { allowed: true, caller: { userId } }
    : refuse("missing-scope", `The token lacks the scope externalapi:${writes ? "write" : "read"}.`);
};

/**
 * Whether a call may go on. The legacy interface takes any access token in the scheme `token` and wants `X-Requested-With`;
 * the current one takes OAuth tokens too and wants a scope: either to read, `externalapi:write` to write.
 * Source: conversation-api, section 5.
 */
export const decideApiAccess = (identity: Identity, request: AccessRequest): ApiAccess =>
  refusedCredentials[identity.credential] ??
  (request.interface === "legacy" ? legacyAccess(identity, request) : currentAccess(identity, request));
