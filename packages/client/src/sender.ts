import { HarnessError, defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField, HttpVersion } from "@assay/evidence";
import { createByteBudget } from "./http/byte-budget.ts";
import type { Environment } from "./credentials/environment.ts";
import type { ClientCertificate } from "./tls/client-certificate.ts";
import { checkHeader } from "./credentials/extra-headers.ts";
import type { ClientLimits } from "./limits.ts";
import { createTlsIdentity, type KeptConnection } from "./http/dispatcher.ts";
import { chooseProxy } from "./proxy/proxy.ts";
import type { RunClock } from "./run-clock.ts";
import { runExchange } from "./http/run-exchange.ts";
import type { ExchangeSetup } from "./http/run-exchange.ts";
import { listTlsFiles, trustedCertificates } from "./tls/trusted-certificates.ts";

const toGivenHeaders = (headers: readonly HeaderField[]): Pick<ExchangeDraft, "givenHeaders"> =>
  headers.length === 0 ? {} : { givenHeaders: headers.map(([name]) => name) };

/** The request and response of an exchange. The caller adds the rest: id, probe, operation. */
export type SentExchange = Pick<
  ExchangeDraft,
  "request" | "httpVersion" | "tlsFiles" | "givenHeaders" | "response" | "end" | "times" | "reusesConnection"
>;

export interface PlainRequest {
  /** Default: GET. */
  readonly method?: string;
  /** An absolute http or https URL. Extra headers are only sent to the origin of the target. */
  readonly url: string;
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
}

/** Additional settings of a request. */
export interface SendSettings {
  readonly linger?: ExchangeSetup["linger"];
  /** The connection to share with other requests to the target. Default: the request has its own. */
  readonly connection?: KeptConnection | undefined;
  /** Default: the client's. */
  readonly limits?: ClientLimits;
  /** Overrides the limit. */
  readonly totalTimeoutMs?: number | undefined;
  /** Applies if it is shorter than the limit. */
  readonly firstByteTimeoutMs?: number | undefined;
  /** The text of the body, sent as UTF-8. */
  readonly body?: string | undefined;
  /** Names, in lower case, of extra headers to omit. */
  readonly omittedHeaders?: readonly string[];
}

/** Returns the limits of one request: those of the client with its overrides. */
function mergeLimits(
  { limits: requestLimits, totalTimeoutMs, firstByteTimeoutMs = Infinity }: SendSettings,
  clientLimits: ClientLimits,
): ClientLimits {
  const limits = requestLimits ?? clientLimits;
  return {
    ...limits,
    totalTimeoutMs: totalTimeoutMs ?? limits.totalTimeoutMs,
    firstByteTimeoutMs: Math.min(limits.firstByteTimeoutMs, firstByteTimeoutMs),
  };
}

/** Sends one request, on its own connection unless the settings name one. Throws a `HarnessError` if it cannot be built. */
export type Sender = (request: PlainRequest, settings?: SendSettings) => Promise<SentExchange>;

/** Settings shared by all requests to one target. */
export interface SenderOptions {
  readonly baseUrl: URL;
  readonly clock: RunClock;
  readonly userAgent: string;
  readonly limits: ClientLimits;
  readonly env: Environment;
  readonly extraHeaders: readonly HeaderField[];
  /** Presented to the target if it requests one, never to any other origin. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The only HTTP version used with an https target. Other origins use 1.1. Default: 1.1. */
  readonly http?: HttpVersion | undefined;
}

const hasName = (fields: readonly HeaderField[], name: string): boolean =>
  fields.some(([fieldName]) => fieldName.toLowerCase() === name);

/** Adds those of `defaults` whose names are not among `fields`. */
export const addDefaults = (
  fields: readonly HeaderField[],
  defaults: readonly HeaderField[],
): readonly HeaderField[] => [...defaults.filter(([name]) => !hasName(fields, name.toLowerCase())), ...fields];

/** Returns `accept` and `authorization`. Throws `bad-header` if an extra header would also authorize the request. */
export function createDefaultHeaders(
  { accept, authorization }: { readonly accept: string; readonly authorization?: string | undefined },
  extraHeaders: readonly HeaderField[],
): readonly HeaderField[] {
  if (authorization !== undefined && hasName(extraHeaders, "authorization")) {
    const problem = "both a token and an extra authorization header are set";
    throw new HarnessError("bad-header", `${problem}; rename the header for the proxy, or remove one of them`);
  }
  const acceptHeader: HeaderField = ["accept", accept];
  return authorization === undefined ? [acceptHeader] : [acceptHeader, ["authorization", authorization]];
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new HarnessError("bad-url", "a URL is not http or https, or contains a user name or password");
  }
  return url;
}

/** Creates a sender for a target. Throws a `HarnessError` if the proxy or the certificates are unusable. */
export function createSender({
  baseUrl,
  clock,
  userAgent,
  limits,
  env,
  extraHeaders,
  ...setup
}: SenderOptions): Sender {
  const authorities = trustedCertificates(env);
  const tlsToOthers = createTlsIdentity(authorities, undefined);
  const tlsToTarget = createTlsIdentity(authorities, setup.clientCertificate);
  const budget = createByteBudget(limits);
  const commonHeaders: readonly HeaderField[] = [
    ["user-agent", userAgent],
    ["accept-encoding", "identity"],
  ];
  if (setup.http === "2" && baseUrl.protocol === "http:") {
    const reason = "requires https, but the target uses http";
    throw new HarnessError("bad-base-url", `HTTP/2 ${reason}; use an https URL or remove --http 2`);
  }
  // Fail here instead of at the first request.
  chooseProxy(baseUrl, env);

  return async ({ method = "GET", url: text, headers = [], signal }, settings = {}) => {
    const { linger, connection, body, omittedHeaders = [] } = settings;
    const url = parseUrl(text);
    const checkedHeaders = headers.map((field) => checkHeader(field, "the request"));
    const isTarget = url.origin === baseUrl.origin;
    const addedHeaders = isTarget ? extraHeaders.filter(([name]) => !omittedHeaders.includes(name)) : [];
    const fields = addDefaults(checkedHeaders, [...commonHeaders, ...addedHeaders]);
    const requestParts = { method, headers: fields, ...defined({ body }) };
    const http = isTarget ? (setup.http ?? "1.1") : "1.1";
    const clientCertificate = isTarget ? setup.clientCertificate : undefined;
    const outcome = await runExchange({
      request: { ...requestParts, url },
      clock,
      limits: mergeLimits(settings, limits),
      budget,
      proxy: chooseProxy(url, env),
      tls: isTarget ? tlsToTarget : tlsToOthers,
      http,
      signal,
      linger,
      connection: isTarget ? connection : undefined,
    });
    const tlsFiles = url.protocol === "https:" ? listTlsFiles(env, clientCertificate) : {};
    return {
      request: { ...requestParts, url: url.href },
      httpVersion: http,
      ...tlsFiles,
      ...toGivenHeaders(addedHeaders),
      ...outcome,
    };
  };
}
