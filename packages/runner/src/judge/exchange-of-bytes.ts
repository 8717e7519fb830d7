import { searchPath } from "@assay/contract";
import type { Chunk, HeaderField, RecordedExchange } from "@assay/evidence";

/** The head of an answer, if a recording has it. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: readonly HeaderField[];
}

/** Bytes declared to be one stream. `chunks` may be called several times and returns the same bytes. */
export interface StreamBytes {
  readonly bytes: number;
  readonly chunks: () => Iterable<Chunk>;
  /** Its response head [a success without headers]. */
  readonly head?: AnswerHead;
}

/** Only these headers are kept: others may contain secrets. */
const keptHeaders: ReadonlySet<string> = new Set(["content-type"]);

/** An exchange with the raw bytes of one stream: a search of which only the answer is known. */
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
      // Nothing is stored, so there is no digest and there are no chunk boundaries.
      response: { status: head?.status ?? 200, headers, body: { sha256: "", bytes, chunks: [] } },
      end: { kind: "complete" },
      times: { sentAtMicros: 0, endedAtMicros: 0 },
    },
    chunks,
  };
}
