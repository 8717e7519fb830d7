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
  isFullyMarked: boolean;
}

export const emptyUnits = (): CountedUnits => ({
  elements: 0,
  lines: 0,
  ranges: 0,
  isPartial: false,
  isFullyMarked: true,
});

const countedTypes: ReadonlySet<unknown> = new Set(["content", "path", "repo"]);

const countEntries = (lists: readonly unknown[]): number =>
  lists.reduce((sum: number, list) => sum + elementsOf(list).length, 0);

/** Reports whether each of these lists has entries. */
const haveMarks = (marks: readonly unknown[]): boolean =>
  marks.length > 0 && marks.every((list) => Array.isArray(list) && list.length > 0);

/** Counts one match. A match in several branches may be counted once for each of them. */
export function countMatch(units: CountedUnits, match: unknown): void {
  const lines = elementsOf(member(match, "lineMatches"));
  const marks = [
    ...lines.map((line) => member(line, "offsetAndLengths")),
    ...(isRecord(match) ? findChunks(match) : []).map((chunk) => member(chunk, "ranges")),
  ];
  const branches = Math.max(1, elementsOf(member(match, "branches")).length);
  const type = member(match, "type");
  units.isPartial ||= !countedTypes.has(type);
  units.isFullyMarked &&= type === "content" && elementsOf(member(match, "hunks")).length === 0 && haveMarks(marks);
  units.elements += branches;
  units.lines += branches * Math.max(1, lines.length);
  units.ranges += branches * Math.max(1, countEntries(marks) + elementsOf(member(match, "pathMatches")).length);
}
