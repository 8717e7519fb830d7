import { countedSearch, haveDifferentLimits, countLimit } from "../../engine/compare/count-limit.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  resultsWithin,
  wasSentBetween,
  haveCommits,
  sharedRepositories,
  compareStates,
  namesEveryCommit,
} from "../../engine/compare/same-state.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import { limitsDisplay } from "../../engine/compare/search.ts";
import { usableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

interface Pair {
  readonly narrow: UsableSearch;
  /** The same search with a larger number, or without one. */
  readonly wide: UsableSearch;
  /** Whether both would be known to have seen the same state if the narrow search had returned as much. */
  readonly isStateKnown: boolean;
}

/** The result of a pair. `inconclusive` if it could not have shown a violation. */
interface PairResult {
  readonly kind: "violation" | "beyond" | "passed" | "inconclusive";
  readonly message: string;
}

/**
 * Reports whether the wide search did not stop at its own number. A search may find more than its number before it
 * stops, so two searches that stopped may return the same results.
 */
const ranToEnd = ({ search, completeness }: UsableSearch): boolean =>
  countLimit(search) === Infinity || completeness === "complete";

/** Minimum factor at which a count of matches is evidence, because its unit may differ. */
const minFactor = 10;

/**
 * Reports whether the narrow search counted as much as the wide one, which returned many times as much. Only the
 * returned matches were limited then.
 */
function isOnlyOutputCut({ narrow, wide }: Pair): boolean {
  const [narrowCount, wideCount] = [narrow.results.matchCount, wide.results.matchCount];
  const wideFiles = countResults(wide.results).files;
  const hasManyMore = wideFiles > minFactor * countLimit(narrow.search);
  // A count below the sent matches is wrong or in a different unit. `stream/match-count-fits-matches` reports it.
  return (
    hasManyMore &&
    narrowCount !== undefined &&
    wideCount !== undefined &&
    wideCount >= wideFiles &&
    narrowCount >= wideCount
  );
}

function judgeOverrun({ narrow, wide }: Pair): PairResult {
  const [narrowFiles, wideFiles] = [countResults(narrow.results).files, countResults(wide.results).files];
  const message = `search ${narrow.id} with \`count:${countLimit(narrow.search)}\` returned matches in ${narrowFiles} files, but search ${wide.id}, which requests more, in ${wideFiles}`;
  if (narrowFiles < wideFiles) {
    // The specification does not say how many more matches may be found. But many times the number, and more than half
    // of all matches, means that the search did not stop.
    const isUnbounded = narrowFiles > minFactor * countLimit(narrow.search) && 2 * narrowFiles > wideFiles;
    return { kind: isUnbounded ? "violation" : "beyond", message };
  }
  const haveSameState = !haveCommits([narrow, wide]) || compareStates(narrow.results, wide.results) === "same";
  return { kind: ranToEnd(wide) && haveSameState ? "violation" : "inconclusive", message };
}

function judgePair(pair: Pair): PairResult {
  const { narrow, wide, isStateKnown } = pair;
  const limit = countLimit(narrow.search);
  const message = `search ${narrow.id} with \`count:${limit}\` counted ${narrow.results.matchCount} matches, no fewer than search ${wide.id}, which requests more (${wide.results.matchCount})`;
  // A search without results does not show where it stops.
  if (countResults(wide.results).files <= limit || countResults(narrow.results).files === 0 || !isStateKnown) {
    return { kind: "inconclusive", message };
  }
  if (countResults(narrow.results).files > limit) {
    return judgeOverrun(pair);
  }
  if (!isOnlyOutputCut(pair)) {
    return { kind: "passed", message };
  }
  const shared = sharedRepositories(narrow.results, wide.results);
  const areAllShared = countResults(resultsWithin(narrow.results, shared)).files === countResults(narrow.results).files;
  const haveSameState = !haveCommits([narrow, wide]) || areAllShared;
  return { kind: ranToEnd(wide) && haveSameState ? "violation" : "inconclusive", message };
}

/** Reports whether the narrow search would be known to have seen the wide search's state if it had returned everything. */
function isStateKnown(narrow: UsableSearch, wide: UsableSearch, wider: readonly UsableSearch[]): boolean {
  return haveCommits([narrow, wide])
    ? compareStates(narrow.results, wide.results) !== "other" && namesEveryCommit(wide.results)
    : wasSentBetween(narrow, wider);
}

/**
 * Reports whether another search of the group stopped at exactly its number, which shows the unit, and this one counted
 * many times its own.
 */
const exceedsNumber = ({ search, results }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((other) => {
    const limit = countLimit(other.search);
    const showsUnit = other.completeness === "limited" && limit >= minFactor && other.results.matchCount === limit;
    return showsUnit && (results.matchCount ?? 0) > Math.max(limit, minFactor * countLimit(search));
  });

const displayChanges = { cm: undefined, cl: undefined, "max-line-len": undefined };

const noWiderSearch =
  "no search is known to find more than the number of another search in the same state of the index; choose a `--query` that finds many files";

/**
 * A number of matches ends the search. Its unit is unspecified, so only files and similar items are counted, which are
 * the fewest. Source: search-stream, sections 4 and 8.
 */
export const countStopsSearch = defineComparison({
  id: "stream/count-stops-search",
  // Parameters of the display do not change the number of results.
  groupKey: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, displayChanges)?.key),
  hasPair: haveDifferentLimits,
  judge(group, reportFor) {
    const searches = usableSearches(group).filter(({ completeness }) => completeness !== "incomplete");
    for (const narrow of searches) {
      if (exceedsNumber(narrow, searches)) {
        const report = reportFor(narrow.id);
        report.observation();
        report.violation({
          message: `search ${narrow.id} with \`count:${countLimit(narrow.search)}\` counted ${narrow.results.matchCount} matches, although a search with a different number stops at exactly that number`,
        });
        continue;
      }
      const wider = searches.filter(({ search }) => countLimit(search) > countLimit(narrow.search));
      const results = wider
        .map((wide) => judgePair({ narrow, wide, isStateKnown: isStateKnown(narrow, wide, wider) }))
        .filter(({ kind }) => kind !== "inconclusive");
      const report = reportFor(narrow.id);
      const violation = results.find(({ kind }) => kind === "violation");
      const beyond = results.find(({ kind }) => kind === "beyond");
      report.observation(Number(results.length > 0));
      report.notTested(noWiderSearch);
      if (violation !== undefined) {
        report.violation({ message: violation.message });
      } else if (beyond !== undefined) {
        report.note({ message: beyond.message, code: "matches-beyond-count" });
      }
    }
  },
});
