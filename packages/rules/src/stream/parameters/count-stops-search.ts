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
  /** The same search with a larger `count`, or none. */
  readonly wide: UsableSearch;
  /** Whether the evidence can show that both searches ran against the same index state. */
  readonly hasKnownState: boolean;
}

/** The result of a pair. It is `inconclusive` if the pair could not reveal a violation. */
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
function limitsOnlyOutput({ narrow, wide }: Pair): boolean {
  const [narrowCount, wideCount] = [narrow.results.matchCount, wide.results.matchCount];
  const wideFiles = countResults(wide.results).files;
  const hasManyMore = wideFiles > minFactor * countLimit(narrow.search);
  // A count below the number of returned matches is wrong or in a different unit. `stream/match-count-fits-matches` reports it.
  return (
    hasManyMore &&
    narrowCount !== undefined &&
    wideCount !== undefined &&
    wideCount >= wideFiles &&
    narrowCount >= wideCount
  );
}

function judgeOverLimit({ narrow, wide }: Pair): PairResult {
  const [narrowFiles, wideFiles] = [countResults(narrow.results).files, countResults(wide.results).files];
  const message = `search ${narrow.id} with \`count:${countLimit(narrow.search)}\` returned matches in ${narrowFiles} files, but search ${wide.id}, which requests more, in ${wideFiles}`;
  if (narrowFiles < wideFiles) {
    // The specification does not say how far a search may exceed its limit. A result that is more than ten times the
    // limit and more than half of all matches means that the search did not stop.
    const isUnbounded = narrowFiles > minFactor * countLimit(narrow.search) && 2 * narrowFiles > wideFiles;
    return { kind: isUnbounded ? "violation" : "over-limit", message };
  }
  const haveSameState = !haveCommits([narrow, wide]) || compareStates(narrow.results, wide.results) === "same";
  return { kind: ranToEnd(wide) && haveSameState ? "violation" : "inconclusive", message };
}

function judgePair(pair: Pair): PairResult {
  const { narrow, wide, hasKnownState } = pair;
  const limit = countLimit(narrow.search);
  const message = `search ${narrow.id} with \`count:${limit}\` counted ${narrow.results.matchCount} matches; search ${wide.id}, with a higher limit, counted only ${wide.results.matchCount}`;
  // A search without results does not show where it stops.
  if (countResults(wide.results).files <= limit || countResults(narrow.results).files === 0 || !hasKnownState) {
    return { kind: "inconclusive", message };
  }
  if (countResults(narrow.results).files > limit) {
    return judgeOverLimit(pair);
  }
  if (!limitsOnlyOutput(pair)) {
    return { kind: "passed", message };
  }
  const shared = sharedRepositories(narrow.results, wide.results);
  const areAllShared = countResults(resultsWithin(narrow.results, shared)).files === countResults(narrow.results).files;
  const haveSameState = !haveCommits([narrow, wide]) || areAllShared;
  return { kind: ranToEnd(wide) && haveSameState ? "violation" : "inconclusive", message };
}

/** Reports whether the evidence can show that the narrow search ran against the index state of the wide one. */
function canCompareStates(narrow: UsableSearch, wide: UsableSearch, wider: readonly UsableSearch[]): boolean {
  return haveCommits([narrow, wide])
    ? compareStates(narrow.results, wide.results) !== "other" && namesEveryCommit(wide.results)
    : wasSentBetween(narrow, wider);
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

const noWiderSearch =
  "no search returned more results than the `count:` of a comparable search of the same index state; choose a `--query` that finds many files";

/**
 * `count:` ends the search. The specification does not define its unit, so this rule counts files, the coarsest possible
 * unit, to avoid false violations. Source: search-stream, sections 4 and 8.
 */
export const countStopsSearch = defineComparison({
  id: "stream/count-stops-search",
  // Display parameters do not change the number of results.
  groupKey: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, displayChanges)?.key),
  hasPair: haveDifferentLimits,
  judge(group, reportFor) {
    const searches = usableSearches(group).filter(({ completeness }) => completeness !== "incomplete");
    for (const narrow of searches) {
      if (farExceedsLimit(narrow, searches)) {
        const report = reportFor(narrow.id);
        report.observation();
        report.violation({
          message: `search ${narrow.id} with \`count:${countLimit(narrow.search)}\` counted ${narrow.results.matchCount} matches, although a search with a different limit stops at exactly that limit`,
        });
        continue;
      }
      const wider = searches.filter(({ search }) => countLimit(search) > countLimit(narrow.search));
      const results = wider
        .map((wide) => judgePair({ narrow, wide, hasKnownState: canCompareStates(narrow, wide, wider) }))
        .filter(({ kind }) => kind !== "inconclusive");
      const report = reportFor(narrow.id);
      const violation = results.find(({ kind }) => kind === "violation");
      const overLimit = results.find(({ kind }) => kind === "over-limit");
      report.observation(Number(results.length > 0));
      report.notTested(noWiderSearch);
      if (violation !== undefined) {
        report.violation({ message: violation.message });
      } else if (overLimit !== undefined) {
        report.note({ message: overLimit.message, code: "matches-beyond-count" });
      }
    }
  },
});
