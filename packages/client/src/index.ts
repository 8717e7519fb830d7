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
} from "./credentials/credentials.ts";
export type { Environment } from "./credentials/environment.ts";
export { checkHeader, extraHeadersFrom, secretsOfHeaders } from "./credentials/extra-headers.ts";
export type { ClientLimits } from "./limits.ts";
export {
  chooseProxy,
  isLoopback,
  noProxyVariables,
  proxySettingFor,
  proxyVariables,
  secretsOfProxies,
} from "./proxy/proxy.ts";
export { type ClientCertificate, passphraseVariable, readClientCertificate } from "./tls/client-certificate.ts";
export { createRunClock, type RunClock } from "./run-clock.ts";
export { environmentFor, isSameTrust } from "./credentials/environment-for-target.ts";
export { trustedCertificates } from "./tls/trusted-certificates.ts";
export type { Sent } from "./sender.ts";
