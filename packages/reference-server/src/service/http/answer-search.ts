import { defined } from "@assay/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { classifyCredential, decideAccess, findTokenMismatch } from "../access.ts";
import type { AccessDecision, Refusal } from "../access.ts";
import { slowDown } from "../latency.ts";
import type { CannedAnswer, SearchPorts, StreamChunk } from "../ports.ts";
import { seededRandom } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { type Frame, encodeFrame } from "../stream/frame.ts";
import { earlyErrorEvents, queryErrorEvents } from "../stream/session-events.ts";
import { type Exchange, recordExchange } from "./exchange.ts";
import { searchEvents } from "./search-events.ts";
import { gzipChunks } from "./gzip-chunks.ts";
import { createTrace } from "./request-trace.ts";
import { acceptsGzip, toGzipHead, createStreamHead } from "./response-head.ts";
import type { ResponseHead } from "./response-head.ts";
import { checkParameters } from "./search-parameters.ts";
import type { ParametersResult } from "./search-parameters.ts";
import type { SearchService } from "./search-service.ts";

async function* readBytes(frames: AsyncIterable<Frame>, onDone: (() => void) | undefined): AsyncGenerator<Buffer> {
  for await (const { bytes, event } of frames) {
    if (event.name === "done") {
      onDone?.();
    }
    yield bytes;
  }
}

/** Applies the layers of a stream in order. Calls `onDone` just before `done` is sent. */
export const shapeChunks = (
  events: AsyncIterable<SearchEvent>,
  ports: Pick<SearchPorts, "events" | "frames" | "pieces" | "chunks">,
  onDone?: () => void,
): AsyncIterable<StreamChunk> => ports.chunks(ports.pieces(readBytes(ports.frames(ports.events(events)), onDone)));

/** A stream to send. */
interface StreamToWrite {
  readonly head: ResponseHead;
  readonly chunks: AsyncIterable<StreamChunk>;
  /** Fires when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Called once, when the head is sent. */
  readonly onHead?: (status: number) => void;
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Sends chunks as they arrive, and the head with the first chunk. A slow client slows down the source. Returns when everything is
 * written, the client has disconnected, or a chunk ended the connection.
 */
const writeStream = async (stream: StreamToWrite, response: ServerResponse): Promise<void> => {
  const { chunks, signal } = stream;
  const abortPromise = waitForAbort(signal);
  let writePromise: Promise<void> = Promise.resolve();
  for await (const chunk of chunks) {
    if (signal.aborted) {
      return;
    }
    if (chunk === "reset" || chunk === "cut") {
      await Promise.race([writePromise, abortPromise]);
      endConnection(response, chunk);
      return;
    }
    sendHead(response, stream);
    let isReaderFast = true;
    writePromise = new Promise((resolve) => {
      isReaderFast = response.write(chunk, () => resolve());
    });
    if (!isReaderFast) {
      await Promise.race([writePromise, abortPromise]);
    }
  }
  if (!signal.aborted) {
    sendHead(response, stream);
    response.end();
  }
};

const endConnection = (response: ServerResponse, closeKind: "reset" | "cut"): void => {
  if (closeKind === "reset") {
    response.socket?.resetAndDestroy();
  } else {
    response.socket?.destroySoon();
  }
};

const sendHead = (response: ServerResponse, { head: { status, headers }, onHead }: StreamToWrite): void => {
  if (!response.headersSent) {
    response.writeHead(status, headers);
    onHead?.(status);
  }
};

/** A search in progress. */
interface SearchToAnswer extends Omit<Exchange, "ports"> {
  readonly service: SearchService;
  readonly ports: SearchPorts;
}

const decideSearchAccess = ({ ports, service }: SearchToAnswer, header: string | undefined): AccessDecision => {
  const credential = classifyCredential(header, service.tokens);
  const mismatch = findTokenMismatch(header, service.tokens);
  return ports.access(decideAccess(credential, service.access), {
    credential,
    mode: service.access,
    mismatch,
  });
};

async function* yieldEvents(list: readonly SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* list;
}

async function* yieldFrames(list: readonly SearchEvent[]): AsyncGenerator<Buffer> {
  for (const event of list) {
    yield encodeFrame(event).bytes;
  }
}

const createEvents = (
  { ports, service, signal }: SearchToAnswer,
  parsedParameters: ParametersResult,
  traceUrl: string | undefined,
): AsyncIterable<SearchEvent> => {
  const repositories = ports.repositories(service.repositories);
  const events = parsedParameters.ok
    ? searchEvents({ ...service, repositories }, parsedParameters.parameters, { clientSignal: signal, traceUrl })
    : yieldEvents(earlyErrorEvents(parsedParameters.message));
  const { latency, latencyFactor, seed } = service;
  const random = seed === undefined ? Math.random : seededRandom(seed, "latency");
  return latency === "instant" ? events : slowDown(events, { latency, latencyFactor, random, signal });
};

/** Creates the stream of an allowed search. It is compressed if the client accepts gzip and no fault sets an encoding. */
const createStream = (search: SearchToAnswer, parsedParameters: ParametersResult): StreamToWrite => {
  const { queryParameters, journalLine, ports, request, service, signal } = search;
  const trace = createTrace(request, queryParameters, service.seed);
  const head = ports.head(createStreamHead({ traceId: trace?.id }));
  const chunks = shapeChunks(createEvents(search, parsedParameters, trace?.url), ports, () => journalLine.recordDone());
  const onHead = (status: number): void => journalLine.recordHead(status);
  return head.headers["content-encoding"] === undefined && acceptsGzip(request.headers["accept-encoding"])
    ? { head: toGzipHead(head), chunks: gzipChunks(chunks), signal, onHead }
    : { head, chunks, signal, onHead };
};

const sendRefusal = async ({ response, signal }: SearchToAnswer, refusal: Refusal): Promise<void> => {
  if ("alert" in refusal) {
    const chunks = yieldFrames(queryErrorEvents(refusal.alert));
    await writeStream({ head: createStreamHead({ traceId: undefined }), chunks, signal }, response);
    return;
  }
  const { location, retryAfterSeconds, status, text } = refusal;
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    vary: "Authorization",
    ...defined({ location }),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(`${text}\n`);
};

const sendCannedAnswer = ({ recordChange, response }: SearchToAnswer, cannedAnswer: CannedAnswer | "reset"): void => {
  recordChange();
  if (cannedAnswer === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(cannedAnswer.status, cannedAnswer.headers);
  response.end(cannedAnswer.body);
};

const answer = async (search: SearchToAnswer): Promise<void> => {
  const { queryParameters, ports, request, response } = search;
  const cannedAnswer = ports.cannedAnswer();
  if (cannedAnswer !== undefined) {
    sendCannedAnswer(search, cannedAnswer);
    return;
  }
  const decision = decideSearchAccess(search, request.headers.authorization);
  if (!decision.allowed) {
    await sendRefusal(search, decision);
    return;
  }
  const parsedParameters = ports.parameters(checkParameters(queryParameters));
  if (!parsedParameters.ok && parsedParameters.refusal !== undefined) {
    await sendRefusal(search, parsedParameters.refusal);
    return;
  }
  await writeStream(createStream(search, parsedParameters), response);
};

/**
 * Handles one search. When it returns, all work has ended: the search process is killed when the client disconnects or the server
 * closes. Source: search-stream, sections 4 to 6.
 */
export const answerSearch = (
  service: SearchService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> =>
  recordExchange(service, { request, response }, (exchange) =>
    answer({ ...exchange, service, ports: exchange.ports.search }),
  );
