import type { ByteSpan } from "../ripgrep/file-hits.ts";
import { type CommitRange, type CommitText, rangesInLine } from "./commit-text.ts";
import type { FilePatch, Hunk } from "./read-patch.ts";

/** Number of lines after which no more lines of hunks are added. */
const maxLines = 500;

/** Reports whether a line of a hunk was added or removed. */
const isChangedLine = (line: string): boolean => /^[+-]/u.test(line);

/** Returns the text of all added and removed lines. */
export const listChangedLines = (files: readonly FilePatch[]): readonly string[] =>
  files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.filter(isChangedLine).map((line) => line.slice(1))));

/**
 * Returns the file names and the hunks of a patch that contain a match, or all hunks if no text is searched for. Lines of hunks beyond
 * `maxLines` are omitted. File names are not.
 */
export const createDiffText = (
  files: readonly FilePatch[],
  findSpans: ((line: string) => readonly ByteSpan[]) | undefined,
): CommitText => {
  const lines: string[] = [];
  const ranges: CommitRange[] = [];
  const isShown = (hunk: Hunk): boolean =>
    findSpans === undefined || hunk.lines.some((line) => isChangedLine(line) && findSpans(line.slice(1)).length > 0);
  const addHunkLine = (line: string): void => {
    if (lines.length < maxLines) {
      lines.push(line);
      const spans = isChangedLine(line) ? (findSpans?.(line.slice(1)) ?? []) : [];
      ranges.push(...rangesInLine(line.slice(1), spans, { line: lines.length, prefix: 1 }));
    }
  };
  for (const { hunks, newPath, oldPath } of files) {
    const shownHunks = hunks.filter(isShown);
    if (shownHunks.length > 0) {
      // A file name is not a changed line, even if it starts with + or -.
      lines.push(`${oldPath} ${newPath}`);
      shownHunks.forEach((hunk) => [hunk.header, ...hunk.lines].forEach(addHunkLine));
    }
  }
  return { lines, ranges };
};
