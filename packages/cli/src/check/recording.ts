import { closeSync, openSync, readSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { EvidenceError, readBundle } from "@assay/evidence";
import type { Bundle, Chunk, RecordedExchange } from "@assay/evidence";
import { exchangeOfBytes } from "@assay/runner";
import { UsageError } from "../command-error.ts";
import { importedHar, looksLikeHar } from "./har-recording.ts";

/** What a file given to `assay check` turned out to be. */
export type Recording =
  | { readonly kind: "bundle"; readonly bundle: Bundle }
  | { readonly kind: "har"; readonly exchanges: readonly RecordedExchange[]; readonly skippedEntries: number }
  | { readonly kind: "stream"; readonly exchanges: readonly RecordedExchange[] };

const pieceBytes = 64 * 1024;
/** Most that is read of something that can be read only once, such as a pipe. */
const maxPipedBytes = 1024 * 1024 * 1024;
const sniffedBytes = 64 * 1024;

/** Reads what a path names: a folder is a bundle, a HAR is known by its content, all else is the bytes of a stream. */
export async function readRecording(path: string, readStdin: () => Promise<Uint8Array>): Promise<Recording> {
  if (path === "-") {
    return streamOf([{ bytes: await readStdin(), atMicros: 0 }]);
  }
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (found.isDirectory()) {
    return { kind: "bundle", bundle: await readBundle(path) };
  }
  if (!found.isFile()) {
    return streamOf(readOnce(path));
  }
  const head = withFile(path, (file) => readPiece(file, sniffedBytes));
  if (looksLikeHar(head)) {
    return harOrStream(path, found.size);
  }
  return fileStream(path, found.size);
}

function unreadable(path: string, cause: unknown): UsageError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "permission was denied",
  };
  return new UsageError(
    `${path} cannot be read: ${reasons[code] ?? `the system answered ${code}`}; name a recorded stream, a HAR file or the folder of a run`,
  );
}

async function harOrStream(path: string, bytes: number): Promise<Recording> {
  try {
    return importedHar(await readFile(path));
  } catch (error) {
    // A file that calls itself HAR is meant as one; anything else that merely begins like one is a stream.
    if (
      error instanceof EvidenceError &&
      error.code === "not-a-har" &&
      !basename(path).toLowerCase().endsWith(".har")
    ) {
      return fileStream(path, bytes);
    }
    throw error;
  }
}

function fileStream(path: string, bytes: number): Recording {
  return { kind: "stream", exchanges: [exchangeOfBytes({ bytes, chunks: () => piecesOf(path) })] };
}

function streamOf(chunks: readonly Chunk[]): Recording {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  return { kind: "stream", exchanges: [exchangeOfBytes({ bytes, chunks: () => chunks })] };
}

function withFile<T>(path: string, use: (file: number) => T): T {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw unreadable(path, cause);
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function readPiece(file: number, bytes: number): Buffer {
  const piece = Buffer.allocUnsafe(bytes);
  return piece.subarray(0, readSync(file, piece, 0, bytes, null));
}

/** The pieces of a file, one in memory at a time. */
function* piecesOf(path: string): Generator<Chunk> {
  const file = openSync(path, "r");
  try {
    for (let piece = readPiece(file, pieceBytes); piece.length > 0; piece = readPiece(file, pieceBytes)) {
      yield { bytes: piece, atMicros: 0 };
    }
  } finally {
    closeSync(file);
  }
}

function readOnce(path: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for (const chunk of piecesOf(path)) {
    chunks.push(chunk);
    bytes += chunk.bytes.length;
    if (bytes > maxPipedBytes) {
      throw new UsageError(`${path} gives more than ${maxPipedBytes} bytes; save it to a file and check that`);
    }
  }
  return chunks;
}
