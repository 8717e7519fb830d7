import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { characterCount } from "../ripgrep/go-text.ts";

/** A highlight: line of the shown text, the fence before it being line 0; first character in that line; characters. */
export type CommitRange = readonly [line: number, character: number, length: number];

/** Text that a commit result shows between its fences. */
export interface CommitText {
  readonly lines: readonly string[];
  readonly ranges: readonly CommitRange[];
}

/** Spans of bytes in one line as highlights; `prefix` characters stand before the text they were found in. */
export const rangesInLine = (
  text: string,
  spans: readonly ByteSpan[],
  { line, prefix }: { readonly line: number; readonly prefix: number },
): readonly CommitRange[] => {
  const bytes = Buffer.from(text);
  return spans
    .filter(([start, end]) => end > start)
    .map(([start, end]): CommitRange => [
      line,
      prefix + characterCount(bytes.subarray(0, start)),
      characterCount(bytes.subarray(start, end)),
    ]);
};
