import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { StreamChunk } from "../ports.ts";
import { type Fault, type FaultEffect, type FaultParameter, disrupting } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Does something in the middle of the first matches event, after a part of it was sent. */
const insideFirstMatches = (interrupt: (run: FaultRun) => AsyncIterable<StreamChunk>): FaultEffect => ({
  layer: "bytes",
  async *apply(chunks, run) {
    for await (const chunk of chunks) {
      if (!chunk.subarray(0, 14).equals(Buffer.from("event: matches"))) {
        yield chunk;
        continue;
      }
      // At least one byte is sent and one is kept, whatever the share: the event has begun and has not ended.
      const share = Math.ceil((chunk.length * Number(run.values["percent"])) / 100);
      yield chunk.subarray(0, Math.min(Math.max(1, share), chunk.length - 1));
      run.applied();
      yield* interrupt(run);
      return;
    }
  },
});

const percent: Readonly<Record<string, FaultParameter>> = {
  percent: { title: "how much of the first matches is sent before, in per cent", default: 50 },
};

/** A reset throws away what the other side has not read yet; so much time is left to read it. */
const beforeResetMs = 100;

async function* reset({ signal }: FaultRun): AsyncGenerator<StreamChunk> {
  await Promise.race([pause(beforeResetMs), signal.aborted ? undefined : once(signal, "abort")]);
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

/** Faults below the event stream: the connection ends or falls silent. */
export const transportFaults: readonly Fault[] = [
  disrupting("reset-before-head")("The connection is reset before any byte of the response.", {
    layer: "answer",
    apply: () => "reset",
  }),
  disrupting("reset-mid-event")(
    "The connection is reset after one half of the first matches, or another share of them.",
    insideFirstMatches(reset),
    percent,
  ),
  disrupting("truncate")(
    "The connection is closed after one half of the first matches, or another share, without the end of the chunked body.",
    insideFirstMatches(cut),
    percent,
  ),
  disrupting("stall")(
    "Nothing is sent after one half of the first matches, or another share of them, and the connection stays open.",
    insideFirstMatches(silence),
    percent,
  ),
  disrupting("no-answer")("The request is taken, and not one byte of an answer is sent; the connection stays open.", {
    layer: "bytes",
    async *apply(_chunks, run) {
      run.applied();
      yield* silence(run);
    },
  }),
];
