import type { ApiAnswer } from "../conversation/api/api-answer.ts";
import type { ConversationEffect } from "./conversation-effect.ts";
import {
  type Fault,
  type FaultEffect,
  type Variants,
  disrupting,
  howParameter,
  legal,
  variantOf,
  violating,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { slowness, slowSearch } from "./order-arrival-faults.ts";
import { gzipChunks } from "../http/gzip-chunks.ts";
import type { ResponseHead } from "../http/response-head.ts";
import type { CannedAnswer } from "../ports.ts";

type Headers = Readonly<Record<string, string>>;

/** Streams with more or other headers. */
const streamHeaders = (headersOf: (run: FaultRun) => Headers): FaultEffect => ({
  layer: "bytes",
  head: (head, run): ResponseHead => {
    run.applied();
    return { ...head, headers: { ...head.headers, ...headersOf(run) } };
  },
  apply: (chunks) => chunks,
});

/** The same for answers of the conversation API. */
const answerHeaders = (headersOf: (run: FaultRun) => Headers): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, _call, run) => ({ ...answer, headers: { ...answer.headers, ...headersOf(run) } }),
});

const skewedDate = ({ values }: FaultRun): Headers => {
  const byMs = Number(values["seconds"]) * 1000 * (values["direction"] === "ahead" ? 1 : -1);
  return { date: new Date(Date.now() + byMs).toUTCString() };
};

/** What proxies of some makes leave in the head of what they pass on. */
const marks: Variants<Headers> = {
  nginx: { server: "nginx/1.27.4" },
  envoy: { server: "envoy", "x-envoy-upstream-service-time": "12" },
  cloudflare: { server: "cloudflare", "cf-ray": "8f1c2a3b4c5d6e7f-FRA", "cf-cache-status": "DYNAMIC" },
  via: { via: "1.1 gateway.example.com (squid/6.10)" },
};

const proxyMarks = (run: FaultRun): Headers => variantOf(marks, run) ?? {};

/** Where requests are sent instead of being answered. */
const leads: Variants<string> = {
  "other-host": "https://login.example.com/oauth2/start?rd=%2F.api%2Fsearch%2Fstream",
  "sign-in": "/sign-in?returnTo=%2Fsearch",
  https: "https://localhost/.api/search/stream",
};

const redirection = (run: FaultRun): CannedAnswer => ({
  status: 302,
  headers: { "content-type": "text/html; charset=utf-8", location: variantOf(leads, run) ?? "/" },
  body: '<html><body>You are being <a href="/sign-in">redirected</a>.</body></html>\n',
});

const asAnswer = ({ body, headers, status }: CannedAnswer): ApiAnswer => ({ status, headers, text: body });

const notFound: CannedAnswer = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "404 page not found\n",
};

const gzipHead = (head: ResponseHead): ResponseHead => ({
  ...head,
  headers: { ...head.headers, "content-encoding": "gzip", vary: "Authorization, Accept-Encoding" },
});

const gzipAlways: FaultEffect = {
  layer: "bytes",
  head: gzipHead,
  async *apply(chunks, run) {
    run.applied();
    yield* gzipChunks(chunks);
  },
};

/** Compresses the whole before it sends the first byte, as a proxy does that compresses and does not flush. */
const gzipUnflushed: FaultEffect = {
  layer: "bytes",
  head: gzipHead,
  async *apply(chunks) {
    const compressed: Buffer[] = [];
    for await (const chunk of gzipChunks(chunks)) {
      compressed.push(...(typeof chunk === "string" ? [] : [chunk]));
    }
    yield Buffer.concat(compressed);
  },
};

const unserved: Variants<"legacy" | "current"> = { legacy: "legacy", current: "current" };

/** What stands in front of a service and changes what comes from it, head and way more than words. */
export const frontFaults: readonly Fault[] = [
  legal("clock-skew")(
    "The `Date` of all answers is off by some seconds; no document promises that it is right.",
    [streamHeaders(skewedDate), answerHeaders(skewedDate)],
    {
      seconds: { title: "by how many seconds", default: 600 },
      direction: { title: "which way", default: "behind", choices: ["behind", "ahead"] },
    },
  ),
  legal("via-proxy")(
    "Answers have the headers that a proxy of some make leaves, and nothing else is changed.",
    [streamHeaders(proxyMarks), answerHeaders(proxyMarks)],
    howParameter(marks),
  ),
  legal("cacheable")(
    "The head of streams allows caches to keep them; the document says nothing about it.",
    streamHeaders(() => ({ "cache-control": "public, max-age=300" })),
  ),
  legal("compressed-always")(
    "Streams are gzip, asked for or not, and each event is flushed: whoever decodes them misses nothing.",
    gzipAlways,
  ),
  violating("stream/results-arrive-incrementally", "compressed-and-buffered")(
    "Streams are gzip and arrive in one piece once they are complete, as behind a proxy that compresses and does not flush; the first searches are slowed, so that it can be seen.",
    [gzipUnflushed, slowSearch],
    slowness,
  ),
  disrupting("redirect-to-login")(
    "Searches and calls are sent elsewhere, as by a proxy that wants a sign-in, or https.",
    [
      { layer: "answer", apply: redirection },
      { layer: "conversation", apply: (_answer, _call, run) => asAnswer(redirection(run)) },
    ],
    howParameter(leads),
  ),
  disrupting("search-rate-limited")("Searches are answered with status 429 and the wish for another try in a second.", {
    layer: "answer",
    apply: () => ({
      status: 429,
      headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "1" },
      body: "too many requests\n",
    }),
  }),
  disrupting("search-missing")(
    "Searches are answered with status 404, as by a proxy that does not pass their path on.",
    { layer: "answer", apply: () => notFound },
  ),
  disrupting("interface-missing")(
    "All calls of one interface of the conversation API are answered with status 404.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (call.interface !== variantOf(unserved, run)) {
          return answer;
        }
        run.applied();
        return asAnswer(notFound);
      },
    },
    howParameter(unserved),
  ),
];
