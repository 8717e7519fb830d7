import { readFile, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { EvidenceError, readBundle } from "@assay/evidence";
import type { Bundle, Chunk, RecordedExchange } from "@assay/evidence";
import { exchangeOfBytes } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { runToJudge } from "../run-to-judge.ts";
import { importedHar, looksLikeHar } from "./har-recording.ts";
import { firstPieceOf, piecesOf, readOnce, unreadable } from "./read-pieces.ts";
import { isPacked, unpack } from "./unpack.ts";

/** What a file given to `assay check` turned out to be. */
export type Recording =
  | { readonly kind: "bundle"; readonly bundle: Bundle }
  | { readonly kind: "har"; readonly exchanges: readonly RecordedExchange[]; readonly skippedEntries: number }
  | { readonly kind: "stream"; readonly exchanges: readonly RecordedExchange[] }
  /** What cannot be unpacked; the flaw is a clause that goes on from its name. */
  | { readonly kind: "packed"; readonly flaw: string; readonly exchanges: readonly [] };

const sniffedBytes = 64 * 1024;
const maxHarBytes = 256 * 1024 * 1024;

/**
 * Reads what a path names, or a stream such as standard input: a folder is a bundle, a HAR is known by its content or its
 * name, all else is the bytes of a stream, whether they are compressed, stand behind a head as `curl -i` prints it, or are there
 * alone. Fails with a `UsageError` or, for a folder, an `EvidenceError`.
 */
export async function readRecording(
  source: string | Readable,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): Promise<Recording> {
  if (typeof source !== "string") {
    return recordingOf("standard input", await readOnce(source, "standard input"), env);
  }
  const found = await stat(source).catch((cause: unknown) => {
    throw unreadable(source, cause);
  });
  if (found.isDirectory()) {
    return { kind: "bundle", bundle: await readBundle(runToJudge(source, cwd)) };
  }
  if (!found.isFile()) {
    return recordingOf(source, await readOnce(piecesOf(source), source), env);
  }
  const stream = streamOf({ bytes: found.size, chunks: () => piecesOf(source) });
  const beginning = firstPieceOf(source);
  if (isPacked(beginning)) {
    return recordingOf(source, await readOnce(piecesOf(source), source), env);
  }
  return isHarName(source) || looksLikeHar(beginning)
    ? harOr(stream, { name: source, size: found.size, env, read: () => readFile(source) })
    : stream;
}

function recordingOf(
  name: string,
  pieces: readonly Chunk[],
  env: CommandContext["env"],
): Promise<Recording> | Recording {
  const [first] = pieces;
  const unpacked = first !== undefined && isPacked(first.bytes) ? unpack(wholeOf(pieces)) : undefined;
  if (unpacked !== undefined && "flaw" in unpacked) {
    return { kind: "packed", flaw: unpacked.flaw, exchanges: [] };
  }
  const chunks = unpacked === undefined ? pieces : [{ bytes: unpacked.bytes, atMicros: 0 }];
  const size = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const head = unpacked?.head;
  const stream = streamOf({ bytes: size, chunks: () => chunks, ...(head === undefined ? {} : { head }) });
  const whole = (): Buffer => wholeOf(chunks);
  return looksLikeHar(whole().subarray(0, sniffedBytes))
    ? harOr(stream, { name, size, env, read: () => Promise.resolve(whole()) })
    : stream;
}

const wholeOf = (chunks: readonly Chunk[]): Buffer => Buffer.concat(chunks.map(({ bytes }) => bytes));

const streamOf = (stream: Parameters<typeof exchangeOfBytes>[0]): Recording => ({
  kind: "stream",
  exchanges: [exchangeOfBytes(stream)],
});

/** A file that calls itself HAR is meant as one; anything else that merely begins like one is a stream. */
const isHarName = (name: string): boolean => name.toLowerCase().endsWith(".har");

interface HarSource {
  readonly name: string;
  readonly size: number;
  readonly env: CommandContext["env"];
  readonly read: () => Promise<Uint8Array>;
}

async function harOr(stream: Recording, { name, size, env, read }: HarSource): Promise<Recording> {
  if (size > maxHarBytes) {
    throw new UsageError(
      `${name} has ${size} bytes; of a HAR file at most ${maxHarBytes} are read, record less at once`,
    );
  }
  const bytes = await read().catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  try {
    return importedHar(bytes, env);
  } catch (error) {
    if (!(error instanceof EvidenceError)) {
      throw error;
    }
    if (error.code === "not-a-har" && !isHarName(name)) {
      return stream;
    }
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}
