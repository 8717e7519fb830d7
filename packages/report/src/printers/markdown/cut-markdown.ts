import { Buffer } from "node:buffer";

/** Matches the fence of a code block that a line opens, with its indentation. If a backtick follows, it is a code span. */
const fenceOf = (line: string): string | undefined => /^(?<fence> *`{3,})[^`]*$/u.exec(line)?.groups?.["fence"];

/** The blocks that are open after some lines. */
interface OpenBlocks {
  /** The fence of the open code block, or undefined. */
  readonly fence: string | undefined;
  /** Number of open `<details>` elements. */
  readonly folds: number;
}

/** Returns the blocks that are open after these lines. All tags are from Assay, because those of a target are escaped or in code blocks. */
const openBlocks = (lines: readonly string[]): OpenBlocks => {
  let fence: string | undefined;
  let folds = 0;
  for (const line of lines) {
    if (fence === undefined) {
      fence = fenceOf(line);
      folds += line === "<details>" ? 1 : line === "</details>" ? -1 : 0;
    } else if (line === fence) {
      fence = undefined;
    }
  }
  return { fence, folds };
};

const sizeOf = (line: string): number => Buffer.byteLength(line) + 1;

/** Returns the number of leading lines that fit into `maxBytes`. */
const countWithin = (lines: readonly string[], maxBytes: number): number => {
  let bytes = 0;
  const index = lines.findIndex((line) => (bytes += sizeOf(line)) > maxBytes);
  return index === -1 ? lines.length : index;
};

/**
 * Truncates Markdown to at most `maxBytes` bytes: keeps whole lines, closes open blocks, and adds a line that describes where the rest is.
 * Returns text that fits unchanged. If that line does not fit either, the result is empty.
 */
export const cutMarkdown = (text: string, maxBytes: number, rest = "the files of the run have all of it"): string => {
  if (Buffer.byteLength(text) <= maxBytes) {
    return text;
  }
  const note = `\n… cut here: ${rest}.\n`;
  const lines = text.split("\n");
  // Reserve space to close a fence, which takes as many bytes as its longest run of backticks.
  const room = maxBytes - Buffer.byteLength(note);
  let count = countWithin(lines, room);
  const whole = (): string => {
    const kept = lines.slice(0, count);
    const { fence, folds } = openBlocks(kept);
    const closed = [...kept, ...(fence === undefined ? [] : [fence])];
    return `${closed.join("\n")}\n${"\n</details>\n".repeat(Math.max(0, folds))}${note}`;
  };
  while (count > 0 && Buffer.byteLength(whole()) > maxBytes) {
    count -= 1;
  }
  return count === 0 ? "" : whole();
};
