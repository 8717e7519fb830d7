import { constants, gzipSync } from "node:zlib";
import { gzipChunks } from "../http/gzip-chunks.ts";
import { gzippedHead } from "../http/response-head.ts";
import {
  type EffectAt,
  type Fault,
  type FaultEffects,
  type Variants,
  choice,
  disrupting,
  legal,
  oneOf,
  settable,
  violating,
} from "./fault.ts";
import { inOnePiece, slowSearch } from "./pace-faults.ts";

type Headers = Readonly<Record<string, string>>;

/** Streams with more or other headers. */
const streamHeaders = (headersOf: () => Headers): EffectAt<"bytes"> => ({
  layer: "bytes",
  head: ({ headers, status }) => ({ status, headers: { ...headers, ...headersOf() } }),
  apply: (chunks) => chunks,
});

/** The same for streams and for answers of the conversation API. */
const allHeaders = (headersOf: () => Headers): FaultEffects => [
  streamHeaders(headersOf),
  {
    layer: "conversation",
    apply: (answer) => ({ ...answer, headers: { ...answer.headers, ...headersOf() } }),
  },
];

/** What proxies of some makes leave in the head of what they pass on. */
const marks: Variants<Headers> = {
  nginx: { server: "nginx/1.27.4" },
  envoy: { server: "envoy", "x-envoy-upstream-service-time": "12" },
  cloudflare: { server: "cloudflare", "cf-ray": "8f1c2a3b4c5d6e7f-FRA", "cf-cache-status": "DYNAMIC" },
  via: { via: "1.1 gateway.example.com (squid/6.10)" },
};

const gzipped: EffectAt<"bytes"> = { layer: "bytes", head: gzippedHead, apply: gzipChunks };

/** Bytes that no decompressor takes for the start of gzip, nor for the start of one of its blocks. */
const garbage = Buffer.alloc(2000, 0xff);

/** The beginning of a body as gzip that is flushed and not finished: what follows has to be the next block. */
const firstHalf = (body: Buffer): Buffer =>
  gzipSync(body.subarray(0, Math.ceil(body.length / 2)), { finishFlush: constants.Z_SYNC_FLUSH });

const gzipThenGarbage = (from: "start" | "middle"): FaultEffects => [
  inOnePiece(true),
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

/** What stands in front of a service and changes what comes from it in its head and its encoding. */
export const frontFaults: readonly Fault[] = [
  disrupting("gzip-garbage")(
    "The head says gzip, asked for or not, and the body stops being gzip in its middle or never was.",
    settable({ from: choice("where the garbage begins", "middle", "start") }, ({ from }) => gzipThenGarbage(from)),
  ),
  legal("wrong-content-type")(
    "The stream is right in every byte, and its head names another type; the document names none for responses.",
    settable(
      { type: choice("the content type", "application/octet-stream", "text/plain; charset=utf-8", "application/json") },
      ({ type }) => streamHeaders(() => ({ "content-type": type })),
    ),
  ),
  legal("clock-skew")(
    "The `Date` of all answers is off by some seconds; no document promises that it is right.",
    settable(
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
  legal("via-proxy")(
    "Answers have the headers that a proxy of some make leaves, and nothing else is changed.",
    oneOf(marks, (headers) => allHeaders(() => headers)),
  ),
  legal("cacheable")(
    "The head of streams allows caches to keep them; the document says nothing about it.",
    streamHeaders(() => ({ "cache-control": "public, max-age=300" })),
  ),
  legal("compressed-always")(
    "Streams are gzip, asked for or not, and each event is flushed: whoever decodes them misses nothing.",
    gzipped,
  ),
  violating("stream/results-arrive-incrementally", "compressed-and-buffered")(
    "Streams are gzip and arrive in one piece once they are complete, as behind a proxy that compresses and does not flush; the first searches are slowed, so that it can be seen.",
    [gzipped, inOnePiece(false), slowSearch()],
  ),
];
