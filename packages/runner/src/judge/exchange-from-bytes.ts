import { searchPath } from "@assay/contract";
import type { Chunk, HeaderField, RecordedExchange } from "@assay/evidence";

/** The head of a response, if the recording contains one. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly HeaderField[];
}

/** The bytes of one stream. `chunks` may be called repeatedly and returns the same bytes each time. */
export interface StreamBytes {
  readonly bytes: number;
  readonly chunks: () => Iterable<Chunk>;
  /** Its response head. Default: a success without headers. */
  readonly head?: ResponseHead;
}

/** Headers to keep. Others may contain secrets. */
const storedHeaders: ReadonlySet<string> = new Set(["content-type"]);

/** Creates an exchange from the raw bytes of one stream, for a search of which only the response is known. */
export function createExchangeFromBytes({ bytes, chunks, head }: StreamBytes): RecordedExchange {
  const headers = (head?.headers ?? []).filter(([name]) => storedHeaders.has(name.toLowerCase()));
  return {
    record: {
      id: "recording",
      probe: "import",
      interface: "stream",
      operation: "search",
      credential: "unknown",
      request: { method: "GET", url: searchPath, headers: [] },
      // The body is not stored, so it has no digest and no chunk boundaries.
      response: { status: head?.status ?? 200, headers, body: { sha256: "", bytes, chunks: [] } },
      end: { kind: "complete" },
      times: { sentAtMicros: 0, endedAtMicros: 0 },
    },
    chunks,
  };
}
