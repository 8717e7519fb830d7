import type { Match } from "./matches/match.ts";

/** Maximum number of repositories tracked per stream. */
const maxRepositories = 10_000;

/** The number of sent matches in each possible unit: elements, lines, highlighted ranges. Also their files and repositories. */
export interface CountedUnits {
  elements: number;
  lines: number;
  ranges: number;
  /** Number of files with content matches. */
  files: number;
  readonly repositories: Set<string>;
  /** Whether `repositories` is incomplete: a match has no readable repository, or there are too many. */
  mayLackRepositories: boolean;
  /** Whether there are matches of other types than `content`, `path` and `repo`. It is unknown how those are counted. */
  hasOtherTypes: boolean;
  /** Whether every match is a content match with marks in every line, so that the stream shows everything countable. */
  isFullyMarked: boolean;
}

export const emptyUnits = (): CountedUnits => ({
  elements: 0,
  lines: 0,
  ranges: 0,
  files: 0,
  repositories: new Set(),
  mayLackRepositories: false,
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
  units.files += Number(match.isFirstOfFile);
  if (!match.isOfKnownRepository) {
    addRepository(units, match.repository);
  }
}

function addRepository(units: CountedUnits, repository: string | undefined): void {
  const { repositories } = units;
  if (repository !== undefined && repositories.has(repository)) {
    return;
  }
  // A name with invalid bytes may equal another one.
  if (repository === undefined || repository.includes("\uFFFD") || repositories.size === maxRepositories) {
    units.mayLackRepositories = true;
  } else {
    repositories.add(repository);
  }
}
