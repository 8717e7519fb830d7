export { parseBaseUrl, type SearchParameters, searchUrl } from "./base-url.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type PlainRequest,
  type SearchDraft,
  type SearchRequest,
  type Sent,
} from "./client.ts";
export * from "./client-error.ts";
export { type Credentials, type CredentialSources, resolveCredentials, type Token } from "./credentials.ts";
export type { Environment } from "./environment.ts";
export { extraHeadersFrom, secretsOfHeaders } from "./extra-headers.ts";
export { type ClientLimits, defaultLimits } from "./limits.ts";
export { secretsOfProxies } from "./proxy.ts";
export { createRunClock, type RunClock } from "./run-clock.ts";
