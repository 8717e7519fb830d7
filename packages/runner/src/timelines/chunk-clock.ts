/** Returns when the byte at an offset arrived. Ask for offsets in ascending order. */
export interface ChunkClock {
  /** Adds the next chunk. A time before that of the previous chunk is replaced by it. */
  add(bytes: number, atMicros: number): number;
  /** Arrival of the byte at this offset; for bytes not yet received, that of the last chunk. */
  at(offset: number): number;
}

/** A clock for one body. It drops chunks that end before the last offset asked for. */
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
