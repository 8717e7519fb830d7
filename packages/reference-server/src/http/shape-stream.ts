import { effectAt } from "../faults/fault.ts";
import type { Fault, StreamChunk } from "../faults/fault.ts";
import type { FaultRun } from "../faults/fault-run.ts";
import { frameOf } from "../stream/frame.ts";
import type { Frame } from "../stream/frame.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { variedChunks, variedEvents, variedFrames, variedHead } from "../variations/varied-stream.ts";
import type { VariationRandoms } from "../variations/varied-stream.ts";
import type { ResponseHead } from "./response-head.ts";

/** What changes one stream on its way from events to bytes. */
export interface StreamShaping {
  readonly fault: Fault | undefined;
  readonly run: FaultRun;
  /** Present when the stream is to be varied. */
  readonly randoms: VariationRandoms | undefined;
  /** Told when `done` is about to be sent. */
  readonly doneSent?: () => void;
}

async function* framesOf(events: AsyncIterable<SearchEvent>): AsyncGenerator<Frame> {
  for await (const event of events) {
    yield frameOf(event);
  }
}

async function* bytesOf(frames: AsyncIterable<Frame>, doneSent: (() => void) | undefined): AsyncGenerator<Buffer> {
  for await (const { bytes, event } of frames) {
    if (event.name === "done") {
      doneSent?.();
    }
    yield bytes;
  }
}

/** The head of a stream, varied first and then with its fault. */
export const shapedHead = (head: ResponseHead, { fault, randoms, run }: StreamShaping): ResponseHead => {
  const varied = randoms === undefined ? head : variedHead(head, randoms);
  return effectAt(fault, "bytes")?.head?.(varied, run) ?? varied;
};

const shapedFrames = (
  events: AsyncIterable<SearchEvent>,
  { fault, randoms, run }: StreamShaping,
): AsyncIterable<Frame> => {
  const written = randoms === undefined ? framesOf(events) : variedFrames(events, randoms);
  return effectAt(fault, "frames")?.apply(written, run) ?? written;
};

/** The layers of a stream, one upon the other; at each the variation comes first, then the fault takes hold at its own. */
export const shapedChunks = (plain: AsyncIterable<SearchEvent>, shaping: StreamShaping): AsyncIterable<StreamChunk> => {
  const { fault, randoms, run } = shaping;
  const varied = randoms === undefined ? plain : variedEvents(plain, randoms);
  const events = effectAt(fault, "events")?.apply(varied, run) ?? varied;
  const bytes = bytesOf(shapedFrames(events, shaping), shaping.doneSent);
  const chunks = randoms === undefined ? bytes : variedChunks(bytes, randoms);
  return effectAt(fault, "bytes")?.apply(chunks, run) ?? chunks;
};
