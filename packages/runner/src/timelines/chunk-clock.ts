/** Maps byte offsets to arrival times. Offsets must be requested in ascending order. */
export interface ChunkClock {
  /** Adds the next chunk. If its time precedes that of the previous chunk, the previous time is used. */
  add(bytes: number, atMicros: number): number;
  /** Returns the arrival time of the byte at `offset`, or that of the last chunk if the byte has not arrived. */
  at(offset: number): number;
}

/** Creates a clock for one body. It drops chunks that end before the last requested offset. */
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
