import type { Match } from "./matches/match.ts";

/** The number of sent matches in each possible unit: elements, lines, highlighted ranges. */
export interface CountedUnits {
  elements: number;
  lines: number;
  ranges: number;
  /** Whether there are matches of other types than `content`, `path` and `repo`. It is unknown how those are counted. */
  hasOtherTypes: boolean;
  /** Whether every match is a content match with marks in every line, so that the stream shows everything countable. */
  isFullyMarked: boolean;
}

export const emptyUnits = (): CountedUnits => ({
  elements: 0,
  lines: 0,
  ranges: 0,
  hasOtherTypes: false,
  isFullyMarked: true,
});

const countedTypes: ReadonlySet<unknown> = new Set(["content", "path", "repo"]);

/** Counts one match. A match in several branches may be counted once for each of them. */
export function countUnits(units: CountedUnits, match: Match): void {
  const { marks, type } = match;
  const branches = Math.max(1, match.branchCount);
  units.hasOtherTypes ||= !countedTypes.has(type);
  units.isFullyMarked &&= type === "content" && match.hunkCount === 0 && marks.areEverywhere;
  units.elements += branches;
  units.lines += branches * Math.max(1, match.lines.count);
  units.ranges += branches * Math.max(1, marks.total + match.pathRanges.count);
}
