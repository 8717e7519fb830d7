import { defined } from "@assay/contract";
import type {
  Chunk,
  ExchangeEnd,
  ExchangeTimes,
  FailureCode,
  HeaderField,
  HttpVersion,
  ResponseDraft,
} from "@assay/evidence";
import type { Dispatcher } from "undici";
import type { ByteBudget } from "./byte-budget.ts";
import { createBodyDecoder, startDecoding } from "./body-decoder.ts";
import type { Decoding } from "./body-decoder.ts";
import { createBodyRecorder } from "./body-recorder.ts";
import type { BodyRecorder } from "./body-recorder.ts";
import { runAfter, startDeadlines } from "./deadlines.ts";
import type { Stop } from "./deadlines.ts";
import { createDispatcher, openHttp2Connection } from "./dispatcher.ts";
import type { ConnectionLog, DispatcherOptions, KeptConnection, OpenedConnection, TlsIdentity } from "./dispatcher.ts";
import { exchangeOverHttp2 } from "./http2-exchange.ts";
import {
  errorCode,
  toExchangeEnd,
  createFailedEnd,
  isParserError,
  isTlsAlert,
  isUnsolicitedResponse,
} from "./failure.ts";
import type { FailureContext } from "./failure.ts";
import type { ClientLimits } from "../limits.ts";
import type { RunClock } from "../run-clock.ts";
import { watchStalls } from "./stall-watch.ts";
import { createTurnCollector } from "./turn-collector.ts";
import type { TurnCollector } from "./turn-collector.ts";
import { Buffer } from "node:buffer";

/** Detects the end of a body whose connection the server keeps open. */
interface Linger {
  /** Decoded bytes of the body, in order. */
  observe(bytes: Uint8Array): void;
  /** Reports whether the bytes so far end with the marker, so that nothing more is expected. */
  readonly isWaiting: boolean;
  stop(): void;
}

interface LingerOptions {
  readonly marker: Uint8Array;
  readonly lingerMs: number;
  /** Called if nothing arrives for `lingerMs` after the marker. Called again only after more bytes. */
  readonly onQuiet: () => void;
}

/** Watches for a marker at the end of the received bytes. A marker followed by more bytes is ignored. */
function createLinger({ marker, lingerMs, onQuiet }: LingerOptions): Linger {
  let tail: Buffer = Buffer.alloc(0);
  let cancelTimer: (() => void) | undefined;
  const stop = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
  };
  return {
    observe(bytes) {
      if (bytes.length === 0) {
        return;
      }
      stop();
      tail = Buffer.concat([tail, bytes.subarray(-marker.length)]).subarray(-marker.length);
      if (tail.equals(marker)) {
        cancelTimer = runAfter(lingerMs, onQuiet);
      }
    },
    get isWaiting() {
      return cancelTimer !== undefined;
    },
    stop,
  };
}

/** A request to send. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly HeaderField[];
  /** Text to send, as UTF-8. */
  readonly body?: string;
}

export interface ExchangeSetup {
  readonly request: OutgoingRequest;
  readonly clock: RunClock;
  readonly limits: ClientLimits;
  /** Shared by all exchanges of the client. */
  readonly budget: ByteBudget;
  /** URL of the proxy. Undefined if there is none. */
  readonly proxy: URL | undefined;
  readonly tls: TlsIdentity;
  readonly http: HttpVersion;
  /** Aborting ends the exchange with the code `aborted`. */
  readonly signal: AbortSignal | undefined;
  /** The connection to use again if it is still open, and to keep open. HTTP/2 ignores it. Default: the exchange has a connection of its own. */
  readonly connection: KeptConnection | undefined;
  /** Condition for closing the connection from this side. Undefined to never do so. */
  readonly linger: Omit<LingerOptions, "onQuiet"> | undefined;
}

/** The response and the end of an exchange. */
export interface ExchangeOutcome {
  readonly response?: ResponseDraft;
  readonly end: ExchangeEnd;
  readonly times: ExchangeTimes;
  /** True if an earlier exchange used the connection. */
  readonly reusesConnection?: true;
}

