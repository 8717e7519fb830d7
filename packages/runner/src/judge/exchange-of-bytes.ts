import { searchPath } from "@assay/contract";
import type { Chunk, RecordedExchange } from "@assay/evidence";

/** Bytes that somebody says are one stream. `chunks` may be called again and gives the same bytes each time. */
export interface StreamBytes {
  readonly bytes: number;
  readonly chunks: () => Iterable<Chunk>;
}

/** Raw bytes of one stream as an exchange: a search of which only the answer is known. */
export function exchangeOfBytes({ bytes, chunks }: StreamBytes): RecordedExchange {
  return {
    record: {
      id: "recording",
      probe: "import",
      interface: "stream",
      operation: "search",
      credential: "unknown",
      request: { method: "GET", url: searchPath, headers: [] },
      // Nothing is stored, so there is no digest and there are no chunk boundaries to tell.
      response: { status: 200, headers: [], body: { sha256: "", bytes, chunks: [] } },
      end: { kind: "complete" },
      times: { sentAtMicros: 0, endedAtMicros: 0 },
    },
    chunks,
  };
}
