import type { Alert } from "./query/search-query.ts";
import type { IssuedTokens } from "./tokens.ts";

/** Whether a search needs a token (`private`) or may be anonymous (`public`). */
export type AccessMode = "private" | "public";

/** How a request identified itself. */
export type CredentialKind = "none" | "access" | "oauth" | "no-scope" | "invalid" | "unknown-scheme" | "sudo";

/** An answer to a request that may not search: a response of its own, or a stream of one alert. */
export type Refusal =
  | { readonly allowed: false; readonly status: number; readonly text: string; readonly location?: string }
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

const accessTokenKind = (token: string, tokens: IssuedTokens): CredentialKind => {
  if (token === tokens.access || token === tokens.other) {
    return "access";
  }
  return token === tokens.noScope ? "no-scope" : "invalid";
};

const kindsByScheme: Readonly<Record<string, (rest: string, tokens: IssuedTokens) => CredentialKind>> = {
  "": () => "none",
  token: accessTokenKind,
  bearer: (token, tokens) => (token === tokens.oauth ? "oauth" : "invalid"),
  "token-sudo": (rest, tokens) => {
    const token = /token="([^"]*)"/u.exec(rest)?.[1] ?? "";
    return accessTokenKind(token, tokens) === "invalid" ? "invalid" : "sudo";
  },
};

/**
 * What kind of credential an Authorization header carries. A token counts only under its own scheme: access tokens under
 * `token`, OAuth tokens under `Bearer`; schemes are compared without regard to case.
 */
export const credentialKind = (header: string | undefined, tokens: IssuedTokens): CredentialKind => {
  const [scheme = "", ...rest] = (header ?? "").trim().split(/\s+/u);
  const name = scheme.toLowerCase();
  const kind = Object.hasOwn(kindsByScheme, name) ? kindsByScheme[name] : undefined;
  return kind === undefined ? "unknown-scheme" : kind(rest.join(" "), tokens);
};

/** Whether a credential may search in an access mode. Source: search-stream, section 5. */
export const decideAccess = (credential: CredentialKind, mode: AccessMode): AccessDecision => {
  switch (credential) {
    case "access":
    case "oauth":
      return { allowed: true };
    case "no-scope":
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
