import type { ResultFacts } from "../../engine/result-facts.ts";

/** In what a number of matches may be meant; however matches are cut into elements and events, each stays the same. */
export type SizeUnit = "files" | "lines" | "highlights";

/** How much a search delivered, in each unit: files and other things found, lines of them, highlighted ranges. */
export type ResultSize = Readonly<Record<SizeUnit, number>>;

/** The size of what a search delivered. A file that came without line matches counts as one line. */
export function sizeOf({ files, others, unidentified, highlights }: ResultFacts): ResultSize {
  const rest = others.size + [...unidentified.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...files.values()].reduce((sum, { lines }) => sum + Math.max(1, lines.size), 0);
  return { files: rest + files.size, lines: rest + lines, highlights };
}

/** Whether lines are told for every file with content matches. */
export const hasAllLines = ({ files }: ResultFacts): boolean => [...files.values()].every(({ isOpen }) => !isOpen);