/** State of an exchange in progress. */
interface Progress {
  readonly setup: ExchangeSetup;
  readonly log: ConnectionLog;
  readonly sentAtMicros: number;
  /** Whether the connection was open before. */
  readonly isReused: boolean;
  readonly abortController: AbortController;
  headersAtMicros?: number;
  status?: number;
  headers: readonly HeaderField[];
  /** The body, decoded if it is encoded. */
  readonly body: BodyRecorder;
  readonly turnCollector: TurnCollector;
  receivedBytes: number;
  /** The reason why the client ended the exchange. Only the first reason is kept. */
  stopReason?: readonly [code: FailureCode, clause: string];
  /** Set if the client closed the connection because nothing more was expected. */
  wasClosedByClient: boolean;
  decoding?: Decoding;
  linger?: Linger | undefined;
}

const formatHost = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;

function createFailureContext({ setup, log, status, receivedBytes, isReused }: Progress): FailureContext {
  const { proxy } = setup;
  const target = formatHost(setup.request.url);
  return {
    targetLabel: proxy !== undefined && log.usesProxy ? `${target} through the proxy ${formatHost(proxy)}` : target,
    isConnected: log.connectedAtMicros !== undefined || isReused,
    hasHead: status !== undefined,
    bodyBytes: receivedBytes,
    hasClientCertificate: setup.tls.hasClientCertificate,
    offersOnlyHttp2: setup.http === "2",
  };
}

function toHeaderFields(raw: unknown): readonly HeaderField[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Array.from({ length: list.length / 2 }, (_, index) => [String(list[2 * index]), String(list[2 * index + 1])]);
}

const createStop =
  (progress: Progress): Stop =>
  (code, clause) => {
    // Everything expected has arrived: the deadline only ends the wait for additional bytes.
    progress.wasClosedByClient ||= code === "total-timeout" && progress.linger?.isWaiting === true;
    if (!progress.wasClosedByClient) {
      progress.stopReason ??= [code, clause];
    }
    progress.abortController.abort();
  };

/** Reports whether the response states its length. Then only the server may end the body. */
const hasLength = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name]) => name.toLowerCase() === "content-length");

function startLinger(progress: Progress): Linger | undefined {
  const { linger } = progress.setup;
  const close = (): void => {
    progress.wasClosedByClient = progress.stopReason === undefined;
    progress.abortController.abort();
  };
  // In a busy process the timer fires before the received bytes are read, so read them first.
  const onQuiet = (): void => void setImmediate(() => setImmediate(close));
  return linger === undefined || hasLength(progress.headers) ? undefined : createLinger({ ...linger, onQuiet });
}

function recordChunk({ body, linger }: Progress, chunk: Chunk): void {
  body.push(chunk);
  linger?.observe(chunk.bytes);
}

function processChunk(progress: Progress, chunk: Chunk): void {
  if (progress.decoding === undefined) {
    recordChunk(progress, chunk);
  } else {
    progress.decoding.push(chunk);
  }
}

function receiveHead(progress: Progress, status: number, headers: readonly HeaderField[]): void {
  progress.status = status;
  progress.headers = headers;
  progress.linger = startLinger(progress);
  const decoder = createBodyDecoder(headers, progress.setup.limits);
  if (decoder !== undefined) {
    progress.decoding = startDecoding(decoder, {
      onChunk: (chunk) => recordChunk(progress, chunk),
      onFailure: ({ code, message }) => createStop(progress)(code, message),
    });
  }
}

function receive(progress: Progress, bytes: Uint8Array, atMicros: number): void {
  const { limits, budget } = progress.setup;
  const exchangeBytesLeft = limits.maxBodyBytes - progress.receivedBytes;
  const bytesLeft = Math.min(exchangeBytesLeft, budget.remainingBytes());
  const chunk = { bytes: bytes.length > bytesLeft ? bytes.subarray(0, bytesLeft) : bytes, atMicros };
  progress.receivedBytes += chunk.bytes.length;
  budget.consume(chunk.bytes.length);
  progress.turnCollector.push(chunk);
  if (bytes.length > bytesLeft) {
    const reason =
      bytesLeft === exchangeBytesLeft
        ? `the body is larger than ${limits.maxBodyBytes} bytes`
        : budget.describeExhaustion();
    createStop(progress)("body-limit", reason);
  }
}

const isFramed = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));

/**
 * Returns a socket error of a response that undici reports as complete: bytes after its end, or a reset of a body delimited by the
 * connection. A reset after a body with a length or a final chunk is harmless.
 */
