import { constants, gzipSync } from "node:zlib";
import type { ResponseHead } from "../http/response-head.ts";
import { type Fault, type FaultEffect, disrupting, legal } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

const htmlPage =
  "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n";

/** Bytes that no decompressor takes for the start of gzip, nor for the start of one of its blocks. */
const garbage = Buffer.alloc(2000, 0xff);

const withHeader = ({ status, headers }: ResponseHead, name: string, value: string): ResponseHead => ({
  status,
  headers: { ...headers, [name]: value },
});

const gzipGarbage: FaultEffect = {
  layer: "bytes",
  head: (head) => withHeader(head, "content-encoding", "gzip"),
  async *apply(chunks, run) {
    const events: Buffer[] = [];
    for await (const chunk of chunks) {
      events.push(chunk);
    }
    run.applied();
    if (run.values["from"] === "middle") {
      const all = Buffer.concat(events);
      // Flushed and not finished: what follows has to be the next block.
      yield gzipSync(all.subarray(0, Math.ceil(all.length / 2)), { finishFlush: constants.Z_SYNC_FLUSH });
    }
    yield garbage;
  },
};

const otherContentType: FaultEffect = {
  layer: "bytes",
  head: (head, run: FaultRun) => {
    run.applied();
    return withHeader(head, "content-type", String(run.values["type"]));
  },
  apply: (chunks) => chunks,
};

/** What a proxy in front of the service, or a broken service, sends instead of the stream or around it. */
export const proxyFaults: readonly Fault[] = [
  disrupting("html-200")("The answer is an HTML page with status 200, as from a proxy that wants a sign-in.", {
    layer: "answer",
    apply: () => ({ status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: htmlPage }),
  }),
  disrupting("empty-body")("The response head is that of a stream, and the body has no byte.", {
    layer: "answer",
    apply: () => ({
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
      body: "",
    }),
  }),
  disrupting("status-500")("The answer has status 500 and no body.", {
    layer: "answer",
    apply: () => ({ status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "" }),
  }),
  disrupting("gzip-garbage")(
    "The head says gzip, asked for or not, and the body stops being gzip in its middle or never was.",
    gzipGarbage,
    { from: { title: "where the garbage begins", default: "middle", choices: ["start", "middle"] } },
  ),
  legal("wrong-content-type")(
    "The stream is right in every byte, and its head names another type; the document names none for responses.",
    otherContentType,
    {
      type: {
        title: "the content type",
        default: "application/octet-stream",
        choices: ["application/octet-stream", "text/plain; charset=utf-8", "application/json"],
      },
    },
  ),
];
