import type { Chunk } from "@assay/evidence";
import { type BodyDecoder, DecodeError } from "./body-decoder.ts";

/** Decodes chunks while they arrive, so that a bomb is stopped before all of it has arrived. */
export interface Decoding {
  push(chunk: Chunk): void;
  /** Returns when all that was pushed has been decoded. `complete` says whether the whole body was received. */
  finish(complete: boolean, atMicros: number): Promise<void>;
}

export interface DecodingOptions {
  /** Gets what is released, in order. */
  readonly onChunk: (chunk: Chunk) => void;
  /** Called at most once; nothing is decoded after it. */
  readonly onFailure: (error: DecodeError) => void;
}

/** Feeds a decoder one chunk after the other. */
export function startDecoding(decoder: BodyDecoder, { onChunk, onFailure }: DecodingOptions): Decoding {
  let failed = false;
  let last: Promise<void> = Promise.resolve();
  const step = async (run: () => Promise<readonly Chunk[]>): Promise<void> => {
    if (failed) {
      return;
    }
    try {
      (await run()).forEach(onChunk);
    } catch (cause) {
      failed = true;
      onFailure(
        cause instanceof DecodeError
          ? cause
          : new DecodeError("decompression", "the body cannot be decoded", { cause }),
      );
    }
  };
  const enqueue = (run: () => Promise<readonly Chunk[]>): void => {
    last = last.then(() => step(run));
  };
  return {
    push: (chunk) => enqueue(() => decoder.push(chunk)),
    async finish(complete, atMicros) {
      if (complete) {
        enqueue(() => decoder.finish(atMicros));
      }
      await last;
      decoder.close();
    },
  };
}
