import { defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField, HttpVersion } from "@assay/evidence";
import { parseBaseUrl, type SearchParameters, searchUrl } from "./base-url.ts";
import {
  type CallDraft,
  type CallRequest,
  type DescribeRequest,
  documentLimits,
  documentTypes,
  prepareCall,
  referenceUrl,
} from "./call.ts";
import { authorizationOf } from "./credentials/credentials.ts";
import type { Environment } from "./credentials/environment.ts";
import type { ClientCertificate } from "./tls/client-certificate.ts";
import { type ClientLimits, defaultLimits } from "./limits.ts";
import type { RunClock } from "./run-clock.ts";
import {
  createSender,
  type PlainRequest,
  type Sender,
  type SenderOptions,
  type Sent,
  usualHeaders,
  withDefaults,
} from "./sender.ts";

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
  /** Until the response head is complete; never longer than the client waits [the client's]. */
  readonly firstByteTimeoutMs?: number;
}

/** Talks to one target. Calls may overlap; each has a connection of its own. */
export interface Client {
  readonly baseUrl: URL;
  /** Fails with a `HarnessError` only when the request cannot be built; everything later is the `end` of the draft. */
  search(request: SearchRequest): Promise<SearchDraft>;
  /** A call of the conversation API. Fails like `search`. */
  call(request: CallRequest): Promise<CallDraft>;
  /**
   * Fetches what may be an OpenAPI document, without a credential. Of more than 16 MiB one byte more is kept, and it ends
   * with `body-limit`. Fails like `search`.
   */
  describe(request?: DescribeRequest): Promise<CallDraft>;
  /** Any request without a body. Fails like `search`. */
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
  /** Given to the target, and to no other origin, where it asks for one [none]. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** What is spoken with the target, and nothing else [1.1]; 2 needs https. */
  readonly http?: HttpVersion | undefined;
}

/** A sender and what it was made of. */
interface Sending {
  readonly send: Sender;
  readonly setup: SenderOptions;
}

async function search({ send, setup }: Sending, request: SearchRequest): Promise<SearchDraft> {
  const { parameters, credential, token, headers = [], signal, totalTimeoutMs, firstByteTimeoutMs } = request;
  const { lingerAfter: marker = new Uint8Array(0), lingerMs = 2000 } = request;
  const authorization = authorizationOf(credential, token);
  const fields = withDefaults(
    headers,
    usualHeaders({ accept: "text/event-stream", authorization }, setup.extraHeaders),
  );
  const url = searchUrl(setup.baseUrl, parameters);
  const linger = marker.length === 0 ? undefined : { marker, lingerMs };
  const sent = await send(
    { url, headers: fields, ...(signal && { signal }) },
    { linger, totalTimeoutMs, firstByteTimeoutMs },
  );
  return { interface: "stream", operation: "search", credential, ...sent };
}

async function call({ send, setup }: Sending, request: CallRequest): Promise<CallDraft> {
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
  const authorization = authorizationOf(credential, token, scheme);
  const usual = usualHeaders({ accept: "application/json", authorization }, setup.extraHeaders);
  const { body, without, ...prepared } = prepareCall(request, { ...setup, usual });
  const sent = await send(
    { ...prepared, ...(signal && { signal }) },
    { body, without, totalTimeoutMs, firstByteTimeoutMs },
  );
  return { interface: name, operation, credential, ...defined({ session }), ...sent };
}

async function describe({ send, setup }: Sending, request: DescribeRequest): Promise<CallDraft> {
  const { url = referenceUrl(setup.baseUrl), signal, totalTimeoutMs, firstByteTimeoutMs } = request;
  const headers = usualHeaders({ accept: documentTypes }, setup.extraHeaders);
  const settings = { limits: documentLimits(setup.limits), totalTimeoutMs, firstByteTimeoutMs };
  const sent = await send({ url, headers, ...(signal && { signal }) }, settings);
  return { interface: "reference", operation: "describe", credential: "none", ...sent };
}

/**
 * A client of a target. Fails with a `HarnessError` when a setting cannot be used; nothing is sent before the first call.
 * No redirect is followed and no answer is asked to be compressed unless the caller's headers say so.
 */
export function createClient({ clock, userAgent, env = {}, extraHeaders = [], ...options }: ClientOptions): Client {
  const baseUrl = parseBaseUrl(String(options.baseUrl));
  const { clientCertificate, http } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const setup = { baseUrl, clock, userAgent, limits, env, extraHeaders, clientCertificate, http };
  const send = createSender(setup);
  const sending = { send, setup };
  return {
    baseUrl,
    search: (request) => search(sending, request),
    call: (request) => call(sending, request),
    describe: (request = {}) => describe(sending, request),
    send: (request) => send(request),
  };
}
