import type { Chunk } from "@assay/evidence";
import { type BodyDecoder, DecodeError } from "./body-decoder.ts";

/** Decodes chunks while they arrive, so that a bomb is stopped before all of it has arrived. */
export interface Decoding {
  push(chunk: Chunk): void;
  /** What was released, also when something failed. `complete` says whether the whole body was received. */
  finish(complete: boolean, atMicros: number): Promise<readonly Chunk[]>;
}

/** Feeds a decoder one chunk after the other; `onFailure` is called at most once, nothing is decoded after it. */
export function startDecoding(decoder: BodyDecoder, onFailure: (error: DecodeError) => void): Decoding {
  const chunks: Chunk[] = [];
  let failed = false;
  let last: Promise<void> = Promise.resolve();
  const step = async (run: () => Promise<readonly Chunk[]>): Promise<void> => {
    if (failed) {
      return;
    }
    try {
      chunks.push(...(await run()));
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
      return chunks;
    },
  };
}
