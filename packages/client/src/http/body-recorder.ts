import { Buffer } from "node:buffer";
import type { Chunk } from "@assay/evidence";

/** Keeps a body while it arrives: its bytes in few large blocks, and where and when its chunks came. */
export interface BodyRecorder {
  /** Copies the bytes; times never go backwards. */
  push(chunk: Chunk): void;
  /** What was pushed so far, in order. */
  chunks(): readonly Chunk[];
  /** How many chunks were put together with one before that had come at another time. */
  readonly mergedChunks: number;
}

export interface RecorderLimits {
  /** So many chunks are kept apart whatever their times are [10,000]. */
  readonly exactChunks: number;
  /** From then on a chunk takes in what arrives within so many microseconds after it began [100,000]. */
  readonly mergedMicros: number;
  /** From so many chunks on each takes in all that fits into its block [20,000]. */
  readonly maxChunks: number;
}

const usualLimits: RecorderLimits = { exactChunks: 10_000, mergedMicros: 100_000, maxChunks: 20_000 };
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
 * A recorder whose record stays small however small the pieces are in which a body arrives. Chunks are put together when
 * they have the same time or are very many; a chunk made of several has the time of the last, so that no byte seems to have
 * arrived before it had.
 */
export function createBodyRecorder(limits: RecorderLimits = usualLimits): BodyRecorder {
  const entries: Entry[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let blockBytes = firstBlockBytes;
  let mergedChunks = 0;
  const isMerged = (last: Entry, atMicros: number): boolean => {
    const isSoon = atMicros - last.beganAtMicros < limits.mergedMicros;
    const isMany = entries.length >= limits.maxChunks || (entries.length >= limits.exactChunks && isSoon);
    return last.block === block && (isMany || last.atMicros === atMicros);
  };
  const makeRoom = (bytes: number): void => {
    if (used + bytes > block.length) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes));
      used = 0;
      blockBytes = Math.min(maxBlockBytes, blockBytes * 2);
    }
  };
  return {
    push({ bytes, atMicros }) {
      if (bytes.length === 0) {
        return;
      }
      makeRoom(bytes.length);
      block.set(bytes, used);
      const last = entries.at(-1);
      if (last !== undefined && isMerged(last, atMicros)) {
        mergedChunks += last.atMicros === atMicros ? 0 : 1;
        last.end += bytes.length;
        last.atMicros = atMicros;
      } else {
        entries.push({ block, start: used, end: used + bytes.length, beganAtMicros: atMicros, atMicros });
      }
      used += bytes.length;
    },
    chunks: () => entries.map(({ block, start, end, atMicros }) => ({ bytes: block.subarray(start, end), atMicros })),
    get mergedChunks() {
      return mergedChunks;
    },
  };
}
