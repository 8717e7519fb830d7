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

/** What was sent and what came back; the rest of an exchange (id, probe, operation) is the caller's. */
export type Sent = Pick<
  ExchangeDraft,
  "request" | "httpVersion" | "tlsFiles" | "givenHeaders" | "response" | "end" | "times"
>;

export interface PlainRequest {
  /** [GET] */
  readonly method?: string;
  /** An absolute http or https address. Extra headers are added only where it has the origin of the target. */
  readonly url: string;
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
}

/** What some requests have beyond a plain one. */
export interface SendSettings {
  readonly linger?: ExchangeSetup["linger"];
  /** [the client's] */
  readonly limits?: ClientLimits;
  /** Instead of that of the limits. */
  readonly totalTimeoutMs?: number | undefined;
  /** Where it is shorter than that of the limits. */
  readonly firstByteTimeoutMs?: number | undefined;
  /** Text of the request, sent as UTF-8. */
  readonly body?: string | undefined;
  /** Names, in lower case, of extra headers that this request goes without. */
  readonly without?: readonly string[];
}

/** The bounds of one request, of which those of the client are `usual`. */
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

/** Sends one request on a connection of its own. Fails with a `HarnessError` when it cannot be built. */
export type Sender = (request: PlainRequest, settings?: SendSettings) => Promise<Sent>;

/** What all requests to one target share. */
export interface SenderOptions {
  readonly baseUrl: URL;
  readonly clock: RunClock;
  readonly userAgent: string;
  readonly limits: ClientLimits;
  readonly env: Environment;
  readonly extraHeaders: readonly HeaderField[];
  /** Given to the target, and to no other origin, where it asks for one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** What is spoken with an https target, and nothing else [1.1]. Another origin is spoken with in 1.1. */
  readonly http?: HttpVersion | undefined;
}

const hasName = (fields: readonly HeaderField[], name: string): boolean =>
  fields.some(([other]) => other.toLowerCase() === name);

/** The fields, and the others where no field has their name. */
export const withDefaults = (
  fields: readonly HeaderField[],
  others: readonly HeaderField[],
): readonly HeaderField[] => [...others.filter(([name]) => !hasName(fields, name.toLowerCase())), ...fields];

/** What is wanted, and as whom. Fails with `bad-header` when an extra header would authorise the request as well. */
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

/** A sender to a target. Fails with a `HarnessError` when proxy or certificates cannot be used. */
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
  // Fails here, not at the first request.
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
