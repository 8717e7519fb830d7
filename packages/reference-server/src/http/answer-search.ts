import { defined } from "@assay/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { credentialKind, decideAccess, likenessOf } from "../access.ts";
import type { AccessDecision, Refusal } from "../access.ts";
import { effectAt } from "../faults/fault.ts";
import type { CannedAnswer, Fault, StreamChunk } from "../faults/fault.ts";
import type { FaultRun } from "../faults/fault-run.ts";
import type { JournalLine } from "../journal.ts";
import { slowed } from "../latency.ts";
import { seededRandom } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { frameOf } from "../stream/frame.ts";
import { earlyErrorEvents, queryErrorEvents } from "../stream/session-events.ts";
import { keepExchange } from "./exchange.ts";
import { searchEvents } from "./search-events.ts";
import { gzipChunks } from "./gzip-chunks.ts";
import { requestTrace } from "./request-trace.ts";
import { acceptsGzip, gzippedHead, streamHead } from "./response-head.ts";
import type { ResponseHead } from "./response-head.ts";
import { checkParameters } from "./search-parameters.ts";
import type { CheckedParameters } from "./search-parameters.ts";
import type { SearchService } from "./search-service.ts";
import { shapedChunks, shapedHead } from "./shape-stream.ts";

/** One stream that is to be sent. */
interface StreamToWrite {
  readonly head: ResponseHead;
  readonly chunks: AsyncIterable<StreamChunk>;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** Told once, when the head goes out. */
  readonly headSent?: (status: number) => void;
}

const firedOnce = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Sends the chunks of a stream as they come; the head goes out with the first one. A slow reader slows the source down.
 * Returns when everything was handed over, the client has left or a chunk ended the connection.
 */
const writeStream = async (stream: StreamToWrite, response: ServerResponse): Promise<void> => {
  const { chunks, signal } = stream;
  const left = firedOnce(signal);
  let handedOver: Promise<void> = Promise.resolve();
  for await (const chunk of chunks) {
    if (signal.aborted) {
      return;
    }
    if (chunk === "reset" || chunk === "cut") {
      await Promise.race([handedOver, left]);
      endConnection(response, chunk);
      return;
    }
    sendHead(response, stream);
    let readerIsFast = true;
    handedOver = new Promise((resolve) => {
      readerIsFast = response.write(chunk, () => resolve());
    });
    if (!readerIsFast) {
      await Promise.race([handedOver, left]);
    }
  }
  if (!signal.aborted) {
    sendHead(response, stream);
    response.end();
  }
};

const endConnection = (response: ServerResponse, how: "reset" | "cut"): void => {
  if (how === "reset") {
    response.socket?.resetAndDestroy();
  } else {
    response.socket?.destroySoon();
  }
};

const sendHead = (response: ServerResponse, { head: { status, headers }, headSent }: StreamToWrite): void => {
  if (!response.headersSent) {
    response.writeHead(status, headers);
    headSent?.(status);
  }
};

/** One request on its way to an answer. */
interface Answering {
  readonly service: SearchService;
  readonly fault: Fault | undefined;
  readonly run: FaultRun;
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
  readonly line: JournalLine;
}

const accessDecision = ({ fault, run, service }: Answering, header: string | undefined): AccessDecision => {
  const credential = credentialKind(header, service.tokens);
  const decision = decideAccess(credential, service.access);
  return (
    effectAt(fault, "access")?.apply(
      decision,
      { credential, mode: service.access, likeness: likenessOf(header, service.tokens) },
      run,
    ) ?? decision
  );
};

const checkedParameters = ({ fault, run }: Answering): CheckedParameters => {
  const checked = checkParameters(run.given);
  return effectAt(fault, "parameters")?.apply(checked, run) ?? checked;
};

async function* eventsOf(list: readonly SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* list;
}

async function* framesOf(list: readonly SearchEvent[]): AsyncGenerator<Buffer> {
  for (const event of list) {
    yield frameOf(event).bytes;
  }
}

const plainEvents = (
  { fault, run, service, signal }: Answering,
  checked: CheckedParameters,
  traceUrl: string | undefined,
): AsyncIterable<SearchEvent> => {
  const repositories = effectAt(fault, "index")?.apply(service.repositories, run) ?? service.repositories;
  const events = checked.ok
    ? searchEvents({ ...service, repositories }, checked.parameters, { clientSignal: signal, traceUrl })
    : eventsOf(earlyErrorEvents(checked.message));
  const { latency, latencyFactor, seed } = service;
  const random = seed === undefined ? Math.random : seededRandom(seed, "latency");
  return latency === "instant" ? events : slowed(events, { latency, latencyFactor, random, signal });
};

/** The stream that answers a request which may search, as gzip where the client reads it and no fault speaks of an encoding. */
const streamFor = (answering: Answering, request: IncomingMessage, checked: CheckedParameters): StreamToWrite => {
  const { fault, line, run, service, signal } = answering;
  const { headers, url = "" } = request;
  const trace = requestTrace(request, run.given, service.seed);
  const shaping = { fault, run, randoms: service.variationFor?.(url), doneSent: () => line.doneSent() };
  const head = shapedHead(streamHead({ traceId: trace?.id }), shaping);
  const chunks = shapedChunks(plainEvents(answering, checked, trace?.url), shaping);
  const headSent = (status: number): void => line.headSent(status);
  return head.headers["content-encoding"] === undefined && acceptsGzip(headers["accept-encoding"])
    ? { head: gzippedHead(head), chunks: gzipChunks(chunks), signal, headSent }
    : { head, chunks, signal, headSent };
};

const refuse = async ({ response, signal }: Answering, refusal: Refusal): Promise<void> => {
  if ("alert" in refusal) {
    const chunks = framesOf(queryErrorEvents(refusal.alert));
    await writeStream({ head: streamHead({ traceId: undefined }), chunks, signal }, response);
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

const answerCanned = ({ response, run }: Answering, canned: CannedAnswer | "reset"): void => {
  run.applied();
  if (canned === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(canned.status, canned.headers);
  response.end(canned.body);
};

const answer = async (answering: Answering, request: IncomingMessage): Promise<void> => {
  const { fault, response, run } = answering;
  const canned = effectAt(fault, "answer");
  if (canned !== undefined) {
    answerCanned(answering, canned.apply(run));
    return;
  }
  const decision = accessDecision(answering, request.headers.authorization);
  if (!decision.allowed) {
    await refuse(answering, decision);
    return;
  }
  const checked = checkedParameters(answering);
  if (!checked.ok && checked.refusal !== undefined) {
    await refuse(answering, checked.refusal);
    return;
  }
  await writeStream(streamFor(answering, request, checked), response);
};

/**
 * Answers one search from request to last byte. Everything it started is over when it returns: the search process is
 * killed when the client leaves or the server closes. Source: search-stream, sections 4 to 6.
 */
export const answerSearch = (
  service: SearchService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> =>
  keepExchange(service, { request, response }, ({ line, run, signal }) =>
    answer({ service, fault: service.active?.fault, run, signal, response, line }, request),
  );
