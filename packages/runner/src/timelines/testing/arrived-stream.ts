import { recordDraft } from "@assay/evidence";
import type { Chunk, ExchangeDraft, RecordedExchange } from "@assay/evidence";

/** An exchange whose request was sent one second after the start of the run. */
export const sentAtMicros = 1_000_000;

/** A chunk of a stream and its arrival, in microseconds since the request was sent. */
export type Arriving = readonly [atMicros: number, text: string | Uint8Array];

/** A stream that arrived in these chunks; it ends with the last one unless `other` sets another end. */
export function arrived(chunks: readonly Arriving[], other: Partial<ExchangeDraft> = {}): RecordedExchange {
  const all = chunks.map(([atMicros, text]): Chunk => ({
    bytes: Buffer.from(text),
    atMicros: sentAtMicros + atMicros,
  }));
  const endedAtMicros = other.times?.endedAtMicros ?? all.at(-1)?.atMicros ?? sentAtMicros;
  return recordDraft({
    id: "0001",
    probe: "search",
    interface: "stream",
    operation: "search",
    credential: "access-token",
    request: { method: "GET", url: "http://code.example/.api/search/stream?q=x", headers: [] },
    response: { status: 200, headers: [["content-type", "text/event-stream"]], chunks: all },
    end: { kind: "complete" },
    ...other,
    times: { sentAtMicros, ...other.times, endedAtMicros },
  });
}

/** The bytes of one event. */
export const eventText = (name: string, value: unknown): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
