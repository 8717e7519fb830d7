import { elementsOf, isRecord, member } from "@assay/reading";
import { findChunks } from "../../engine/chunk-matches.ts";

/** The number of sent matches in each possible unit: elements, lines, highlighted ranges. */
export interface CountedUnits {
  elements: number;
  lines: number;
  ranges: number;
  /** Whether some matches have an unknown number of elements, such as symbols. */
  isPartial: boolean;
  /** Whether all of them are content matches with all their marks, so that there are no others. */
  isMarked: boolean;
}

export const noUnits = (): CountedUnits => ({ elements: 0, lines: 0, ranges: 0, isPartial: false, isMarked: true });

const countedTypes: ReadonlySet<unknown> = new Set(["content", "path", "repo"]);

const totalLength = (lists: readonly unknown[]): number =>
  lists.reduce((sum: number, list) => sum + elementsOf(list).length, 0);

/** Reports whether each of these lists has entries. */
const areMarked = (marks: readonly unknown[]): boolean =>
  marks.length > 0 && marks.every((list) => Array.isArray(list) && list.length > 0);

/** Counts one match. A match in several branches may be counted once for each of them. */
export function countMatch(counted: CountedUnits, match: unknown): void {
  const lines = elementsOf(member(match, "lineMatches"));
  const marks = [
    ...lines.map((line) => member(line, "offsetAndLengths")),
    ...(isRecord(match) ? findChunks(match) : []).map((chunk) => member(chunk, "ranges")),
  ];
  const branches = Math.max(1, elementsOf(member(match, "branches")).length);
  const type = member(match, "type");
  counted.isPartial ||= !countedTypes.has(type);
  counted.isMarked &&= type === "content" && elementsOf(member(match, "hunks")).length === 0 && areMarked(marks);
  counted.elements += branches;
  counted.lines += branches * Math.max(1, lines.length);
  counted.ranges += branches * Math.max(1, totalLength(marks) + elementsOf(member(match, "pathMatches")).length);
}
