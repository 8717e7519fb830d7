import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { constants, gzipSync } from "node:zlib";
import { searchPath } from "@assay/contract";
import type { Refusal } from "../service/access.ts";
import type { ApiAnswer } from "../service/conversation/api/api-answer.ts";
import { gzipChunks } from "../service/http/gzip-chunks.ts";
import { toGzipHead } from "../service/http/response-head.ts";
import type { CannedAnswer, StreamChunk } from "../service/ports.ts";
import { countUp } from "./conversation/seen-conversations.ts";
import {
  type EffectAt,
  type Fault,
  type FaultEffect,
  type FaultEffects,
  type Variants,
  choice,
  defineDisruption,
  defineLegalVariation,
  selectVariant,
  changeBytes,
  withSettings,
  defineViolation,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { sendInOnePiece, slowSearch } from "./pace-faults.ts";

/** Sends part of the first `matches` event, then only the chunks that `interrupt` yields. */
const insideFirstMatches = (interrupt: (run: FaultRun) => AsyncIterable<StreamChunk>) =>
  withSettings(
    { percent: { title: "share of the first matches that is sent before it, in percent", default: 50 } },
    ({ percent }) =>
      changeBytes(async function* (chunks, run) {
        for await (const chunk of chunks) {
          if (!chunk.subarray(0, 14).equals(Buffer.from("event: matches"))) {
            yield chunk;
            continue;
          }
          // Sends at least one byte and withholds at least one, so that the event starts but does not end.
          const share = Math.ceil((chunk.length * percent) / 100);
          yield chunk.subarray(0, Math.min(Math.max(1, share), chunk.length - 1));
          run.recordChange();
          yield* interrupt(run);
          return;
        }
      }),
  );

/** Delay before a reset, in which the peer can read the sent bytes. A reset discards unread bytes. */
const beforeResetMs = 100;

async function* reset({ signal }: FaultRun): AsyncGenerator<StreamChunk> {
  await Promise.race([wait(beforeResetMs), signal.aborted ? undefined : once(signal, "abort")]);
  yield "reset";
}

async function* cutStream(): AsyncGenerator<StreamChunk> {
  yield "cut";
}

/** Sends nothing until the client disconnects. */
async function* silence({ signal }: FaultRun): AsyncGenerator<StreamChunk> {
  if (!signal.aborted) {
    await once(signal, "abort");
  }
  yield "cut";
}

/** Sends the whole stream, then only the chunks that `interrupt` yields. */
const afterDone = (interrupt: (run: FaultRun) => AsyncIterable<StreamChunk>): EffectAt<"bytes"> =>
  changeBytes(async function* (chunks, run) {
    yield* chunks;
    run.recordChange();
    yield* interrupt(run);
  });

const replaceSearchAnswer = (answer: CannedAnswer | "reset"): FaultEffect => ({ layer: "answer", apply: () => answer });

const createCannedAnswer = (status: number, headers: CannedAnswer["headers"], body: string) => ({
  status,
  headers,
  body,
});

const plainTextHeaders = { "content-type": "text/plain; charset=utf-8" };
const htmlHeaders = { "content-type": "text/html; charset=utf-8" };

const asAnswer = ({ body, headers, status }: CannedAnswer): ApiAnswer => ({ status, headers, text: body });

const notFound = createCannedAnswer(404, plainTextHeaders, "404 page not found\n");

const signInPage =
  "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n";

/** Targets of redirects. */
const redirectTargets: Variants<string> = {
  "other-host": "https://login.example.com/oauth2/start?rd=%2F.api%2Fsearch%2Fstream",
  "sign-in": "/sign-in?returnTo=%2Fsearch",
  https: `https://localhost${searchPath}`,
};

const createRedirect = (location: string): CannedAnswer =>
  createCannedAnswer(
    302,
    { ...htmlHeaders, location },
    '<html><body>You are being <a href="/sign-in">redirected</a>.</body></html>\n',
  );

const retrySeconds = { title: "value of the header Retry-After", default: 1 } as const;

/** Refuses the first `times` searches regardless of their credentials. */
const refuseFirst = (refusal: Refusal, times: number): EffectAt<"access"> => ({
  layer: "access",
  apply: (decision, _request, run) => (run.nextNumber() < times ? refusal : decision),
});

const busyRefusal = (status: number, retryAfterSeconds: number): Refusal => ({
  allowed: false,
  status,
  text: "The service is busy; try again later.",
  retryAfterSeconds,
});

/** Number of the conversation read that is refused, starting at 1. */
const refusedRead = 2;

type Headers = Readonly<Record<string, string>>;

/** Changes the headers of streams. */
const streamHeaders = (headersOf: () => Headers): EffectAt<"bytes"> => ({
  layer: "bytes",
  head: ({ headers, status }) => ({ status, headers: { ...headers, ...headersOf() } }),
  apply: (chunks) => chunks,
});

/** Changes the headers of streams and of responses of the conversation API. */
const allHeaders = (headersOf: () => Headers): FaultEffects => [
  streamHeaders(headersOf),
  {
    layer: "conversation",
    apply: (answer) => ({ ...answer, headers: { ...answer.headers, ...headersOf() } }),
  },
];

/** Headers that well-known proxies add. */
const proxyHeaders: Variants<Headers> = {
  nginx: { server: "nginx/1.27.4" },
  envoy: { server: "envoy", "x-envoy-upstream-service-time": "12" },
  cloudflare: { server: "cloudflare", "cf-ray": "8f1c2a3b4c5d6e7f-FRA", "cf-cache-status": "DYNAMIC" },
  via: { via: "1.1 gateway.example.com (squid/6.10)" },
};

const gzipBytes: EffectAt<"bytes"> = { layer: "bytes", head: toGzipHead, apply: gzipChunks };

/** Bytes that are neither the start of a gzip stream nor of a gzip block. */
const garbage = Buffer.alloc(2000, 0xff);

/** Compresses the first half of a body with gzip and flushes it, without the end of the gzip stream. */
const firstHalf = (body: Buffer): Buffer =>
  gzipSync(body.subarray(0, Math.ceil(body.length / 2)), { finishFlush: constants.Z_SYNC_FLUSH });

const gzipThenGarbage = (from: "start" | "middle"): FaultEffects => [
  sendInOnePiece(true),
  {
    layer: "bytes",
    head: ({ headers, status }) => ({ status, headers: { ...headers, "content-encoding": "gzip" } }),
    async *apply(chunks) {
      for await (const body of chunks) {
        yield from === "middle" ? Buffer.concat([firstHalf(body), garbage]) : garbage;
      }
    },
  },
];

/**
 * Faults below the stream: of the connection, a proxy before the service, a busy service, headers and encoding.
 */
export const transportFaults: readonly Fault[] = [
  defineDisruption("reset-before-head")(
    "The connection is reset before any byte of the response.",
    replaceSearchAnswer("reset"),
  ),
  defineDisruption("reset-mid-event")(
    "The connection is reset inside the first `matches` event, for example after half of it.",
    insideFirstMatches(reset),
  ),
  defineDisruption("truncate")(
    "The connection is closed inside the first `matches` event, for example after half of it, without the end of the chunked body.",
    insideFirstMatches(cutStream),
  ),
  defineDisruption("stall")(
    "Nothing is sent after a part of the first `matches` event, for example half of it, and the connection stays open.",
    insideFirstMatches(silence),
  ),
  defineViolation("stream/response-ends-after-done", "closed-after-done")(
    "The connection is closed after `done`, without the final chunk of the body.",
    afterDone(cutStream),
  ),
  defineViolation("stream/response-ends-after-done", "open-after-done")(
    "The response is left open after `done`, until the client closes the connection.",
    afterDone(silence),
  ),
  defineDisruption("no-answer")(
    "The request is accepted and the connection stays open, but no byte of the response is sent.",
    changeBytes(async function* (_chunks, run) {
      run.recordChange();
      yield* silence(run);
    }),
  ),
  defineDisruption("html-200")(
    "The answer is an HTML page with status 200, as from a proxy that requires a sign-in.",
    replaceSearchAnswer(createCannedAnswer(200, htmlHeaders, signInPage)),
  ),
  defineDisruption("empty-body")(
    "The response head is that of a stream, but the body is empty.",
    replaceSearchAnswer(
      createCannedAnswer(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }, ""),
    ),
  ),
  defineDisruption("status-500")(
    "The answer has status 500 and no body.",
    replaceSearchAnswer(createCannedAnswer(500, plainTextHeaders, "")),
  ),
  defineDisruption("redirect-to-login")(
    "Searches and calls are redirected, as by a proxy that requires a sign-in, or https.",
    selectVariant(redirectTargets, (location) => [
      replaceSearchAnswer(createRedirect(location)),
      { layer: "conversation", apply: () => asAnswer(createRedirect(location)) },
    ]),
  ),
  defineDisruption("search-rate-limited")(
    "Searches return status 429 and `Retry-After: 1`.",
    replaceSearchAnswer(createCannedAnswer(429, { ...plainTextHeaders, "retry-after": "1" }, "too many requests\n")),
  ),
  defineDisruption("search-missing")(
    "Searches return status 404, as from a proxy that does not forward their path.",
    replaceSearchAnswer(notFound),
  ),
  defineDisruption("interface-missing")(
    "All calls of one interface of the conversation API return status 404.",
    withSettings({ how: choice("which variant", "legacy", "current") }, ({ how }) => ({
      layer: "conversation",
      apply: (answer, call) => (call.interface === how ? asAnswer(notFound) : answer),
    })),
  ),
  defineDisruption("busy")(
    "Searches return status 429 or 503 and a `Retry-After` header.",
    withSettings(
      {
        status: choice("the status", "429", "503"),
        seconds: retrySeconds,
        times: { title: "number of first searches that are refused", default: 1_000_000 },
      },
      ({ seconds, status, times }) => refuseFirst(busyRefusal(Number(status), seconds), times),
    ),
  ),
  defineLegalVariation("busy-once")(
    "The first search returns status 429 and a `Retry-After` header.",
    withSettings({ seconds: retrySeconds }, ({ seconds }) => refuseFirst(busyRefusal(429, seconds), 1)),
  ),
  defineLegalVariation("conversation-busy")(
    "The second read returns status 429 and a `Retry-After` header.",
    withSettings({ seconds: retrySeconds }, ({ seconds }) => ({
      layer: "conversation",
      apply: (answer, call, run) =>
        call.operation === "get" && countUp(run, "reads that may be put off") === refusedRead
          ? asAnswer(
              createCannedAnswer(429, { ...plainTextHeaders, "retry-after": String(seconds) }, "Try again later.\n"),
            )
          : answer,
    })),
  ),
  defineDisruption("gzip-garbage")(
    "The head declares gzip, requested or not, but the body is not gzip, or only its first half is.",
    withSettings({ from: choice("where the garbage starts", "middle", "start") }, ({ from }) => gzipThenGarbage(from)),
  ),
  defineLegalVariation("wrong-content-type")(
    "The stream is correct, but its head has a different content type. The specification does not define one for responses.",
    withSettings(
      { type: choice("the content type", "application/octet-stream", "text/plain; charset=utf-8", "application/json") },
      ({ type }) => streamHeaders(() => ({ "content-type": type })),
    ),
  ),
  defineLegalVariation("clock-skew")(
    "The `Date` of all responses is off by some seconds. The specification does not require it to be correct.",
    withSettings(
      {
        seconds: { title: "by how many seconds", default: 600 },
        direction: choice("which way", "behind", "ahead"),
      },
      ({ direction, seconds }) => {
        const byMs = seconds * 1000 * (direction === "ahead" ? 1 : -1);
        return allHeaders(() => ({ date: new Date(Date.now() + byMs).toUTCString() }));
      },
    ),
  ),
  defineLegalVariation("via-proxy")(
    "Answers have the headers of a well-known proxy, and are otherwise unchanged.",
    selectVariant(proxyHeaders, (headers) => allHeaders(() => headers)),
  ),
  defineLegalVariation("cacheable")(
    "The head of streams allows caching. The specification does not mention caching.",
    streamHeaders(() => ({ "cache-control": "public, max-age=300" })),
  ),
  defineLegalVariation("compressed-always")(
    "Streams are gzip, requested or not, and each event is flushed, so that clients that decode gzip receive all events in time.",
    gzipBytes,
  ),
  defineViolation("stream/results-arrive-incrementally", "compressed-and-buffered")(
    "Streams are gzip and arrive in one piece when they are complete, as through a proxy that compresses without flushing. The first searches are slowed down to make this visible.",
    [gzipBytes, sendInOnePiece(false), slowSearch()],
  ),
];
