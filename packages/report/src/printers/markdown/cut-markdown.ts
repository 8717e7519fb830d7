import { Buffer } from "node:buffer";

/** The fence of a block that a line opens, with what indents it in an entry of a list; with a back-tick behind it, it is a code span. */
const fenceOf = (line: string): string | undefined => /^(?<fence> *`{3,})[^`]*$/u.exec(line)?.groups?.["fence"];

/** What is open behind some lines. */
interface OpenBlocks {
  /** The fence of a code block; undefined outside of them. */
  readonly fence: string | undefined;
  /** How many parts are folded around it. */
  readonly folds: number;
}

/** What is open behind these lines. Only the tool itself writes tags: a target's are text, or stand in a code block. */
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

/** How many of the first lines take at most this many bytes. */
const countWithin = (lines: readonly string[], maxBytes: number): number => {
  let bytes = 0;
  const index = lines.findIndex((line) => (bytes += sizeOf(line)) > maxBytes);
  return index === -1 ? lines.length : index;
};

/**
 * Markdown of at most so many bytes: whole lines from its beginning, with what is open closed, and a line that says where the
 * rest is. A text that fits is given back as it is; where not even that line fits, nothing is.
 */
export const cutMarkdown = (text: string, maxBytes: number, rest = "the files of the run have all of it"): string => {
  if (Buffer.byteLength(text) <= maxBytes) {
    return text;
  }
  const note = `\n… cut here: ${rest}.\n`;
  const lines = text.split("\n");
  // A fence is as long as the longest run of back-ticks in its block; twice the note leaves room for most.
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
