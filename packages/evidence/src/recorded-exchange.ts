import { createHash } from "node:crypto";
import type { BodyRecord, Chunk, ExchangeDraft, ExchangeRecord } from "./exchange.ts";

/**
 * An exchange as judges see it, whether it comes from a bundle, a HAR file or memory. `chunks` gives the body with the
 * recorded chunk boundaries and times; it may be called again and yields nothing when there was no response.
 */
export interface RecordedExchange {
  readonly record: ExchangeRecord;
  /** Why the body cannot be judged (pruned, damaged, left out of the recording), one sentence. */
  readonly unreadable?: string;
  /** Fails with the code `body-unreadable` where `unreadable` is set. */
  readonly chunks: () => Iterable<Chunk>;
}

/** Describes a body: the digest of its bytes and the length and time of each chunk. Empty chunks are left out. */
export function describeBody(chunks: readonly Chunk[]): BodyRecord {
  const digest = createHash("sha256");
  for (const { bytes } of chunks) {
    digest.update(bytes);
  }
  const filled = chunks.filter(({ bytes }) => bytes.length > 0);
  return {
    sha256: digest.digest("hex"),
    bytes: filled.reduce((sum, { bytes }) => sum + bytes.length, 0),
    chunks: filled.map(({ bytes, atMicros }) => [bytes.length, atMicros]),
  };
}

/** The in-memory form of a draft. Nothing is replaced here: redact the draft before. */
export function recordDraft(draft: ExchangeDraft): RecordedExchange {
  const { response, ...rest } = draft;
  if (response === undefined) {
    return { record: rest, chunks: () => [] };
  }
  const { chunks, ...head } = response;
  const filled = chunks.filter(({ bytes }) => bytes.length > 0);
  return { record: { ...rest, response: { ...head, body: describeBody(chunks) } }, chunks: () => filled };
}
