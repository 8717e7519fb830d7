import { Buffer } from "node:buffer";

/** The fence of a code block that a line opens, with its indentation. With a back-tick after it, it is a code span. */
const fenceOf = (line: string): string | undefined => /^(?<fence> *`{3,})[^`]*$/u.exec(line)?.groups?.["fence"];

/** Blocks that are open after some lines. */
interface OpenBlocks {
  /** The fence of a code block; undefined outside of one. */
  readonly fence: string | undefined;
  /** Number of open `<details>`. */
  readonly folds: number;
}

/** Blocks that are open after these lines. Only Assay writes tags: those of a target are escaped or in code blocks. */
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

/** Number of first lines that have at most `maxBytes` bytes. */
const countWithin = (lines: readonly string[], maxBytes: number): number => {
  let bytes = 0;
  const index = lines.findIndex((line) => (bytes += sizeOf(line)) > maxBytes);
  return index === -1 ? lines.length : index;
};

/**
 * Markdown cut to at most `maxBytes` bytes: whole lines, with open blocks closed, and a line that says where the rest is. A text that fits
 * is returned unchanged. If not even that line fits, the result is empty.
 */
export const cutMarkdown = (text: string, maxBytes: number, rest = "the files of the run have all of it"): string => {
  if (Buffer.byteLength(text) <= maxBytes) {
    return text;
  }
  const note = `\n… cut here: ${rest}.\n`;
  const lines = text.split("\n");
  // Closing a fence takes as many bytes as its longest run of back-ticks: reserve space for that.
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
