import { HarnessError, defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField, HttpVersion } from "@assay/evidence";
import { createByteBudget } from "./http/byte-budget.ts";
import type { Environment } from "./credentials/environment.ts";
import type { ClientCertificate } from "./tls/client-certificate.ts";
import { checkHeader } from "./credentials/extra-headers.ts";
import type { ClientLimits } from "./limits.ts";
import { createTlsIdentity } from "./http/dispatcher.ts";
import { chooseProxy } from "./proxy/proxy.ts";
import type { RunClock } from "./run-clock.ts";
import { runExchange } from "./http/run-exchange.ts";
import type { ExchangeSetup } from "./http/run-exchange.ts";
import { tlsFilesOf, trustedCertificates } from "./tls/trusted-certificates.ts";

const namesOf = (given: readonly HeaderField[]): Pick<ExchangeDraft, "givenHeaders"> =>
  given.length === 0 ? {} : { givenHeaders: given.map(([name]) => name) };

/** Request and response. The caller adds the rest of an exchange (id, probe, operation). */
export type Sent = Pick<
  ExchangeDraft,
  "request" | "httpVersion" | "tlsFiles" | "givenHeaders" | "response" | "end" | "times"
>;

export interface PlainRequest {
  /** [GET] */
  readonly method?: string;
  /** An absolute http or https URL. Extra headers are only added for the origin of the target. */
  readonly url: string;
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
}

/** Additional settings of a request. */
export interface SendSettings {
  readonly linger?: ExchangeSetup["linger"];
  /** [the client's] */
  readonly limits?: ClientLimits;
  /** Replaces the limit. */
  readonly totalTimeoutMs?: number | undefined;
  /** Applies if it is shorter than the limit. */
  readonly firstByteTimeoutMs?: number | undefined;
  /** Text of the request, sent as UTF-8. */
  readonly body?: string | undefined;
  /** Names, in lower case, of extra headers to omit. */
  readonly without?: readonly string[];
}

/** The limits of one request. `usual` are those of the client. */
function limitsOf(
  { limits: bounds, totalTimeoutMs, firstByteTimeoutMs = Infinity }: SendSettings,
  usual: ClientLimits,
): ClientLimits {
  const limits = bounds ?? usual;
  return {
    ...limits,
    totalTimeoutMs: totalTimeoutMs ?? limits.totalTimeoutMs,
    firstByteTimeoutMs: Math.min(limits.firstByteTimeoutMs, firstByteTimeoutMs),
  };
}

/** Sends one request on its own connection. Throws a `HarnessError` if it cannot be built. */
export type Sender = (request: PlainRequest, settings?: SendSettings) => Promise<Sent>;

/** Shared by all requests to one target. */
export interface SenderOptions {
  readonly baseUrl: URL;
  readonly clock: RunClock;
  readonly userAgent: string;
  readonly limits: ClientLimits;
  readonly env: Environment;
  readonly extraHeaders: readonly HeaderField[];
  /** Presented to the target if it asks for one, never to another origin. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The only HTTP version used with an https target [1.1]. Other origins use 1.1. */
  readonly http?: HttpVersion | undefined;
}

const hasName = (fields: readonly HeaderField[], name: string): boolean =>
  fields.some(([other]) => other.toLowerCase() === name);

/** The fields, plus those of `others` whose names are not among them. */
export const withDefaults = (
  fields: readonly HeaderField[],
  others: readonly HeaderField[],
): readonly HeaderField[] => [...others.filter(([name]) => !hasName(fields, name.toLowerCase())), ...fields];

/** `accept` and `authorization`. Throws `bad-header` if an extra header would also authorize the request. */
export function usualHeaders(
  { accept, authorization }: { readonly accept: string; readonly authorization?: string | undefined },
  extraHeaders: readonly HeaderField[],
): readonly HeaderField[] {
  if (authorization !== undefined && hasName(extraHeaders, "authorization")) {
    const both = "a token and an extra authorization header are both given";
    throw new HarnessError("bad-header", `${both}; give the header for the proxy another name, or leave one out`);
  }
  const wanted: HeaderField = ["accept", accept];
  return authorization === undefined ? [wanted] : [wanted, ["authorization", authorization]];
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new HarnessError("bad-url", "an address is not an http or https one without user name and password");
  }
  return url;
}

/** Creates a sender for a target. Throws a `HarnessError` if the proxy or certificates cannot be used. */
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
  const common: readonly HeaderField[] = [
    ["user-agent", userAgent],
    ["accept-encoding", "identity"],
  ];
  if (setup.http === "2" && baseUrl.protocol === "http:") {
    const why = "is agreed on in the handshake of TLS, and the target is asked by http";
    throw new HarnessError("bad-base-url", `HTTP/2 ${why}; give an https address, or leave out --http 2`);
  }
  // Throws here, not at the first request.
  chooseProxy(baseUrl, env);

  return async ({ method = "GET", url: text, headers = [], signal }, settings = {}) => {
    const { linger, body, without = [] } = settings;
    const url = parseUrl(text);
    const own = headers.map((field) => checkHeader(field, "the request"));
    const isTarget = url.origin === baseUrl.origin;
    const added = isTarget ? extraHeaders.filter(([name]) => !without.includes(name)) : [];
    const fields = withDefaults(own, [...common, ...added]);
    const sent = { method, headers: fields, ...defined({ body }) };
    const http = isTarget ? (setup.http ?? "1.1") : "1.1";
    const clientCertificate = isTarget ? setup.clientCertificate : undefined;
    const outcome = await runExchange({
      request: { ...sent, url },
      clock,
      limits: limitsOf(settings, limits),
      budget,
      proxy: chooseProxy(url, env),
      tls: isTarget ? tlsToTarget : tlsToOthers,
      http,
      signal,
      linger,
    });
    const tlsFiles = url.protocol === "https:" ? tlsFilesOf(env, clientCertificate) : {};
    return { request: { ...sent, url: url.href }, httpVersion: http, ...tlsFiles, ...namesOf(added), ...outcome };
  };
}
