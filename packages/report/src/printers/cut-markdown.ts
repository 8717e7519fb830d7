import { Buffer } from "node:buffer";

/** The fence of a block that a line opens, with what indents it in an entry of a list; with a back-tick behind it, it is a code span. */
const fenceOf = (line: string): string | undefined => /^(?<fence> *`{3,})[^`]*$/u.exec(line)?.groups?.["fence"];

/** The fence that is open behind these lines; undefined outside of blocks. */
const openFence = (lines: readonly string[]): string | undefined => {
  let open: string | undefined;
  for (const line of lines) {
    if (open === undefined) {
      open = fenceOf(line);
    } else if (line === open) {
      open = undefined;
    }
  }
  return open;
};

const sizeOf = (line: string): number => Buffer.byteLength(line) + 1;

/** How many of the first lines take at most this many bytes. */
const countWithin = (lines: readonly string[], maxBytes: number): number => {
  let bytes = 0;
  const index = lines.findIndex((line) => (bytes += sizeOf(line)) > maxBytes);
  return index === -1 ? lines.length : index;
};

/**
 * Markdown of at most so many bytes: whole lines from its beginning, with an open block closed, and a line that says where the
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
    const fence = openFence(kept);
    return `${kept.join("\n")}\n${fence === undefined ? "" : `${fence}\n`}${note}`;
  };
  while (count > 0 && Buffer.byteLength(whole()) > maxBytes) {
    count -= 1;
  }
  return count === 0 ? "" : whole();
};
