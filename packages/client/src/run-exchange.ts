import type { Chunk, ExchangeEnd, ExchangeTimes, FailureCode, HeaderField, ResponseDraft } from "@assay/evidence";
import type { Dispatcher } from "undici";
import { createBodyDecoder } from "./body-decoder.ts";
import { type Decoding, startDecoding } from "./body-decoding.ts";
import { type ConnectionLog, createDispatcher } from "./dispatcher.ts";
import { codeOf, endOfError, failedEnd, type FailureContext, isParserError, isUnwantedResponse } from "./failure.ts";
import type { ClientLimits } from "./limits.ts";
import type { ProxyChoice } from "./proxy.ts";
import type { RunClock } from "./run-clock.ts";

/** A request as it goes out. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly HeaderField[];
}

export interface ExchangeSetup {
  readonly request: OutgoingRequest;
  readonly clock: RunClock;
  readonly limits: ClientLimits;
  readonly route: ProxyChoice;
  readonly certificates: readonly string[] | undefined;
  /** Ends the exchange with the code `aborted`. */
  readonly signal: AbortSignal | undefined;
}

/** What came back. */
export interface ExchangeOutcome {
  readonly response?: ResponseDraft;
  readonly end: ExchangeEnd;
  readonly times: ExchangeTimes;
}

type Stop = (code: FailureCode, clause: string) => void;

/** What an exchange has come to so far. */
interface Progress {
  readonly setup: ExchangeSetup;
  readonly log: ConnectionLog;
  readonly sentAtMicros: number;
  readonly abort: AbortController;
  headersAtMicros?: number;
  status?: number;
  headers: readonly HeaderField[];
  /** Chunks as they were received, before decoding. */
  readonly received: Chunk[];
  receivedBytes: number;
  /** Why we ended it ourselves; the first reason counts. */
  stopped?: readonly [code: FailureCode, clause: string];
  decoding?: Decoding;
}

const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;

function contextOf({ setup, log, status, receivedBytes }: Progress): FailureContext {
  const { proxy } = setup.route;
  const target = hostAndPort(setup.request.url);
  return {
    where: proxy !== undefined && log.viaProxy ? `${target} through the proxy ${hostAndPort(proxy)}` : target,
    connected: log.connectedAtMicros !== undefined,
    headArrived: status !== undefined,
    bodyBytes: receivedBytes,
  };
}

function pairs(raw: unknown): readonly HeaderField[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Array.from({ length: list.length / 2 }, (_, index) => [String(list[2 * index]), String(list[2 * index + 1])]);
}

const stopOf =
  (progress: Progress): Stop =>
  (code, clause) => {
    progress.stopped ??= [code, clause];
    progress.abort.abort();
  };

function receiveHead(progress: Progress, status: number, headers: readonly HeaderField[]): void {
  progress.status = status;
  progress.headers = headers;
  const decoder = createBodyDecoder(headers, progress.setup.limits);
  if (decoder !== undefined) {
    progress.decoding = startDecoding(decoder, ({ code, message }) => stopOf(progress)(code, message));
  }
}

function receive(progress: Progress, bytes: Uint8Array, atMicros: number): void {
  const room = progress.setup.limits.maxBodyBytes - progress.receivedBytes;
  const chunk = { bytes: bytes.length > room ? bytes.subarray(0, room) : bytes, atMicros };
  progress.receivedBytes += chunk.bytes.length;
  progress.received.push(chunk);
  progress.decoding?.push(chunk);
  if (bytes.length > room) {
    stopOf(progress)("body-limit", `the body is larger than ${progress.setup.limits.maxBodyBytes} bytes`);
  }
}

const isFramed = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));

/**
 * What the socket said although undici calls the response complete: more bytes after its end, or a reset of a body that
 * only the end of the connection ends. A reset after a body with a length or a final chunk means nothing.
 */
function hiddenError({ log: { error }, headers }: Progress): Error | undefined {
  if (error === undefined) {
    return undefined;
  }
  const isReset = ["ECONNRESET", "EPIPE"].includes(codeOf(error));
  return (isReset && !isFramed(headers)) || isParserError(error) || isUnwantedResponse(error) ? error : undefined;
}

function endOf(progress: Progress, error: Error | undefined): ExchangeEnd {
  const context = contextOf(progress);
  if (progress.stopped !== undefined) {
    return failedEnd(...progress.stopped, context);
  }
  if (error !== undefined) {
    return endOfError(error, context);
  }
  const hidden = hiddenError(progress);
  if (hidden === undefined) {
    return { kind: "complete" };
  }
  return isFramed(progress.headers)
    ? failedEnd("protocol", "it sent bytes after the end of the response", context)
    : endOfError(hidden, context);
}

