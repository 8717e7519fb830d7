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
  findDefaultScheme,
  defaultTokenVariables,
} from "./credentials/credentials.ts";
export type { Environment } from "./credentials/environment.ts";
export { checkHeader, readExtraHeaders, findHeaderSecrets } from "./credentials/extra-headers.ts";
export type { KeptConnection } from "./http/dispatcher.ts";
export { closeKeptConnection } from "./http/run-exchange.ts";
export type { ClientLimits } from "./limits.ts";
export {
  chooseProxy,
  isLoopback,
  noProxyVariables,
  findProxySetting,
  proxyVariables,
  findProxySecrets,
} from "./proxy/proxy.ts";
export { type ClientCertificate, passphraseVariable, readClientCertificate } from "./tls/client-certificate.ts";
export { createRunClock, type RunClock } from "./run-clock.ts";
export { selectEnvironment, mayShareCredentials } from "./credentials/environment-for-target.ts";
export { extraCertificates, trustedCertificates } from "./tls/trusted-certificates.ts";
export type { SentExchange } from "./sender.ts";
