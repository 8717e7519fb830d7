import { defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField, HttpVersion } from "@assay/evidence";
import { parseBaseUrl, type SearchParameters, buildSearchUrl } from "./base-url.ts";
import {
  type CallDraft,
  type CallRequest,
  type DescribeRequest,
  createDocumentLimits,
  documentTypes,
  prepareCall,
  buildReferenceUrl,
} from "./call.ts";
import { createAuthorization } from "./credentials/credentials.ts";
import type { Environment } from "./credentials/environment.ts";
import type { ClientCertificate } from "./tls/client-certificate.ts";
import { type ClientLimits, defaultLimits } from "./limits.ts";
import type { KeptConnection } from "./http/dispatcher.ts";
import type { RunClock } from "./run-clock.ts";
import {
  createSender,
  type PlainRequest,
  type Sender,
  type SenderOptions,
  type SentExchange,
  createDefaultHeaders,
  addDefaults,
} from "./sender.ts";

/** A search as an exchange, without id and probe. */
export type SearchDraft = Omit<ExchangeDraft, "id" | "probe">;

export interface SearchRequest {
  readonly parameters: SearchParameters;
  /** The authentication of the request. `unknown` is for recordings and sends no credential. */
  readonly credential: ExchangeDraft["credential"];
  /** The token of the credential. Required unless it is `none`. */
  readonly token?: string;
  /** Additional headers, or replacements of the usual ones. */
  readonly headers?: readonly HeaderField[];
  readonly signal?: AbortSignal;
  /**
   * Bytes that mark the end of the body. If the decoded body ends with them and nothing more arrives for `lingerMs`, the client closes the
   * connection and the exchange is `complete`, closed by `client`. Without a marker, and if the response states its length, only the server
   * ends a body.
   */
  readonly lingerAfter?: Uint8Array;
  /**
   * A connection that several searches share, one after the other, as a browser does. A server may close it at any time. Default: the search
   * has its own.
   */
  readonly connection?: KeptConnection;
  /** Time after which the client closes the connection. Default: 2,000. */
  readonly lingerMs?: number;
  /** Timeout of this search. Default: the client's. */
  readonly totalTimeoutMs?: number;
  /** Until the response head is complete, at most the client's limit. Default: the client's. */
  readonly firstByteTimeoutMs?: number;
}

/** Sends requests to one target. Calls may overlap. Each one has its own connection, unless a search names one. */
export interface Client {
  readonly baseUrl: URL;
  /** Throws a `HarnessError` only if the request cannot be built. Every later failure is the `end` of the draft. */
  search(request: SearchRequest): Promise<SearchDraft>;
  /** Calls the conversation API. Throws like `search`. */
  call(request: CallRequest): Promise<CallDraft>;
  /**
   * Fetches a possible OpenAPI document without a credential. A document over 16 MiB is truncated one byte after the limit and ends with
   * `body-limit`. Throws like `search`.
   */
  describe(request?: DescribeRequest): Promise<CallDraft>;
  /** Sends any request without a body. Throws like `search`. */
  send(request: PlainRequest): Promise<SentExchange>;
}

export interface ClientOptions {
  /** Checked by `parseBaseUrl`. */
  readonly baseUrl: string | URL;
  readonly clock: RunClock;
  /** Product and version, for example `assay/0.1.0`. */
  readonly userAgent: string;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ClientLimits>;
  /** Variables for proxies and certificates. Default: none. */
  readonly env?: Environment;
  /** Headers sent with every request to the target, as created by `readExtraHeaders`. */
  readonly extraHeaders?: readonly HeaderField[];
  /** Presented to the target if it requests one, never to any other origin. Default: none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The only HTTP version used with the target. 2 requires https. Default: 1.1. */
  readonly http?: HttpVersion | undefined;
}

/** A sender and its settings. */
interface SenderContext {
  readonly send: Sender;
  readonly setup: SenderOptions;
}

async function search({ send, setup }: SenderContext, request: SearchRequest): Promise<SearchDraft> {
  const { parameters, credential, token, headers = [], signal, totalTimeoutMs, firstByteTimeoutMs } = request;
  const { lingerAfter: marker = new Uint8Array(0), lingerMs = 2000, connection } = request;
  const authorization = createAuthorization(credential, token);
  const headerFields = addDefaults(
    headers,
    createDefaultHeaders({ accept: "text/event-stream", authorization }, setup.extraHeaders),
  );
  const url = buildSearchUrl(setup.baseUrl, parameters);
  const linger = marker.length === 0 ? undefined : { marker, lingerMs };
  const exchange = await send(
    { url, headers: headerFields, ...(signal && { signal }) },
    { linger, connection, totalTimeoutMs, firstByteTimeoutMs },
  );
  return { interface: "stream", operation: "search", credential, ...exchange };
}

async function call({ send, setup }: SenderContext, request: CallRequest): Promise<CallDraft> {
  const {
    interface: name,
    operation,
    credential,
    token,
    scheme,
    session,
    signal,
    totalTimeoutMs,
    firstByteTimeoutMs,
  } = request;
  const authorization = createAuthorization(credential, token, scheme);
  const defaultHeaders = createDefaultHeaders({ accept: "application/json", authorization }, setup.extraHeaders);
  const { body, omittedHeaders, ...prepared } = prepareCall(request, { ...setup, defaultHeaders });
  const exchange = await send(
    { ...prepared, ...(signal && { signal }) },
    { body, omittedHeaders, totalTimeoutMs, firstByteTimeoutMs },
  );
  return { interface: name, operation, credential, ...defined({ session }), ...exchange };
}

async function describe({ send, setup }: SenderContext, request: DescribeRequest): Promise<CallDraft> {
  const { url = buildReferenceUrl(setup.baseUrl), signal, totalTimeoutMs, firstByteTimeoutMs } = request;
  const headers = createDefaultHeaders({ accept: documentTypes }, setup.extraHeaders);
  const settings = { limits: createDocumentLimits(setup.limits), totalTimeoutMs, firstByteTimeoutMs };
  const exchange = await send({ url, headers, ...(signal && { signal }) }, settings);
  return { interface: "reference", operation: "describe", credential: "none", ...exchange };
}

/**
 * Creates a client for one target. Throws a `HarnessError` if a setting is invalid. Does not send anything before the first call, follow
 * redirects, or request compression unless the caller's headers do.
 */
export function createClient({ clock, userAgent, env = {}, extraHeaders = [], ...options }: ClientOptions): Client {
  const baseUrl = parseBaseUrl(String(options.baseUrl));
  const { clientCertificate, http } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const setup = { baseUrl, clock, userAgent, limits, env, extraHeaders, clientCertificate, http };
  const send = createSender(setup);
  const context = { send, setup };
  return {
    baseUrl,
    search: (request) => search(context, request),
    call: (request) => call(context, request),
    describe: (request = {}) => describe(context, request),
    send: (request) => send(request),
  };
}
