import type { Alert } from "./query/search-query.ts";
import type { IssuedTokens } from "./tokens.ts";

/** Whether a search needs a token (`private`) or may be anonymous (`public`). */
export type AccessMode = "private" | "public";

/** How a request identified itself. */
export type CredentialKind =
  | "none"
  | "access"
  | "oauth"
  | "no-scope"
  | "no-scope-oauth"
  | "invalid"
  | "unknown-scheme"
  | "sudo";

/** An answer to a request that may not search: a response of its own, or a stream of one alert. */
export type Refusal =
  | {
      readonly allowed: false;
      readonly status: number;
      readonly text: string;
      readonly location?: string;
      /** Value of the header `Retry-After`. */
      readonly retryAfterSeconds?: number;
    }
  | { readonly allowed: false; readonly alert: Alert };

export type AccessDecision = { readonly allowed: true } | Refusal;

/** Texts of refusals; each goes out as plain text with a line end. */
export const refusals = {
  anonymous: { allowed: false, status: 401, text: "Private mode requires authentication." },
  invalidToken: { allowed: false, status: 401, text: "Invalid access token." },
  invalidHeader: { allowed: false, status: 401, text: "Invalid Authorization header." },
  missingScope: { allowed: false, status: 403, text: "The token lacks the scope user:all." },
  sudo: { allowed: false, status: 403, text: "The subject user of a sudo access token must be a site admin." },
} as const satisfies Record<string, Refusal>;

/** Numbers of the users that exist. */
export const userIds = { main: 1, other: 2, quota: 3, entitlement: 4 } as const;

/** How a request identified itself, by the kind of token. */
export type ApiCredential = keyof IssuedTokens | "none" | "invalid" | "other-scheme";

/** Who a request comes from. */
export interface Identity {
  readonly credential: ApiCredential;
  /** 0 when the credential is nobody's. */
  readonly userId: number;
  readonly scopes: readonly string[];
}

const allScopes = ["user:all", "externalapi:read", "externalapi:write"];

const holders: Readonly<Record<keyof IssuedTokens, Omit<Identity, "credential">>> = {
  access: { userId: userIds.main, scopes: allScopes },
  oauth: { userId: userIds.main, scopes: allScopes },
  other: { userId: userIds.other, scopes: allScopes },
  noScope: { userId: userIds.main, scopes: [] },
  noScopeOauth: { userId: userIds.main, scopes: [] },
  read: { userId: userIds.main, scopes: ["externalapi:read"] },
  write: { userId: userIds.main, scopes: ["externalapi:write"] },
  quota: { userId: userIds.quota, scopes: allScopes },
  entitlement: { userId: userIds.entitlement, scopes: allScopes },
};

const accessTokens = ["access", "other", "noScope", "read", "write", "quota", "entitlement"] as const;
const oauthTokens = ["oauth", "noScopeOauth"] as const;

const nobody = (credential: ApiCredential): Identity => ({ credential, userId: 0, scopes: [] });

const holderOf = (kinds: readonly (keyof IssuedTokens)[], token: string, tokens: IssuedTokens): Identity => {
  const kind = kinds.find((name) => tokens[name] === token);
  return kind === undefined ? nobody("invalid") : { credential: kind, ...holders[kind] };
};

const schemeAndRest = (header: string | undefined): readonly [string, string] => {
  const [scheme = "", ...rest] = (header ?? "").trim().split(/\s+/u);
  return [scheme.toLowerCase(), rest.join(" ")];
};

/**
 * Who an Authorization header stands for. A token counts only under its own scheme: access tokens under `token`, OAuth tokens
 * under `Bearer`; schemes are compared without regard to case.
 */
export const identify = (header: string | undefined, tokens: IssuedTokens): Identity => {
  const [scheme, token] = schemeAndRest(header);
  switch (scheme) {
    case "":
      return nobody("none");
    case "token":
      return holderOf(accessTokens, token, tokens);
    case "bearer":
      return holderOf(oauthTokens, token, tokens);
    default:
      return nobody("other-scheme");
  }
};

const sudoKind = (rest: string, tokens: IssuedTokens): CredentialKind => {
  const token = /token="([^"]*)"/u.exec(rest)?.[1] ?? "";
  return holderOf(accessTokens, token, tokens).credential === "invalid" ? "invalid" : "sudo";
};

/** What kind of credential an Authorization header is to a search. Schemes and tokens as `identify` reads them. */
export const credentialKind = (header: string | undefined, tokens: IssuedTokens): CredentialKind => {
  const [scheme, rest] = schemeAndRest(header);
  if (scheme === "token-sudo") {
    return sudoKind(rest, tokens);
  }
  const { credential, scopes } = identify(header, tokens);
  if (credential === "none" || credential === "invalid" || credential === "oauth") {
    return credential;
  }
  if (credential === "other-scheme") {
    return "unknown-scheme";
  }
  return scopes.includes("user:all") ? "access" : credential === "noScopeOauth" ? "no-scope-oauth" : "no-scope";
};

/** What a token that was never issued has in common with an access token: it is its beginning, or nothing, or has more behind it. */
export type TokenLikeness = "beginning" | "longer" | "empty";

/** What the token of an Authorization header has in common with an access token of this kind; `undefined` for nothing, or all. */
export const likenessOf = (header: string | undefined, { access }: IssuedTokens): TokenLikeness | undefined => {
  const [scheme, token] = schemeAndRest(header);
  if (scheme !== "token" || token === access) {
    return undefined;
  }
  if (token === "") {
    return "empty";
  }
  if (access.startsWith(token)) {
    return "beginning";
  }
  return token.startsWith(access) ? "longer" : undefined;
};

/** Whether a credential may search in an access mode. Source: search-stream, section 5. */
export const decideAccess = (credential: CredentialKind, mode: AccessMode): AccessDecision => {
  switch (credential) {
    case "access":
    case "oauth":
      return { allowed: true };
    case "no-scope":
    case "no-scope-oauth":
      return refusals.missingScope;
    case "invalid":
      return refusals.invalidToken;
    case "sudo":
      return refusals.sudo;
    case "none":
      return mode === "public" ? { allowed: true } : refusals.anonymous;
    case "unknown-scheme":
      return mode === "public" ? refusals.invalidHeader : refusals.anonymous;
  }
};