/** Sends and receives; resolves with the error, or undefined when the response is complete. Never rejects. */
function exchange(progress: Progress, dispatcher: Dispatcher): Promise<Error | undefined> {
  const { request, clock } = progress.setup;
  const options = {
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method,
    headers: request.headers.flat(),
    signal: progress.abort.signal,
    responseHeaders: "raw",
  } as const;
  return new Promise((resolve) => {
    dispatcher.request(options, (error, data) => {
      const headersAtMicros = clock.nowMicros();
      if (error !== null) {
        resolve(error);
        return;
      }
      progress.headersAtMicros = headersAtMicros;
      receiveHead(progress, data.statusCode, pairs(data.headers));
      data.body.on("data", (bytes: Uint8Array) => {
        const atMicros = clock.nowMicros();
        receive(progress, bytes, atMicros);
      });
      data.body.on("error", resolve);
      // Errors of the socket in the same turn, about bytes after the end, are known one turn later.
      data.body.on("end", () => setImmediate(resolve, undefined));
    });
  });
}

/** Our own deadlines; those of undici do not stop a drip of bytes or endless 1xx answers. Gives back how to clear them. */
function startDeadlines(progress: Progress): () => void {
  const { limits, signal } = progress.setup;
  const stop = stopOf(progress);
  const firstByte = setTimeout(() => {
    if (progress.status === undefined) {
      stop("first-byte-timeout", `no complete response head within ${limits.firstByteTimeoutMs} ms`);
    }
  }, limits.firstByteTimeoutMs);
  const total = setTimeout(() => {
    stop("total-timeout", `the exchange did not end within ${limits.totalTimeoutMs} ms`);
  }, limits.totalTimeoutMs);
  const onAbort = (): void => stop("aborted", "the exchange was cancelled");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) {
    onAbort();
  }
  return () => {
    clearTimeout(firstByte);
    clearTimeout(total);
    signal?.removeEventListener("abort", onAbort);
  };
}

/** The decoded body; what was received when nothing of it could be decoded. */
async function bodyOf(
  { decoding, received, stopped }: Progress,
  error: Error | undefined,
  atMicros: number,
): Promise<readonly Chunk[]> {
  const decoded = await decoding?.finish(error === undefined && stopped === undefined, atMicros);
  return decoded === undefined || decoded.length === 0 ? received : decoded;
}

function timesOf({ sentAtMicros, log, headersAtMicros }: Progress, endedAtMicros: number): ExchangeTimes {
  const { connectedAtMicros } = log;
  return {
    sentAtMicros,
    ...(connectedAtMicros === undefined ? {} : { connectedAtMicros }),
    ...(headersAtMicros === undefined ? {} : { headersAtMicros }),
    endedAtMicros,
  };
}

function closeConnection({ log }: Progress, dispatcher: Dispatcher): void {
  for (const socket of log.sockets) {
    socket.on("error", () => undefined).destroy();
  }
  // Nothing of the exchange is left to fail; the sockets are closed already.
  dispatcher.destroy().catch(() => undefined);
}

/**
 * One exchange on a connection of its own. Never rejects: whatever goes wrong with the target is the end of the outcome,
 * and what arrived before stays. Redirects are not followed. Chunks are stamped when they arrive, before anything else;
 * a decoded chunk has the stamp of the received one that released it.
 */
export async function runExchange(setup: ExchangeSetup): Promise<ExchangeOutcome> {
  const { clock, limits, route, certificates } = setup;
  const log: ConnectionLog = { viaProxy: false, sockets: new Set() };
  const dispatcher = createDispatcher({ limits, route, certificates, log, clock });
  const progress: Progress = {
    setup,
    log,
    sentAtMicros: clock.nowMicros(),
    abort: new AbortController(),
    headers: [],
    received: [],
    receivedBytes: 0,
  };
  const clearDeadlines = startDeadlines(progress);
  const error = progress.stopped === undefined ? await exchange(progress, dispatcher) : undefined;
  const endedAtMicros = clock.nowMicros();
  clearDeadlines();
  closeConnection(progress, dispatcher);
  const chunks = await bodyOf(progress, error, endedAtMicros);
  const { status, headers } = progress;
  return {
    ...(status === undefined ? {} : { response: { status, headers, chunks } }),
    end: endOf(progress, error),
    times: timesOf(progress, endedAtMicros),
  };
}
