import { HarnessError } from "@assay/contract";
import { closeSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Chunk } from "@assay/evidence";

const pieceBytes = 64 * 1024;
/** Maximum size of an input that can be read only once, such as a pipe. */
const maxKeptBytes = 1024 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission was denied",
};

/** Turns a file system error about a recording into a sentence with a next step. */
export function unreadable(path: string, cause: unknown): HarnessError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  return new HarnessError(
    "usage",
    `${path} cannot be read: ${reasons[code] ?? `the system answered ${code}`}; name a recorded stream, a HAR file or the folder of a run`,
  );
}

function open(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Reads a file in chunks, with one in memory at a time. Fails with a `HarnessError` for an unreadable file. */
export function* piecesOf(path: string): Generator<Chunk> {
  const file = open(path);
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const bytes = piece.subarray(0, readSync(file, piece, 0, pieceBytes, null));
      if (bytes.length === 0) {
        return;
      }
      yield { bytes, atMicros: 0 };
    }
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    closeSync(file);
  }
}

/** The first chunk of a file, at most 64 KiB. */
export function firstPieceOf(path: string): Uint8Array {
  for (const { bytes } of piecesOf(path)) {
    return bytes;
  }
  return new Uint8Array();
}

/** Reads a stream, or a file that can be read only once, into memory. Fails beyond 1 GiB. */
export async function readOnce(pieces: Readable | Iterable<Chunk>, name: string): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let kept = 0;
  for await (const piece of pieces) {
    const bytes = isChunk(piece) ? piece.bytes : Buffer.from(piece);
    chunks.push({ bytes, atMicros: 0 });
    kept += bytes.length;
    if (kept > maxKeptBytes) {
      throw new HarnessError(
        "usage",
        `${name} gives more than ${maxKeptBytes} bytes; save it to a file and check that`,
      );
    }
  }
  return chunks;
}

const isChunk = (piece: unknown): piece is Chunk => typeof piece === "object" && piece !== null && "atMicros" in piece;
