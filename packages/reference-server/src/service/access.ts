import type { Alert } from "./query/search-query.ts";
import type { IssuedTokens } from "./tokens.ts";

/** Whether a search needs a token (`private`) or may be anonymous (`public`). */
export type AccessMode = "private" | "public";

/** The kind of credential of a request. */
export type CredentialKind =
  | "none"
  | "access"
  | "oauth"
  | "no-scope"
  | "no-scope-oauth"
  | "invalid"
  | "unknown-scheme"
  | "sudo";

/** The response to a refused search: a status with text, or a stream of one alert. */
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

/** Refusals of the service. The text is sent as plain text with a line ending. */
export const refusals = {
  anonymous: { allowed: false, status: 401, text: "Private mode requires authentication." },
  invalidToken: { allowed: false, status: 401, text: "Invalid access token." },
  invalidHeader: { allowed: false, status: 401, text: "Invalid Authorization header." },
  missingScope: { allowed: false, status: 403, text: "The token lacks the scope user:all." },
  sudo: { allowed: false, status: 403, text: "The subject user of a sudo access token must be a site admin." },
} as const satisfies Record<string, Refusal>;

/** Ids of the users of this server. */
export const userIds = { main: 1, other: 2, quota: 3, entitlement: 4 } as const;

/** The credential of a request, by kind of token. */
export type ApiCredential = keyof IssuedTokens | "none" | "invalid" | "other-scheme";

/** The caller of a request. */
export interface Identity {
  readonly credential: ApiCredential;
  /** 0 if the credential belongs to no user. */
  readonly userId: number;
  readonly scopes: readonly string[];
}

const allScopes = ["user:all", "externalapi:read", "externalapi:write"];

const identitiesByToken: Readonly<Record<keyof IssuedTokens, Omit<Identity, "credential">>> = {
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

const anonymousIdentity = (credential: ApiCredential): Identity => ({ credential, userId: 0, scopes: [] });

const createIdentity = (kinds: readonly (keyof IssuedTokens)[], token: string, tokens: IssuedTokens): Identity => {
  const kind = kinds.find((name) => tokens[name] === token);
  return kind === undefined ? anonymousIdentity("invalid") : { credential: kind, ...identitiesByToken[kind] };
};

const splitAuthorization = (header: string | undefined): readonly [string, string] => {
  const [scheme = "", ...rest] = (header ?? "").trim().split(/\s+/u);
  return [scheme.toLowerCase(), rest.join(" ")];
};

/**
 * Identifies the caller by an Authorization header. Access tokens are valid only under `token`, OAuth tokens only under `Bearer`;
 * schemes are case-insensitive.
 */
export const identify = (header: string | undefined, tokens: IssuedTokens): Identity => {
  const [scheme, token] = splitAuthorization(header);
  switch (scheme) {
    case "":
      return anonymousIdentity("none");
    case "token":
      return createIdentity(accessTokens, token, tokens);
    case "bearer":
      return createIdentity(oauthTokens, token, tokens);
    default:
      return anonymousIdentity("other-scheme");
  }
};

const classifySudoToken = (rest: string, tokens: IssuedTokens): CredentialKind => {
  const token = /token="([^"]*)"/u.exec(rest)?.[1] ?? "";
  return createIdentity(accessTokens, token, tokens).credential === "invalid" ? "invalid" : "sudo";
};

/** Classifies an Authorization header for searches. Reads schemes and tokens like `identify`. */
export const classifyCredential = (header: string | undefined, tokens: IssuedTokens): CredentialKind => {
  const [scheme, rest] = splitAuthorization(header);
  if (scheme === "token-sudo") {
    return classifySudoToken(rest, tokens);
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

/** Similarity of an unissued token to the access token: it is a prefix of it, an extension of it, or empty. */
export type TokenMismatch = "beginning" | "longer" | "empty";

/**
 * Returns the similarity of a token under the scheme `token` to the access token. Undefined for other schemes, and if the tokens are equal
 * or unrelated.
 */
export const findTokenMismatch = (header: string | undefined, { access }: IssuedTokens): TokenMismatch | undefined => {
  const [scheme, token] = splitAuthorization(header);
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

/** Decides whether a credential may search in an access mode. Source: search-stream, section 5. */
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
