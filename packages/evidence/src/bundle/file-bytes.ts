import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import type { Chunk } from "../exchange.ts";

const windowBytes = 2 ** 20;
/** Maximum size of the cache of pieces. */
const maxCachedBytes = 8 * 2 ** 20;
const bigPieceBytes = 2 ** 20;

/** Position of a piece in its file. */
export interface PiecePosition {
  readonly at: number;
  readonly length: number;
}

/** Thrown for a damaged file. The message describes the damage. */
export class DamagedFileError extends Error {}

/** Reads a file in pieces, or at given positions. */
export class FileBytes {
  readonly #file: number;
  #buffer = Buffer.alloc(0);
  #windowAt = 0;
  #windowLength = 0;
  readonly #cached = new Map<number, Buffer>();
  #cachedBytes = 0;

  constructor(file: number) {
    this.#file = file;
  }

  /** Returns up to `length` bytes from a position, fewer at the end of the file. Valid until the next call. */
  read(at: number, length: number): Buffer {
    const from = at - this.#windowAt;
    if (from < 0 || from + length > this.#windowLength) {
      const windowSize = Math.max(length, windowBytes);
      if (this.#buffer.length < windowSize) {
        this.#buffer = Buffer.allocUnsafeSlow(windowSize);
      }
      this.#windowLength = this.#fill(this.#buffer, at);
      this.#windowAt = at;
    }
    const start = at - this.#windowAt;
    return this.#buffer.subarray(start, Math.min(start + length, this.#windowLength));
  }

  /** Discards the buffered bytes, so that they are read again. */
  discardBuffer(): void {
    this.#windowLength = 0;
  }

  #fill(buffer: Buffer, at: number): number {
    let totalRead = 0;
    for (;;) {
      const count = readSync(this.#file, buffer, totalRead, buffer.length - totalRead, at + totalRead);
      totalRead += count;
      if (count === 0 || totalRead === buffer.length) {
        return totalRead;
      }
    }
  }

  /** Returns a piece. Most pieces are read repeatedly, so they are cached. */
  readPiece({ at, length }: PiecePosition): Buffer {
    const cached = this.#cached.get(at);
    if (cached !== undefined) {
      return cached;
    }
    const piece = Buffer.allocUnsafeSlow(length);
    if (this.#fill(piece, at) < length) {
      throw new DamagedFileError("the file was truncated while it was read");
    }
    if (length < bigPieceBytes) {
      this.#cachedBytes += length;
      if (this.#cachedBytes > maxCachedBytes) {
        this.#cached.clear();
        this.#cachedBytes = length;
      }
      this.#cached.set(at, piece);
    }
    return piece;
  }
}

/** Yields the bytes of pieces, split into chunks with different boundaries. */
export function* yieldChunks(
  file: FileBytes,
  positions: readonly PiecePosition[],
  chunks: readonly (readonly [number, number])[],
) {
  let index = 0;
  let remainder: Buffer | undefined = Buffer.alloc(0);
  const nextPiece = (): Buffer | undefined => {
    const position = positions[index++];
    return position === undefined ? undefined : file.readPiece(position);
  };
  for (const [length, atMicros] of chunks) {
    const parts: Buffer[] = [];
    for (let missingBytes = length; missingBytes > 0;) {
      remainder = remainder.length === 0 ? nextPiece() : remainder;
      if (remainder === undefined) {
        return;
      }
      const part: Buffer = remainder.subarray(0, missingBytes);
      remainder = remainder.subarray(part.length);
      missingBytes -= part.length;
      parts.push(part);
    }
    const [first = Buffer.alloc(0)] = parts;
    yield { bytes: parts.length === 1 ? first : Buffer.concat(parts), atMicros } satisfies Chunk;
  }
}
