export { parseBaseUrl, type SearchParameters, searchUrl } from "./base-url.ts";
export type { CallDraft, CallOperation, CallRequest, DescribeRequest } from "./call.ts";
export { type Client, type ClientOptions, createClient, type SearchDraft, type SearchRequest } from "./client.ts";
export {
  type Credentials,
  type CredentialSources,
  resolveCredentials,
  type Token,
  type TokenVariables,
  usualTokenVariables,
} from "./credentials.ts";
export type { Environment } from "./environment.ts";
export { checkHeader, extraHeadersFrom, secretsOfHeaders } from "./extra-headers.ts";
export { type ClientLimits, defaultLimits } from "./limits.ts";
export { chooseProxy, isLoopback, proxyVariables, secretsOfProxies } from "./proxy.ts";
export {
  type CertificateSources,
  type ClientCertificate,
  passphraseVariable,
  readClientCertificate,
} from "./client-certificate.ts";
export { createRunClock, type RunClock } from "./run-clock.ts";
export { environmentFor, type EnvironmentForTarget, isSameTrust } from "./environment-for-target.ts";
export { trustedCertificates } from "./sender.ts";
export type { PlainRequest, Sent } from "./sender.ts";
