import { createStreamChecker } from "../index.ts";
import type { GrammarFinding, StreamEvent, StreamLimits } from "../index.ts";

export interface Checked {
  readonly events: readonly StreamEvent[];
  readonly findings: readonly GrammarFinding[];
}

/** Runs the checker over chunks. Chunk n has time n. */
export function checkStream(chunks: readonly Uint8Array[], limits: Partial<StreamLimits> = {}): Checked {
  const events: StreamEvent[] = [];
  const findings: GrammarFinding[] = [];
  const checker = createStreamChecker({
    onEvent: (event) => events.push(event),
    onFinding: (finding) => findings.push(finding),
    limits,
  });
  for (const [index, chunk] of chunks.entries()) {
    checker.push(chunk, index);
  }
  checker.end();
  return { events, findings };
}

/** `code@offset+length#event` of each finding, in order. */
export const places = ({ findings }: Checked): readonly string[] =>
  findings.map(({ code, offset, length, event }) => `${code}@${offset}+${length}#${event}`);

/** Splits bytes at the given positions, taken modulo the length. */
export function cut(bytes: Uint8Array, positions: readonly number[]): readonly Uint8Array[] {
  const sorted = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}
