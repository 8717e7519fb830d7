import type { IncomingMessage, ServerResponse } from "node:http";
import { type AccessDecision, credentialKind, decideAccess } from "../access.ts";
import type { CannedAnswer, Fault, FaultRun } from "../faults/fault.ts";
import { slowed } from "../latency.ts";
import { seededRandom } from "../seeded-random.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { earlyErrorEvents } from "../stream/session-events.ts";
import { searchEvents } from "./search-events.ts";
import { gzipChunks } from "./gzip-chunks.ts";
import { requestTrace } from "./request-trace.ts";
import { acceptsGzip, gzippedHead, streamHead } from "./response-head.ts";
import { type CheckedParameters, checkParameters } from "./search-parameters.ts";
import type { SearchService } from "./search-service.ts";
import { shapedChunks, shapedHead } from "./shape-stream.ts";
import { type StreamToWrite, writeStream } from "./write-stream.ts";

/** One request on its way to an answer. */
interface Answering {
  readonly service: SearchService;
  readonly fault: Fault | undefined;
  readonly run: FaultRun;
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
}

const accessDecision = ({ fault, run, service }: Answering, header: string | undefined): AccessDecision => {
  const credential = credentialKind(header, service.tokens);
  const decision = decideAccess(credential, service.access);
  return fault?.layer === "access" ? fault.apply(decision, { credential, mode: service.access }, run) : decision;
};

const parametersOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

const checkedParameters = ({ fault, run }: Answering, given: URLSearchParams): CheckedParameters => {
  const checked = checkParameters(given);
  return fault?.layer === "parameters" ? fault.apply(checked, given, run) : checked;
};

async function* eventsOf(list: readonly SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* list;
}

const plainEvents = (
  { service, signal }: Answering,
  checked: CheckedParameters,
  traceUrl: string | undefined,
): AsyncIterable<SearchEvent> => {
  const events = checked.ok
    ? searchEvents(service, checked.parameters, { clientSignal: signal, traceUrl })
    : eventsOf(earlyErrorEvents(checked.message));
  const { latency, seed } = service;
  const random = seed === undefined ? Math.random : seededRandom(seed, "latency");
  return latency === "instant" ? events : slowed(events, { latency, random, signal });
};

/** The stream that answers a request which may search, as gzip where the client reads it and no fault speaks of an encoding. */
const streamFor = (answering: Answering, request: IncomingMessage): StreamToWrite => {
  const { fault, run, service, signal } = answering;
  const { headers, url = "" } = request;
  const given = parametersOf(url);
  const trace = requestTrace(request, given, service.seed);
  const shaping = { fault, run, randoms: service.variationFor?.(url) };
  const head = shapedHead(streamHead({ traceId: trace?.id }), shaping);
  const events = plainEvents(answering, checkedParameters(answering, given), trace?.url);
  const chunks = shapedChunks(events, shaping);
  return head.headers["content-encoding"] === undefined && acceptsGzip(headers["accept-encoding"])
    ? { head: gzippedHead(head), chunks: gzipChunks(chunks), signal }
    : { head, chunks, signal };
};

const refuse = (response: ServerResponse, { status, text }: Extract<AccessDecision, { allowed: false }>): void => {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    vary: "Authorization",
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
  if (fault?.layer === "answer") {
    answerCanned(answering, fault.apply(run));
    return;
  }
  const decision = accessDecision(answering, request.headers.authorization);
  if (!decision.allowed) {
    refuse(response, decision);
    return;
  }
  await writeStream(streamFor(answering, request), response);
};

/**
 * Answers one search from request to last byte. Everything it started is over when it returns: the search process is
 * killed when the client leaves or the server closes. Source: search-stream, sections 4 to 6.
 */
export const answerSearch = async (
  service: SearchService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { active, closing, journal } = service;
  const controller = new AbortController();
  const { signal } = controller;
  const leave = (): void => controller.abort();
  const line = journal.open({ method: request.method ?? "", url: request.url ?? "", fault: active?.fault.id });
  const closed = new Promise<void>((resolve) => {
    response.once("close", () => {
      leave();
      resolve();
    });
  });
  closing.addEventListener("abort", leave, { once: true });
  const run: FaultRun = { values: active?.values ?? {}, signal, applied: () => line.faultApplied() };
  try {
    await answer({ service, fault: active?.fault, run, signal, response }, request);
    await closed;
  } finally {
    closing.removeEventListener("abort", leave);
    response.destroy();
    line.ended(response.writableFinished ? "finished" : "client-left");
  }
};
