import type { Match } from "../../engine/matches/match.ts";

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

/** Counts one match. A match in several branches may be counted once for each of them. */
export function countMatch(units: CountedUnits, match: Match): void {
  const { marks, type } = match;
  const branches = Math.max(1, match.branchCount);
  units.isPartial ||= !countedTypes.has(type);
  units.isFullyMarked &&= type === "content" && match.hunkCount === 0 && marks.areEverywhere;
  units.elements += branches;
  units.lines += branches * Math.max(1, match.lines.count);
  units.ranges += branches * Math.max(1, marks.total + match.pathRanges.count);
}
