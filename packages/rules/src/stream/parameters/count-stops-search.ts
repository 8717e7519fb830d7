import { parseCountedSearch, haveDifferentLimits, countLimit } from "../../engine/compare/count-limit.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  resultsInRepositories,
  wasSentBetween,
  hasAnyCommit,
  findSharedRepositories,
  compareStates,
  namesEveryCommit,
} from "../../engine/compare/same-state.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import { hasSmallDisplay } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

interface Pair {
  readonly narrowSearch: UsableSearch;
  /** The same search with a larger `count`, or none. */
  readonly wideSearch: UsableSearch;
  /** Whether the evidence can show that both searches ran against the same index state. */
  readonly hasKnownState: boolean;
}

/**
 * The result of a pair. `over-limit`: the search exceeded its limit but may have stopped later. `inconclusive`: the
 * pair could not reveal a violation.
 */
interface PairResult {
  readonly kind: "violation" | "over-limit" | "passed" | "inconclusive";
  readonly message: string;
}

/**
 * Reports whether the search has no limit or did not reach it. A search may exceed its limit before it stops, so two
 * searches that stopped may return the same results.
 */
const ranToEnd = ({ search, completeness }: UsableSearch): boolean =>
  countLimit(search) === Infinity || completeness === "complete";

/** A match count proves a violation only if it exceeds the limit by this factor, since its unit is unspecified. */
const minFactor = 10;

/**
 * Reports whether `count` limited only the output: the narrow search counted at least as many matches as the wide one
 * but returned far fewer.
 */
function limitsOnlyOutput({ narrowSearch, wideSearch }: Pair): boolean {
  const [narrowCount, wideCount] = [narrowSearch.results.matchCount, wideSearch.results.matchCount];
  const wideFiles = countResults(wideSearch.results).files;
  const hasManyMore = wideFiles > minFactor * countLimit(narrowSearch.search);
  // A count below the number of returned matches is wrong or in a different unit. `stream/match-count-fits-matches` reports it.
  return (
    hasManyMore &&
    narrowCount !== undefined &&
    wideCount !== undefined &&
    wideCount >= wideFiles &&
    narrowCount >= wideCount
  );
}

function judgeOverLimit({ narrowSearch, wideSearch }: Pair): PairResult {
  const [narrowFiles, wideFiles] = [countResults(narrowSearch.results).files, countResults(wideSearch.results).files];
  const message = `search ${narrowSearch.id} with \`count:${countLimit(narrowSearch.search)}\` returned matches in ${narrowFiles} files, but search ${wideSearch.id}, which requests more, in ${wideFiles}`;
  if (narrowFiles < wideFiles) {
    // The specification does not say how far a search may exceed its limit. A result that is more than ten times the
    // limit and more than half of all matches means that the search did not stop.
    const isUnbounded = narrowFiles > minFactor * countLimit(narrowSearch.search) && 2 * narrowFiles > wideFiles;
    return { kind: isUnbounded ? "violation" : "over-limit", message };
  }
  const haveSameState =
    !hasAnyCommit([narrowSearch, wideSearch]) || compareStates(narrowSearch.results, wideSearch.results) === "same";
  return { kind: ranToEnd(wideSearch) && haveSameState ? "violation" : "inconclusive", message };
}

function judgePair(pair: Pair): PairResult {
  const { narrowSearch, wideSearch, hasKnownState } = pair;
  const limit = countLimit(narrowSearch.search);
  const message = `search ${narrowSearch.id} with \`count:${limit}\` counted ${narrowSearch.results.matchCount} matches; search ${wideSearch.id}, with a higher limit, counted only ${wideSearch.results.matchCount}`;
  // A search without results does not show where it stops.
  if (
    countResults(wideSearch.results).files <= limit ||
    countResults(narrowSearch.results).files === 0 ||
    !hasKnownState
  ) {
    return { kind: "inconclusive", message };
  }
  if (countResults(narrowSearch.results).files > limit) {
    return judgeOverLimit(pair);
  }
  if (!limitsOnlyOutput(pair)) {
    return { kind: "passed", message };
  }
  const sharedNames = findSharedRepositories(narrowSearch.results, wideSearch.results);
  const areAllShared =
    countResults(resultsInRepositories(narrowSearch.results, sharedNames)).files ===
    countResults(narrowSearch.results).files;
  const haveSameState = !hasAnyCommit([narrowSearch, wideSearch]) || areAllShared;
  return { kind: ranToEnd(wideSearch) && haveSameState ? "violation" : "inconclusive", message };
}

/** Reports whether the evidence can show that the narrow search saw the index state of the wide search. */
function canCompareStates(
  narrowSearch: UsableSearch,
  wideSearch: UsableSearch,
  widerSearches: readonly UsableSearch[],
): boolean {
  return hasAnyCommit([narrowSearch, wideSearch])
    ? compareStates(narrowSearch.results, wideSearch.results) !== "different" && namesEveryCommit(wideSearch.results)
    : wasSentBetween(narrowSearch, widerSearches);
}

/**
 * Reports whether the search far exceeded its limit although another search of the group stopped at exactly its own
 * limit. The other search shows that both numbers have the same unit.
 */
const farExceedsLimit = ({ search, results }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((other) => {
    const limit = countLimit(other.search);
    const showsUnit = other.completeness === "limited" && limit >= minFactor && other.results.matchCount === limit;
    return showsUnit && (results.matchCount ?? 0) > Math.max(limit, minFactor * countLimit(search));
  });

const displayChanges = { cm: undefined, cl: undefined, "max-line-len": undefined };

const noWiderSearchReason =
  "no search returned more results than the `count:` of a comparable search of the same index state; choose a `--query` that finds many files";

/**
 * `count:` ends the search. The specification does not define its unit, so this rule counts files, the coarsest
 * possible unit, to avoid false violations. Source: search-stream, sections 4 and 8.
 */
export const countStopsSearch = defineComparison({
  id: "stream/count-stops-search",
  // Display parameters do not change the number of results.
  groupKey: (search) => (hasSmallDisplay(search) ? undefined : parseCountedSearch(search, displayChanges)?.key),
  hasPair: haveDifferentLimits,
  judge(group, reportFor) {
    const searches = toUsableSearches(group).filter(({ completeness }) => completeness !== "incomplete");
    for (const narrowSearch of searches) {
      if (farExceedsLimit(narrowSearch, searches)) {
        const report = reportFor(narrowSearch.id);
        report.observation();
        report.violation({
          message: `search ${narrowSearch.id} with \`count:${countLimit(narrowSearch.search)}\` counted ${narrowSearch.results.matchCount} matches, although a search with a different limit stops at exactly that limit`,
        });
        continue;
      }
      const widerSearches = searches.filter(({ search }) => countLimit(search) > countLimit(narrowSearch.search));
      const pairResults = widerSearches
        .map((wideSearch) =>
          judgePair({
            narrowSearch,
            wideSearch,
            hasKnownState: canCompareStates(narrowSearch, wideSearch, widerSearches),
          }),
        )
        .filter(({ kind }) => kind !== "inconclusive");
      const report = reportFor(narrowSearch.id);
      const violation = pairResults.find(({ kind }) => kind === "violation");
      const overLimit = pairResults.find(({ kind }) => kind === "over-limit");
      report.observation(Number(pairResults.length > 0));
      report.notTested(noWiderSearchReason);
      if (violation !== undefined) {
        report.violation({ message: violation.message });
      } else if (overLimit !== undefined) {
        report.note({ message: overLimit.message, code: "matches-beyond-count" });
      }
    }
  },
});
