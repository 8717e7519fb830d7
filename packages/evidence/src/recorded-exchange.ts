import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { maxRecordedChunks } from "./bundle/bundle-limits.ts";
import type { BodyRecord, Chunk, ExchangeDraft, ExchangeRecord } from "./exchange.ts";
import { Buffer } from "node:buffer";

/**
 * Merges neighbouring chunks until there are at most `maxChunks`. A merged chunk has the time of its last part, so that no byte seems to
 * arrive too early.
 */
function coalesceChunks(chunks: readonly Chunk[], maxChunks: number): readonly Chunk[] {
  const partsPerChunk = Math.ceil(chunks.length / maxChunks);
  return partsPerChunk <= 1
    ? chunks
    : Array.from({ length: Math.ceil(chunks.length / partsPerChunk) }, (_, index) => {
        const parts = chunks.slice(index * partsPerChunk, (index + 1) * partsPerChunk);
        return { bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), atMicros: parts.at(-1)?.atMicros ?? 0 };
      });
}

/**
 * An exchange as seen by rules, from a bundle, a HAR file or memory. `chunks` yields the body with the recorded chunk boundaries and times.
 * It may be called repeatedly. It is empty if there was no response.
 */
export interface RecordedExchange {
  readonly record: ExchangeRecord;
  /** The reason the body cannot be judged (pruned, damaged, not decoded, not recorded), as a sentence. */
  readonly unreadable?: string;
  /** Throws `body-unreadable` if `unreadable` is set. */
  readonly chunks: () => Iterable<Chunk>;
}

/** Returns the digest of a body, and the length and time of each chunk. Chunks must not be empty. */
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

/**
 * Returns why no part of a received response can be judged: its content encoding hides all of it. Otherwise returns undefined.
 */
export function undecodedReason({ end, response }: Pick<ExchangeRecord, "end" | "response">): string | undefined {
  const isUndecoded =
    end.kind === "failed" &&
    (end.code === "decompression" || end.code === "decompression-limit") &&
    response?.body.bytes === 0;
  return isUndecoded ? `the body could not be decoded: ${end.message}` : undefined;
}

/** Returns an exchange whose body must not be read by rules. */
export const withoutBody = (record: ExchangeRecord, unreadable: string): RecordedExchange => ({
  record,
  unreadable,
  chunks() {
    throw new HarnessError("body-unreadable", unreadable);
  },
});

/**
 * Converts a draft to an exchange in memory. Does not redact: redact the draft first. Omits empty chunks and merges chunks beyond 32,768.
 */
export function recordDraft(draft: ExchangeDraft): RecordedExchange {
  const { response, ...rest } = draft;
  if (response === undefined) {
    return { record: rest, chunks: () => [] };
  }
  const { chunks, mergedChunks = 0, ...head } = response;
  const nonEmptyChunks = chunks.filter(({ bytes }) => bytes.length > 0);
  const coalescedChunks = coalesceChunks(nonEmptyChunks, maxRecordedChunks);
  const body = describeBody(coalescedChunks, mergedChunks + nonEmptyChunks.length - coalescedChunks.length);
  const record: ExchangeRecord = { ...rest, response: { ...head, body } };
  const reason = undecodedReason(record);
  return reason === undefined ? { record, chunks: () => coalescedChunks } : withoutBody(record, reason);
}