function findHiddenError({ log: { error }, headers, setup }: Progress): Error | undefined {
  // HTTP/2 frames every body.
  if (error === undefined || setup.http === "2") {
    return undefined;
  }
  const isReset = ["ECONNRESET", "EPIPE"].includes(errorCode(error));
  return (isReset && !isFramed(headers)) || isParserError(error) || isUnsolicitedResponse(error) ? error : undefined;
}

function determineEnd(progress: Progress, error: Error | undefined): ExchangeEnd {
  const context = createFailureContext(progress);
  if (progress.stopReason !== undefined) {
    return createFailedEnd(...progress.stopReason, context);
  }
  if (progress.wasClosedByClient) {
    return { kind: "complete", closedBy: "client" };
  }
  if (error !== undefined) {
    const { error: socketError } = progress.log;
    // In TLS 1.3 a target rejects the client after the handshake, and undici only reports a closed connection.
    return toExchangeEnd(socketError !== undefined && isTlsAlert(socketError) ? socketError : error, context);
  }
  const hiddenError = findHiddenError(progress);
  if (hiddenError === undefined) {
    return { kind: "complete" };
  }
  return isFramed(progress.headers)
    ? createFailedEnd("protocol", "it sent bytes after the end of the response", context)
    : toExchangeEnd(hiddenError, context);
}

/** Sends the request and receives the response. Resolves with the error, or with undefined if the response is complete. Never rejects. */
function exchangeHttp1(progress: Progress, dispatcher: Dispatcher): Promise<Error | undefined> {
  const { request, clock } = progress.setup;
  const options = {
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method,
    headers: request.headers.flat(),
    body: request.body ?? null,
    signal: progress.abortController.signal,
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
      receiveHead(progress, data.statusCode, toHeaderFields(data.headers));
      data.body.on("data", (bytes: Uint8Array) => {
        const atMicros = clock.nowMicros();
        receive(progress, bytes, atMicros);
      });
      data.body.on("error", resolve);
      // Socket errors about bytes after the end are reported one event loop turn later.
      data.body.on("end", () => setImmediate(resolve, undefined));
    });
  });
}

/** Like `exchangeHttp1`, but over HTTP/2. */
function exchangeHttp2(progress: Progress, { socket }: OpenedConnection): Promise<Error | undefined> {
  const { request, clock, limits } = progress.setup;
  return exchangeOverHttp2(socket, {
    ...request,
    signal: progress.abortController.signal,
    onHead: (status, headers) => {
      progress.headersAtMicros = clock.nowMicros();
      receiveHead(progress, status, headers);
      if (headers.flat().join("").length > limits.maxHeaderBytes) {
        createStop(progress)("headers-overflow", "the head of the response is larger than the limit");
      }
    },
    // Copy the bytes: Node passes slices of a larger buffer, which would stay in memory.
    onData: (bytes) => receive(progress, new Uint8Array(bytes), clock.nowMicros()),
  });
}

function toTimes({ sentAtMicros, log, headersAtMicros }: Progress, endedAtMicros: number): ExchangeTimes {
  const { connectedAtMicros } = log;
  return {
    sentAtMicros,
    ...defined({ connectedAtMicros, headersAtMicros }),
    endedAtMicros,
  };
}

function closeConnection({ log }: Progress, dispatcher: Dispatcher | undefined): void {
  for (const socket of log.sockets) {
    socket.on("error", () => undefined).destroy();
  }
  // The exchange is over and its sockets are closed, so an error does not matter.
  dispatcher?.destroy().catch(() => undefined);
}

/** Sends and receives, then closes the connection. */
interface Transport {
  readonly exchange: (progress: Progress) => Promise<Error | undefined>;
  readonly dispatcher: () => Dispatcher | undefined;
}

function selectTransport({ http, request, connection }: ExchangeSetup, options: DispatcherOptions): Transport {
  if (http === "1.1") {
    const dispatcher = connection?.open?.dispatcher ?? createDispatcher(options);
    return { exchange: (progress) => exchangeHttp1(progress, dispatcher), dispatcher: () => dispatcher };
  }
  let opened: OpenedConnection | undefined;
  return {
    exchange: (progress) => exchangeHttp2(progress, (opened = openHttp2Connection(request.url, options))),
    dispatcher: () => opened?.dispatcher,
  };
}

