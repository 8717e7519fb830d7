import { Buffer } from "node:buffer";

/** Matches the fence of a code block that a line opens, with its indentation. If a backtick follows, it is a code span. */
const findOpeningFence = (line: string): string | undefined =>
  /^(?<fence> *`{3,})[^`]*$/u.exec(line)?.groups?.["fence"];

/** The blocks that are open after some lines. */
interface OpenBlocks {
  /** The fence of the open code block, or undefined. */
  readonly fence: string | undefined;
  /** Number of open `<details>` elements. */
  readonly folds: number;
}

/** Returns the blocks that are open after these lines. All tags are from Assay, because a target's tags are escaped or in code blocks. */
const findOpenBlocks = (lines: readonly string[]): OpenBlocks => {
  let fence: string | undefined;
  let folds = 0;
  for (const line of lines) {
    if (fence === undefined) {
      fence = findOpeningFence(line);
      folds += line === "<details>" ? 1 : line === "</details>" ? -1 : 0;
    } else if (line === fence) {
      fence = undefined;
    }
  }
  return { fence, folds };
};

const countLineBytes = (line: string): number => Buffer.byteLength(line) + 1;

/** Returns the number of leading lines that fit into `maxBytes`. */
const countFittingLines = (lines: readonly string[], maxBytes: number): number => {
  let bytes = 0;
  const index = lines.findIndex((line) => (bytes += countLineBytes(line)) > maxBytes);
  return index === -1 ? lines.length : index;
};

/**
 * Truncates Markdown to at most `maxBytes` bytes: keeps whole lines, closes open blocks, and adds a line with `restHint`.
 * Returns text that fits unchanged. If that line does not fit either, the result is empty.
 */
export const cutMarkdown = (
  text: string,
  maxBytes: number,
  restHint = "the files of the run have all of it",
): string => {
  if (Buffer.byteLength(text) <= maxBytes) {
    return text;
  }
  const note = `\n… cut here: ${restHint}.\n`;
  const lines = text.split("\n");
  // Leaves room for the note. The loop below makes room to close the open blocks.
  const availableBytes = maxBytes - Buffer.byteLength(note);
  let count = countFittingLines(lines, availableBytes);
  const truncated = (): string => {
    const keptLines = lines.slice(0, count);
    const { fence, folds } = findOpenBlocks(keptLines);
    const closedLines = [...keptLines, ...(fence === undefined ? [] : [fence])];
    return `${closedLines.join("\n")}\n${"\n</details>\n".repeat(Math.max(0, folds))}${note}`;
  };
  while (count > 0 && Buffer.byteLength(truncated()) > maxBytes) {
    count -= 1;
  }
  return count === 0 ? "" : truncated();
};
