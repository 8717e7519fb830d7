import { Buffer } from "node:buffer";
import type { Chunk } from "@assay/evidence";

/** Stores a body as it arrives: its bytes in a few large blocks, with the boundaries and times of its chunks. */
export interface BodyRecorder {
  /** Copies the bytes. Times must not decrease. */
  push(chunk: Chunk): void;
  /** All chunks so far, in order. */
  chunks(): readonly Chunk[];
  /** Number of chunks that were merged into an earlier one with a different time. */
  readonly mergedChunks: number;
}

export interface RecorderLimits {
  /** Number of chunks that are always kept separate. Default: 10,000. */
  readonly exactChunks: number;
  /** Later chunks absorb bytes that arrive within this many microseconds of their start. Default: 100,000. */
  readonly mergedMicros: number;
  /** From this number on, a chunk absorbs everything that fits into its block. Default: 20,000. */
  readonly maxChunks: number;
}

const defaultLimits: RecorderLimits = { exactChunks: 10_000, mergedMicros: 100_000, maxChunks: 20_000 };
const firstBlockBytes = 4096;
const maxBlockBytes = 1024 * 1024;

interface Entry {
  readonly block: Buffer;
  readonly start: number;
  end: number;
  readonly beganAtMicros: number;
  atMicros: number;
}

/**
 * Creates a recorder whose memory is bounded even for tiny chunks. Merges chunks with the same time, and chunks beyond the limits. A merged
 * chunk has the time of its last part, so that no byte seems to arrive too early.
 */
export function createBodyRecorder(limits: RecorderLimits = defaultLimits): BodyRecorder {
  const entries: Entry[] = [];
  let block = Buffer.alloc(0);
  let usedBytes = 0;
  let blockBytes = firstBlockBytes;
  let mergedChunks = 0;
  const shouldMerge = (lastEntry: Entry, atMicros: number): boolean => {
    const isSoon = atMicros - lastEntry.beganAtMicros < limits.mergedMicros;
    const hasTooManyChunks = entries.length >= limits.maxChunks || (entries.length >= limits.exactChunks && isSoon);
    return lastEntry.block === block && (hasTooManyChunks || lastEntry.atMicros === atMicros);
  };
  const ensureSpace = (bytes: number): void => {
    if (usedBytes + bytes > block.length) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes));
      usedBytes = 0;
      blockBytes = Math.min(maxBlockBytes, blockBytes * 2);
    }
  };
  return {
    push({ bytes, atMicros }) {
      if (bytes.length === 0) {
        return;
      }
      ensureSpace(bytes.length);
      block.set(bytes, usedBytes);
      const lastEntry = entries.at(-1);
      if (lastEntry !== undefined && shouldMerge(lastEntry, atMicros)) {
        mergedChunks += lastEntry.atMicros === atMicros ? 0 : 1;
        lastEntry.end += bytes.length;
        lastEntry.atMicros = atMicros;
      } else {
        entries.push({ block, start: usedBytes, end: usedBytes + bytes.length, beganAtMicros: atMicros, atMicros });
      }
      usedBytes += bytes.length;
    },
    chunks: () =>
      entries.map((entry) => ({ bytes: entry.block.subarray(entry.start, entry.end), atMicros: entry.atMicros })),
    get mergedChunks() {
      return mergedChunks;
    },
  };
}
