import { once } from "node:events";
import type { Fault, FaultEffect, FaultRun, StreamChunk } from "./fault.ts";

const htmlPage =
  "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n";

/** Does something in the middle of the first matches event, after its first half was sent. */
const insideFirstMatches = (interrupt: (run: FaultRun) => AsyncIterable<StreamChunk>): FaultEffect => ({
  layer: "bytes",
  async *apply(chunks, run) {
    for await (const chunk of chunks) {
      if (!chunk.subarray(0, 14).equals(Buffer.from("event: matches"))) {
        yield chunk;
        continue;
      }
      yield chunk.subarray(0, Math.ceil(chunk.length / 2));
      run.applied();
      yield* interrupt(run);
      return;
    }
  },
});

async function* reset(): AsyncGenerator<StreamChunk> {
  yield "reset";
}

async function* cut(): AsyncGenerator<StreamChunk> {
  yield "cut";
}

/** Sends nothing more; ends when the client has left. */
async function* silence({ signal }: FaultRun): AsyncGenerator<StreamChunk> {
  if (!signal.aborted) {
    await once(signal, "abort");
  }
  yield "cut";
}

/** Faults below the event stream: the exchange itself goes wrong. */
export const transportFaults: readonly Fault[] = [
  {
    id: "reset-before-head",
    title: "the connection is reset at once",
    description: "The connection is reset before any byte of the response.",
    kind: "transport",
    layer: "answer",
    apply: () => "reset",
  },
  {
    id: "reset-mid-event",
    title: "the connection is reset inside an event",
    description: "The connection is reset after one half of the first matches.",
    kind: "transport",
    ...insideFirstMatches(reset),
  },
  {
    id: "truncate",
    title: "the response ends inside an event",
    description: "The connection is closed after one half of the first matches, without the end of the chunked body.",
    kind: "transport",
    ...insideFirstMatches(cut),
  },
  {
    id: "stall",
    title: "the stream falls silent",
    description: "Nothing is sent after one half of the first matches, and the connection stays open.",
    kind: "transport",
    ...insideFirstMatches(silence),
  },
  {
    id: "html-200",
    title: "a sign-in page instead of the stream",
    description: "The answer is an HTML page with status 200, as from a proxy that wants a sign-in.",
    kind: "transport",
    layer: "answer",
    apply: () => ({ status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: htmlPage }),
  },
  {
    id: "empty-body",
    title: "an empty stream",
    description: "The response head is that of a stream, and the body has no byte.",
    kind: "transport",
    layer: "answer",
    apply: () => ({
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
      body: "",
    }),
  },
  {
    id: "status-500",
    title: "a bare status 500",
    description: "The answer has status 500 and no body.",
    kind: "transport",
    layer: "answer",
    apply: () => ({ status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "" }),
  },
];
