import { Buffer } from "node:buffer";
import type { Chunk } from "@assay/evidence";

/** Combines data that arrives together. */
export interface TurnCollector {
  push(chunk: Chunk): void;
  /** Passes on the collected data. Only needed at the end. */
  flush(): void;
}

/**
 * Creates a collector. Data from one read of the socket arrived together, even if framing separates it. It becomes one chunk with the time
 * of the last part, passed to `onChunk` after the read.
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
