import type { ResultFacts } from "../result-facts.ts";

/** The possible units of a match count. None depends on the division into elements and events. */
export type SizeUnit = "files" | "lines" | "highlights";

/** The size of the results of a search in each unit: files and other items, lines, highlighted ranges. */
export type ResultSize = Readonly<Record<SizeUnit, number>>;

/** Returns the size of the results. A file without line matches counts as one line. */
export function countResults({ files, otherItems, unidentifiedCounts, highlights }: ResultFacts): ResultSize {
  const otherCount = otherItems.size + [...unidentifiedCounts.values()].reduce((sum, count) => sum + count, 0);
  const lineCount = [...files.values()].reduce((sum, { lines }) => sum + Math.max(1, lines.size), 0);
  return { files: otherCount + files.size, lines: otherCount + lineCount, highlights };
}

/** Reports whether all matching lines of every file are known. */
export const hasAllLines = ({ files }: ResultFacts): boolean =>
  [...files.values()].every(({ mayHaveMoreLines }) => !mayHaveMoreLines);
