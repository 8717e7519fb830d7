import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { countCodePoints } from "../ripgrep/go-text.ts";

/** A highlight: line in the shown text (the opening fence is line 0), first character in that line, number of characters. */
export type CommitRange = readonly [line: number, character: number, length: number];

/** The text between the fences of a commit result. */
export interface CommitText {
  readonly lines: readonly string[];
  readonly ranges: readonly CommitRange[];
}

/** Converts byte spans in a line to highlights. `prefix` is the number of characters before the searched text. */
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
      prefix + countCodePoints(bytes.subarray(0, start)),
      countCodePoints(bytes.subarray(start, end)),
    ]);
};
