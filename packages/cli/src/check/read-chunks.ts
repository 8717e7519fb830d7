import { HarnessError } from "@assay/contract";
import { closeSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Chunk } from "@assay/evidence";

const chunkBytes = 64 * 1024;
/** Maximum size of an input that can be read only once, such as a pipe. */
const maxBufferedBytes = 1024 * 1024 * 1024;

const readErrorReasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
};

/** Returns the error for a recording that the file system cannot read, with advice. */
export function createReadError(path: string, cause: unknown): HarnessError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  return new HarnessError(
    "usage",
    `${path} cannot be read: ${readErrorReasons[code] ?? code}; pass a recorded stream, a HAR file or a run folder`,
  );
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw createReadError(path, cause);
  }
}

/** Reads a file in chunks, one at a time. Throws a `HarnessError` if the file is unreadable. */
export function* readChunks(path: string): Generator<Chunk> {
  const descriptor = openFile(path);
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, chunkBytes, null));
      if (bytes.length === 0) {
        return;
      }
      yield { bytes, atMicros: 0 };
    }
  } catch (cause) {
    throw createReadError(path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the first chunk of a file, at most 64 KiB. */
export function readFirstChunk(path: string): Uint8Array {
  for (const { bytes } of readChunks(path)) {
    return bytes;
  }
  return new Uint8Array();
}

/** Reads a stream, or a file that can be read only once, into memory. Throws a `HarnessError` beyond 1 GiB. */
export async function readIntoMemory(stream: Readable | Iterable<Chunk>, name: string): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let bufferedBytes = 0;
  for await (const chunk of stream) {
    const bytes = isChunk(chunk) ? chunk.bytes : Buffer.from(chunk);
    chunks.push({ bytes, atMicros: 0 });
    bufferedBytes += bytes.length;
    if (bufferedBytes > maxBufferedBytes) {
      throw new HarnessError(
        "usage",
        `${name} exceeds ${maxBufferedBytes} bytes; save it to a file and check the file`,
      );
    }
  }
  return chunks;
}

const isChunk = (value: unknown): value is Chunk => typeof value === "object" && value !== null && "atMicros" in value;
