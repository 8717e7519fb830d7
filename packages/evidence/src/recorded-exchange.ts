import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { maxRecordedChunks } from "./bundle/bundle-limits.ts";
import type { BodyRecord, Chunk, ExchangeDraft, ExchangeRecord } from "./exchange.ts";
import { Buffer } from "node:buffer";

/**
 * The same bytes in at most `maxChunks` chunks: neighbours are put together, as many as it takes. A chunk made of several
 * has the time of the last of them, so no byte seems to have arrived before it had.
 */
function coalesceChunks(chunks: readonly Chunk[], maxChunks: number): readonly Chunk[] {
  const perChunk = Math.ceil(chunks.length / maxChunks);
  return perChunk <= 1
    ? chunks
    : Array.from({ length: Math.ceil(chunks.length / perChunk) }, (_, index) => {
        const parts = chunks.slice(index * perChunk, (index + 1) * perChunk);
        return { bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), atMicros: parts.at(-1)?.atMicros ?? 0 };
      });
}

/**
 * An exchange as judges see it, whether it comes from a bundle, a HAR file or memory. `chunks` gives the body with the
 * recorded chunk boundaries and times; it may be called again and yields nothing when there was no response.
 */
export interface RecordedExchange {
  readonly record: ExchangeRecord;
  /** Why the body cannot be judged (pruned, damaged, not decoded, left out of the recording), one sentence. */
  readonly unreadable?: string;
  /** Fails with the code `body-unreadable` where `unreadable` is set. */
  readonly chunks: () => Iterable<Chunk>;
}

/** Describes a body: the digest of its bytes and the length and time of each chunk; none of them may be empty. */
function describeBody(chunks: readonly Chunk[], mergedChunks: number): BodyRecord {
  const digest = createHash("sha256");
  for (const { bytes } of chunks) {
    digest.update(bytes);
  }
  return {
    sha256: digest.digest("hex"),
    bytes: chunks.reduce((sum, { bytes }) => sum + bytes.length, 0),
    chunks: chunks.map(({ bytes, atMicros }) => [bytes.length, atMicros]),
    ...(mergedChunks === 0 ? {} : { mergedChunks }),
  };
}

/** Why nothing of a response can be judged although it has arrived, or undefined: its content encoding hides all of it. */
export function whyUndecoded({ end, response }: Pick<ExchangeRecord, "end" | "response">): string | undefined {
  const isUndecoded =
    end.kind === "failed" &&
    (end.code === "decompression" || end.code === "decompression-limit") &&
    response?.body.bytes === 0;
  return isUndecoded ? `the body could not be decoded: ${end.message}` : undefined;
}

/** An exchange whose body no judge may read. */
export const withoutBody = (record: ExchangeRecord, unreadable: string): RecordedExchange => ({
  record,
  unreadable,
  chunks() {
    throw new HarnessError("body-unreadable", unreadable);
  },
});

/**
 * The in-memory form of a draft. Nothing is replaced here: redact the draft before. Empty chunks are left out, and more
 * than 32,768 chunks become fewer.
 */
export function recordDraft(draft: ExchangeDraft): RecordedExchange {
  const { response, ...rest } = draft;
  if (response === undefined) {
    return { record: rest, chunks: () => [] };
  }
  const { chunks, mergedChunks = 0, ...head } = response;
  const filled = chunks.filter(({ bytes }) => bytes.length > 0);
  const kept = coalesceChunks(filled, maxRecordedChunks);
  const body = describeBody(kept, mergedChunks + filled.length - kept.length);
  const record: ExchangeRecord = { ...rest, response: { ...head, body } };
  const undecoded = whyUndecoded(record);
  return undecoded === undefined ? { record, chunks: () => kept } : withoutBody(record, undecoded);
}