/** Returns the log of a new connection, or of a kept one, without the events of earlier exchanges. */
function openLog({ connection }: ExchangeSetup): ConnectionLog {
  const log: ConnectionLog = connection?.open?.log ?? { usesProxy: false, sockets: new Set() };
  delete log.connectedAtMicros;
  delete log.error;
  for (const socket of log.sockets) {
    if (socket.destroyed) {
      log.sockets.delete(socket);
    }
  }
  return log;
}

function startProgress(setup: ExchangeSetup, log: ConnectionLog): Progress {
  const progress: Progress = {
    setup,
    log,
    isReused: log.sockets.size > 0,
    sentAtMicros: setup.clock.nowMicros(),
    abortController: new AbortController(),
    headers: [],
    body: createBodyRecorder(),
    turnCollector: createTurnCollector((chunk) => processChunk(progress, chunk)),
    receivedBytes: 0,
    wasClosedByClient: false,
  };
  return progress;
}

/** Returns the response received so far. Contains only the decoded part of an encoded body. */
function toResponse({ status, headers, body }: Progress): ResponseDraft | undefined {
  const { mergedChunks } = body;
  return status === undefined
    ? undefined
    : { status, headers, chunks: body.chunks(), ...(mergedChunks === 0 ? {} : { mergedChunks }) };
}

/** Keeps the connection for the next exchange if the caller wants it and this exchange ended well. Closes it otherwise. */
function endConnection(progress: Progress, dispatcher: Dispatcher | undefined, error: Error | undefined): void {
  const { setup, log, stopReason, wasClosedByClient } = progress;
  const { connection, http } = setup;
  const isUsable =
    error === undefined && stopReason === undefined && !wasClosedByClient && findHiddenError(progress) === undefined;
  if (connection !== undefined && dispatcher !== undefined && http === "1.1" && isUsable) {
    connection.open = { dispatcher, log };
    return;
  }
  closeConnection(progress, dispatcher);
  if (connection !== undefined) {
    connection.open = undefined;
  }
}

/** Closes a kept connection. */
export function closeKeptConnection(connection: KeptConnection): void {
  connection.open?.dispatcher.destroy().catch(() => undefined);
  connection.open = undefined;
}

/**
 * Runs one exchange, on its own connection unless `connection` is set. A server may close a kept connection at any time. If it does so
 * before it responds, the request is sent again on a new connection. Never rejects: failures of the target are the `end` of the outcome, and
 * everything received before is kept. Does not follow redirects. Chunks are timestamped on arrival, before any other processing. A decoded
 * chunk has the time of the received chunk that released it.
 */
export async function runExchange(setup: ExchangeSetup): Promise<ExchangeOutcome> {
  const outcome = await runOnce(setup);
  const { response, end, reusesConnection } = outcome;
  const wasClosedWhileIdle = reusesConnection === true && response === undefined && isClosedConnection(end);
  return wasClosedWhileIdle ? runOnce(setup) : outcome;
}

const isClosedConnection = (end: ExchangeEnd): boolean => end.kind === "failed" && end.code === "reset";

async function runOnce(setup: ExchangeSetup): Promise<ExchangeOutcome> {
  const { clock, limits, proxy, tls, signal } = setup;
  const log = openLog(setup);
  const isEncrypted = [setup.request.url, proxy].some((url) => url?.protocol === "https:");
  const transport = selectTransport(setup, {
    limits,
    proxy,
    isEncrypted,
    tls,
    log,
    clock,
  });
  const progress = startProgress(setup, log);
  const stopStallWatch = watchStalls(clock);
  const hasHead = (): boolean => progress.status !== undefined;
  const clearDeadlines = startDeadlines({ limits, signal, hasHead, stop: createStop(progress) });
  const error = progress.stopReason === undefined ? await transport.exchange(progress) : undefined;
  const endedAtMicros = clock.nowMicros();
  clearDeadlines();
  endConnection(progress, transport.dispatcher(), error);
  const stalls = await stopStallWatch();
  progress.turnCollector.flush();
  await progress.decoding?.finish(error === undefined && progress.stopReason === undefined, endedAtMicros);
  progress.linger?.stop();
  setup.budget.release(progress.receivedBytes);
  const response = toResponse(progress);
  const times = { ...toTimes(progress, endedAtMicros), stalls };
  return {
    ...(response && { response }),
    end: determineEnd(progress, error),
    times,
    // undici opens a new connection if the kept one was closed.
    ...(progress.isReused && log.connectedAtMicros === undefined ? { reusesConnection: true } : {}),
  };
}
