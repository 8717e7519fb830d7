import type { ApiAnswer } from "../conversation/api/api-answer.ts";
import type { ConversationEffect } from "./conversation-effect.ts";
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault, FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { orderArrivalFaults } from "./order-arrival-faults.ts";
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

const slowSearch = orderArrivalFaults.find(({ id }) => id === "trickle");
const slowEffects: readonly FaultEffect[] = slowSearch?.layer === "events" ? [slowSearch] : [];

const unserved: Variants<"legacy" | "current"> = { legacy: "legacy", current: "current" };

/** What stands in front of a service and changes what comes from it, head and way more than words. */
export const frontFaults: readonly Fault[] = [
  {
    id: "clock-skew",
    title: "a clock that is wrong",
    description: "The `Date` of all answers is off by some seconds; no document promises that it is right.",
    kind: "legal",
    parameters: {
      seconds: { title: "by how many seconds", default: 600 },
      direction: { title: "which way", default: "behind", choices: ["behind", "ahead"] },
    },
    ...streamHeaders(skewedDate),
    also: [answerHeaders(skewedDate)],
  },
  {
    id: "via-proxy",
    title: "the marks of a proxy",
    description: "Answers have the headers that a proxy of some make leaves, and nothing else is changed.",
    kind: "legal",
    parameters: howParameter(marks),
    ...streamHeaders(proxyMarks),
    also: [answerHeaders(proxyMarks)],
  },
  {
    id: "cacheable",
    title: "a stream that may be cached",
    description: "The head of streams allows caches to keep them; the document says nothing about it.",
    kind: "legal",
    ...streamHeaders(() => ({ "cache-control": "public, max-age=300" })),
  },
  {
    id: "compressed-always",
    title: "compression that nobody asked for",
    description: "Streams are gzip, asked for or not, and each event is flushed: whoever decodes them misses nothing.",
    kind: "legal",
    ...gzipAlways,
  },
  {
    id: "compressed-and-buffered",
    title: "compression without flushing",
    description:
      "Streams are gzip and arrive in one piece once they are complete, as behind a proxy that compresses and does not flush; the first searches are slowed, so that it can be seen.",
    kind: "violation",
    attacks: "stream/results-arrive-incrementally",
    ...(slowSearch?.parameters === undefined ? {} : { parameters: slowSearch.parameters }),
    ...gzipUnflushed,
    also: slowEffects,
  },
  {
    id: "redirect-to-login",
    title: "a redirect instead of an answer",
    description: "Searches and calls are sent elsewhere, as by a proxy that wants a sign-in, or https.",
    kind: "transport",
    parameters: howParameter(leads),
    layer: "answer",
    apply: redirection,
    also: [{ layer: "conversation", apply: (_answer, _call, run) => asAnswer(redirection(run)) }],
  },
  {
    id: "search-rate-limited",
    title: "a limit of searches that is always exceeded",
    description: "Searches are answered with status 429 and the wish for another try in a second.",
    kind: "transport",
    layer: "answer",
    apply: () => ({
      status: 429,
      headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "1" },
      body: "too many requests\n",
    }),
  },
  {
    id: "search-missing",
    title: "no streaming search",
    description: "Searches are answered with status 404, as by a proxy that does not pass their path on.",
    kind: "transport",
    layer: "answer",
    apply: () => notFound,
  },
  {
    id: "interface-missing",
    title: "an interface that is not served",
    description: "All calls of one interface of the conversation API are answered with status 404.",
    kind: "transport",
    parameters: howParameter(unserved),
    layer: "conversation",
    apply: (answer, call, run) => {
      if (call.interface !== variantOf(unserved, run)) {
        return answer;
      }
      run.applied();
      return asAnswer(notFound);
    },
  },
];
