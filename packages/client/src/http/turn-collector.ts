import { Buffer } from "node:buffer";
import type { Chunk } from "@assay/evidence";

/** Puts together what arrives in one go. */
export interface TurnCollector {
  push(chunk: Chunk): void;
  /** Hands over what has been collected; needed at the end only. */
  flush(): void;
}

/**
 * Pieces that come out of one read of the socket arrived together, whatever framing cut them apart: they become one chunk
 * with the time of the last of them, handed to `onChunk` when the reader is done with the read.
 */
export function createTurnCollector(onChunk: (chunk: Chunk) => void): TurnCollector {
  let parts: Uint8Array[] = [];
  let atMicros = 0;
  const flush = (): void => {
    const [first] = parts;
    if (first !== undefined) {
      const bytes = parts.length === 1 ? first : Buffer.concat(parts);
      parts = [];
      onChunk({ bytes, atMicros });
    }
  };
  return {
    push(chunk) {
      if (parts.length === 0) {
        queueMicrotask(flush);
      }
      parts.push(chunk.bytes);
      ({ atMicros } = chunk);
    },
    flush,
  };
}
