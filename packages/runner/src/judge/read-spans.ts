import { Buffer } from "node:buffer";
import type { RecordedExchange, Span } from "@assay/evidence";

/** Reads the bytes of each span in one pass over the body. Spans that extend beyond the body are truncated. */
export function readSpans({ chunks }: Pick<RecordedExchange, "chunks">, spans: readonly Span[]): readonly Buffer[] {
  const pieces = spans.map((): Buffer[] => []);
  const endOffset = Math.max(0, ...spans.map(({ offset, length }) => offset + length));
  let position = 0;
  for (const { bytes } of spans.length === 0 ? [] : chunks()) {
    for (const [index, { offset, length }] of spans.entries()) {
      const from = Math.max(offset, position) - position;
      const to = Math.min(offset + length, position + bytes.length) - position;
      if (from < to) {
        pieces[index]?.push(Buffer.from(bytes.subarray(from, to)));
      }
    }
    position += bytes.length;
    if (position >= endOffset) {
      break;
    }
  }
  return pieces.map((parts) => Buffer.concat(parts));
}
