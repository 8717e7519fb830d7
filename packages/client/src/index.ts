export { parseBaseUrl } from "./base-url.ts";
export type { CallDraft, CallRequest } from "./call.ts";
export { type Client, createClient, type SearchDraft } from "./client.ts";
export {
  type AuthorizationScheme,
  type Credentials,
  type CredentialSources,
  resolveCredentials,
  type Token,
  type TokenVariables,
  usualScheme,
  usualTokenVariables,
} from "./credentials.ts";
export type { Environment } from "./environment.ts";
export { checkHeader, extraHeadersFrom, secretsOfHeaders } from "./extra-headers.ts";
export type { ClientLimits } from "./limits.ts";
export {
  chooseProxy,
  isLoopback,
  noProxyVariables,
  proxySettingFor,
  proxyVariables,
  secretsOfProxies,
} from "./proxy.ts";
export { type ClientCertificate, passphraseVariable, readClientCertificate } from "./client-certificate.ts";
export { createRunClock, type RunClock } from "./run-clock.ts";
export { environmentFor, isSameTrust } from "./environment-for-target.ts";
export { trustedCertificates } from "./sender.ts";
export type { Sent } from "./sender.ts";
