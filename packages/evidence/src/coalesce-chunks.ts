import { Buffer } from "node:buffer";
import type { Chunk } from "./exchange.ts";

/**
 * The same bytes in at most `maxChunks` chunks: neighbours are put together, as many as it takes. A chunk made of several
 * has the time of the last of them, so no byte seems to have arrived before it had.
 */
export function coalesceChunks(chunks: readonly Chunk[], maxChunks: number): readonly Chunk[] {
  const perChunk = Math.ceil(chunks.length / maxChunks);
  return perChunk <= 1
    ? chunks
    : Array.from({ length: Math.ceil(chunks.length / perChunk) }, (_, index) => {
        const parts = chunks.slice(index * perChunk, (index + 1) * perChunk);
        return { bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), atMicros: parts.at(-1)?.atMicros ?? 0 };
      });
}
