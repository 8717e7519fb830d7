/** Tells when the byte at an offset arrived. Offsets have to be asked for in rising order. */
export interface ChunkClock {
  /** Takes the next chunk; times that go back are taken for that of the chunk before. */
  add(bytes: number, atMicros: number): number;
  /** Arrival of the byte at this offset; of one that has not come, that of the last chunk. */
  at(offset: number): number;
}

/** A clock for one body. Each chunk is passed once, and forgotten when all that is asked for lies behind it. */
export function createChunkClock(): ChunkClock {
  let chunks: (readonly [end: number, atMicros: number])[] = [];
  let first = 0;
  let end = 0;
  let latest = 0;
  return {
    add(bytes, atMicros) {
      end += bytes;
      latest = Math.max(latest, atMicros);
      chunks.push([end, latest]);
      return latest;
    },
    at(offset) {
      while (first < chunks.length - 1 && (chunks[first]?.[0] ?? 0) <= offset) {
        first += 1;
      }
      if (first > 1024) {
        chunks = chunks.slice(first);
        first = 0;
      }
      return chunks[first]?.[1] ?? latest;
    },
  };
}
