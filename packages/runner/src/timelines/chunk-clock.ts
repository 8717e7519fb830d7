/** Maps byte offsets to arrival times. Offsets must be requested in ascending order. */
export interface ChunkClock {
  /** Adds the next chunk and returns its arrival time. If that precedes the previous chunk's, the previous time is used. */
  add(bytes: number, atMicros: number): number;
  /** Returns the arrival time of the byte at `offset`, or the last chunk's if the byte has not arrived. */
  timeAt(offset: number): number;
}

/** Number of passed chunks that are dropped at once. Dropping each one separately would take quadratic time. */
const maxPassedChunks = 1024;

/** Creates a clock for one body. It drops chunks that end before the last requested offset. */
export function createChunkClock(): ChunkClock {
  let chunks: (readonly [end: number, atMicros: number])[] = [];
  let currentIndex = 0;
  let endOffset = 0;
  let latestMicros = 0;
  return {
    add(bytes, atMicros) {
      endOffset += bytes;
      latestMicros = Math.max(latestMicros, atMicros);
      chunks.push([endOffset, latestMicros]);
      return latestMicros;
    },
    timeAt(offset) {
      while (currentIndex < chunks.length - 1 && (chunks[currentIndex]?.[0] ?? 0) <= offset) {
        currentIndex += 1;
      }
      if (currentIndex > maxPassedChunks) {
        chunks = chunks.slice(currentIndex);
        currentIndex = 0;
      }
      return chunks[currentIndex]?.[1] ?? latestMicros;
    },
  };
}
