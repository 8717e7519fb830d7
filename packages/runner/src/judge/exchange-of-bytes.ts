import { searchPath } from "@assay/contract";
import type { Chunk, HeaderField, RecordedExchange } from "@assay/evidence";

/** The head of an answer, where a recording has kept it. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: readonly HeaderField[];
}

/** Bytes that somebody says are one stream. `chunks` may be called again and gives the same bytes each time. */
export interface StreamBytes {
  readonly bytes: number;
  readonly chunks: () => Iterable<Chunk>;
  /** The head it came with [a success, and nothing else is known of it]. */
  readonly head?: AnswerHead;
}

/** Of a head only what is looked at is kept: others may hold secrets. */
const keptHeaders: ReadonlySet<string> = new Set(["content-type"]);

/** Raw bytes of one stream as an exchange: a search of which only the answer is known. */
export function exchangeOfBytes({ bytes, chunks, head }: StreamBytes): RecordedExchange {
  const headers = (head?.headers ?? []).filter(([name]) => keptHeaders.has(name.toLowerCase()));
  return {
    record: {
      id: "recording",
      probe: "import",
      interface: "stream",
      operation: "search",
      credential: "unknown",
      request: { method: "GET", url: searchPath, headers: [] },
      // Nothing is stored, so there is no digest and there are no chunk boundaries to tell.
      response: { status: head?.status ?? 200, headers, body: { sha256: "", bytes, chunks: [] } },
      end: { kind: "complete" },
      times: { sentAtMicros: 0, endedAtMicros: 0 },
    },
    chunks,
  };
}
