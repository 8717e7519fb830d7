import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import { parseBaseUrl, type SearchParameters, searchUrl } from "./base-url.ts";
import { ClientError } from "./client-error.ts";
import { authorizationOf } from "./credentials.ts";
import type { Environment } from "./environment.ts";
import { checkHeader } from "./extra-headers.ts";
import { type ClientLimits, defaultLimits } from "./limits.ts";
import { chooseProxy } from "./proxy.ts";
import type { RunClock } from "./run-clock.ts";
import { type ExchangeSetup, runExchange } from "./run-exchange.ts";
import { trustedCertificates } from "./trust.ts";

/** What was sent and what came back; the rest of an exchange (id, probe, operation) is the caller's. */
export type Sent = Pick<ExchangeDraft, "request" | "response" | "end" | "times">;

/** A search with everything that makes it an exchange but its id and its probe. */
export type SearchDraft = Omit<ExchangeDraft, "id" | "probe">;

export interface SearchRequest {
  readonly parameters: SearchParameters;
  /** How the request identifies itself; `unknown` is for recordings and sends nothing. */
  readonly credential: ExchangeDraft["credential"];
  /** The token of the credential; needed unless it is `none`. */
  readonly token?: string;
  /** More headers, or others than the usual ones. */
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
  /**
   * Bytes after which nothing more is due. When the body so far, decoded, ends with them and for `lingerMs` neither more
   * bytes nor the end come, we close the connection and the exchange ends `complete`, closed by `client`. Without them, and
   * where the response states its length, only the server ends a body.
   */
  readonly lingerAfter?: Uint8Array;
  /** [2,000] */
  readonly lingerMs?: number;
  /** Of this search alone, instead of the client's [the client's]. */
  readonly totalTimeoutMs?: number;
}

/** What a search has beyond a plain request. */
interface SearchSettings {
  readonly linger?: ExchangeSetup["linger"];
  readonly totalTimeoutMs?: number | undefined;
}

export interface PlainRequest {
  /** [GET] */
  readonly method?: string;
  /** An absolute http or https address. Extra headers are added only where it has the origin of the target. */
  readonly url: string;
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
}

/** Talks to one target. Calls may overlap; each has a connection of its own. */
export interface Client {
  readonly baseUrl: URL;
  /** Fails with a `ClientError` only when the request cannot be built; everything later is the `end` of the draft. */
  search(request: SearchRequest): Promise<SearchDraft>;
  /** Any request without a body, for example for an OpenAPI document. Fails like `search`. */
  send(request: PlainRequest): Promise<Sent>;
}

export interface ClientOptions {
  /** Checked by `parseBaseUrl`. */
  readonly baseUrl: string | URL;
  readonly clock: RunClock;
  /** Product and version, for example `assay/0.1.0`. */
  readonly userAgent: string;
  /** Bounds other than the usual ones. */
  readonly limits?: Partial<ClientLimits>;
  /** Variables for proxies and certificates [none]. */
  readonly env?: Environment;
  /** Sent with every request to the target, as `extraHeadersFrom` gives them. */
  readonly extraHeaders?: readonly HeaderField[];
}

const hasName = (fields: readonly HeaderField[], name: string): boolean =>
  fields.some(([other]) => other.toLowerCase() === name);

/** The fields, and the others where no field has their name. */
const withDefaults = (fields: readonly HeaderField[], others: readonly HeaderField[]): readonly HeaderField[] => [
  ...others.filter(([name]) => !hasName(fields, name.toLowerCase())),
  ...fields,
];

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new ClientError("bad-url", "an address is not an http or https one without user name and password");
  }
  return url;
}

/** Headers of a search. Fails with `bad-header` when two of them would authorise it. */
function searchHeaders(
  authorization: string | undefined,
  extraHeaders: readonly HeaderField[],
): readonly HeaderField[] {
  if (authorization !== undefined && hasName(extraHeaders, "authorization")) {
    const both = "a token and an extra authorization header are both given";
    throw new ClientError("bad-header", `${both}; give the header for the proxy another name, or leave one out`);
  }
  const accept: HeaderField = ["accept", "text/event-stream"];
  return authorization === undefined ? [accept] : [accept, ["authorization", authorization]];
}

/**
 * A client of a target. Fails with a `ClientError` when a setting cannot be used; nothing is sent before the first call.
 * No redirect is followed and no answer is asked to be compressed unless the caller's headers say so.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, userAgent, env = {}, extraHeaders = [] } = options;
  const baseUrl = parseBaseUrl(String(options.baseUrl));
  const limits = { ...defaultLimits, ...options.limits };
  const certificates = trustedCertificates(env);
  const common: readonly HeaderField[] = [
    ["user-agent", userAgent],
    ["accept-encoding", "identity"],
  ];
  // Fails here, not at the first request.
  chooseProxy(baseUrl, env);

  const sendWith = async (
    { method = "GET", url: text, headers = [], signal }: PlainRequest,
    { linger, totalTimeoutMs = limits.totalTimeoutMs }: SearchSettings = {},
  ): Promise<Sent> => {
    const url = parseUrl(text);
    const own = headers.map((field) => checkHeader(field, "the request"));
    const fields = withDefaults(own, [...common, ...(url.origin === baseUrl.origin ? extraHeaders : [])]);
    const request = { method, url, headers: fields };
    const route = chooseProxy(url, env);
    const outcome = await runExchange({
      request,
      clock,
      limits: { ...limits, totalTimeoutMs },
      route,
      certificates,
      signal,
      linger,
    });
    return { request: { method, url: url.href, headers: fields }, ...outcome };
  };

  const search = async ({
    parameters,
    credential,
    token,
    headers = [],
    signal,
    lingerAfter: marker = new Uint8Array(0),
    lingerMs = 2000,
    totalTimeoutMs,
  }: SearchRequest): Promise<SearchDraft> => {
    const fields = withDefaults(headers, searchHeaders(authorizationOf(credential, token), extraHeaders));
    const url = searchUrl(baseUrl, parameters);
    const linger = marker.length === 0 ? undefined : { marker, lingerMs };
    const sent = await sendWith({ url, headers: fields, ...(signal && { signal }) }, { linger, totalTimeoutMs });
    return { interface: "stream", operation: "search", credential, ...sent };
  };

  return { baseUrl, search, send: (request) => sendWith(request) };
}
