import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, findKnown, listSearches } from "../../engine/compare/display-pairs.ts";
import { compareResults } from "../../engine/compare/found-difference.ts";
import { displayParameter } from "../../engine/compare/non-emptying-parameters.ts";
import {
  foundWithin,
  hasCommits,
  sharedRepositories,
  compareStates,
  reasonUnknown,
} from "../../engine/compare/same-state.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import type { SizeUnit } from "../../engine/compare/result-size.ts";
import { isDuring, stableSearchFrom } from "../../engine/compare/stable-search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

interface CountedSearch {
  readonly search: UsableSearch;
  readonly count: number;
}

const withCounts = (searches: readonly UsableSearch[]): readonly CountedSearch[] =>
  searches.flatMap((search) => {
    const count = search.results.matchCount;
    return count === undefined ? [] : [{ search, count }];
  });

/**
 * The smallest possible unit of `matchCount`. If everything was returned, the count is at least the size in that unit.
 */
const unitOf = (plain: readonly CountedSearch[]): SizeUnit =>
  (["highlights", "lines"] as const).find((unit) =>
    plain.every(({ search, count }) => count >= countResults(search.results)[unit]),
  ) ?? "files";

/** Reports whether `display` limited the returned matches, in any unit. No unit has more than highlights. */
const isFull = ({ search, results }: UsableSearch): boolean => results.highlights >= displayOf(search);

const notFull =
  "no search with `display` returned that number of matches although there are more; choose a `--query` that finds many lines";

/**
 * Reports whether a search found more than this one counted, considering only repositories that both report at the same
 * commit.
 */
const isExceeded = ({ search, count }: CountedSearch, known: readonly UsableSearch[], unit: SizeUnit): boolean =>
  known.some(({ results }) => {
    const size = countResults(foundWithin(results, sharedRepositories(results, search.results)));
    return size[unit === "files" ? "files" : "lines"] > count;
  });

/** The searches without `display`, and their counts. */
interface Baseline {
  readonly plain: readonly UsableSearch[];
  readonly counted: readonly CountedSearch[];
  /** Set if all of them returned the same results and counts. */
  readonly steady: StableSearch | undefined;
  readonly unit: SizeUnit;
  readonly min: number;
  readonly hasCommit: boolean;
}

function createBaseline(plain: readonly UsableSearch[], hasCommit: boolean): Baseline {
  const countedSearches = withCounts(plain);
  const counts = new Set(plain.map(({ results }) => `${results.matchCount} ${results.repositoriesCount}`));
  return {
    plain,
    counted: countedSearches,
    steady: counts.size === 1 ? stableSearchFrom(plain) : undefined,
    unit: unitOf(countedSearches),
    min: Math.min(...countedSearches.map(({ count }) => count)),
    hasCommit,
  };
}

/** Factor by which a smaller count cannot be coincidence, wherever a search stopped. */
const clearlyFewer = 2;

/**
 * Reports whether the search counted too few matches: at most as many as it returned, less than half of the count
 * without `display`, or anything less if no search stopped and the count was the same every time.
 */
function isShort(countedSearch: CountedSearch, known: readonly UsableSearch[], baseline: Baseline): boolean {
  const { search, count } = countedSearch;
  const { min, steady, unit, hasCommit } = baseline;
  const isWhole = search.standing === "complete" && steady?.first.standing === "complete";
  const isFewer = count <= countResults(search.results)[unit] || clearlyFewer * count < min || isWhole;
  return count < min && isFewer && (!hasCommit || isExceeded(countedSearch, known, unit));
}

/**
 * Describes the counts if they differ from those of the search without `display` whose results it returned completely,
 * in the same state.
 */
function describeOtherCount(search: UsableSearch, { steady, hasCommit }: Baseline): string | undefined {
  if (steady === undefined || !isDuring(search, steady) || search.standing !== "complete") {
    return undefined;
  }
  const { first } = steady;
  const { clause, isInconclusive } = compareResults(search.results, first.results);
  const isSame = !hasCommit || compareStates(search.results, first.results) === "same";
  if (clause !== undefined || isInconclusive || !isSame || first.standing !== "complete") {
    return undefined;
  }
  const name = (["matchCount", "repositoriesCount"] as const).find((key) => {
    const [own, other] = [search.results[key], first.results[key]];
    return own !== undefined && other !== undefined && own !== other;
  });
  return name === undefined
    ? undefined
    : `search ${search.id} with \`display=${displayOf(search.search)}\` has \`${name}\` ${search.results[name]}, but search ${first.id}, which returned the same without it, has ${first.results[name]}`;
}

function judgeCount(search: UsableSearch, baseline: Baseline, report: Reporter): void {
  const difference = describeOtherCount(search, baseline);
  if (difference !== undefined) {
    report.observation();
    report.violation({ message: difference });
    return;
  }
  const count = search.results.matchCount;
  if (count === undefined || !isFull(search)) {
    return;
  }
  const { plain, min, unit, hasCommit } = baseline;
  const searches = baseline.counted.map(({ search }) => search);
  const maxCount = Math.max(0, ...searches.map(({ results }) => countResults(results)[unit]));
  const returnedCount = countResults(search.results)[unit];
  const known = findKnown(search, searches, hasCommit);
  if (maxCount <= returnedCount || known.length === 0) {
    report.notTested(maxCount <= returnedCount ? notFull : reasonUnknown(search, plain));
    return;
  }
  report.observation();
  if (isShort({ search, count }, known, baseline)) {
    const message = `search ${search.id} with \`display=${displayOf(search.search)}\` returned ${returnedCount} matches and counted ${count}; without it, ${listSearches(plain)} counted at least ${min}`;
    report.violation({ message });
  }
}

/**
 * `display` does not change the count, because the search continues after the limit. A search counts too few if it
 * counts fewer than the same search without the parameter found in the same state of the same repositories. If it
 * returned everything that the other search did, it counts the same. Source: search-stream, section 4.
 */
export const displayKeepsCounting = defineComparison({
  id: "stream/display-keeps-counting",
  ...byDisplay,
  kept: [displayParameter],
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const baseline = createBaseline(plain, hasCommits([...limited, ...plain]));
    for (const search of limited.filter(({ standing }) => standing !== "incomplete")) {
      judgeCount(search, baseline, reportFor(search.id));
    }
  },
});
