import { countedSearch, haveDifferentLimits, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  foundWithin,
  isBetween,
  hasCommits,
  sharedRepositories,
  compareStates,
  hasEveryCommit,
} from "../../engine/compare/same-state.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import { limitsDisplay } from "../../engine/compare/search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

interface Pair {
  readonly narrow: UsableSearch;
  /** The same search with a larger number, or without one. */
  readonly wide: UsableSearch;
  /** Whether both would be known to have seen the same state if the narrow search had returned as much. */
  readonly isKnown: boolean;
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
const isUnstopped = ({ search, standing }: UsableSearch): boolean =>
  limitOf(search) === Infinity || standing === "complete";

/** Minimum factor at which a count of matches is evidence, because its unit may differ. */
const clearlyMore = 10;

/**
 * Reports whether the narrow search counted as much as the wide one, which returned many times as much. Only the
 * returned matches were limited then.
 */
function isOnlyCut({ narrow, wide }: Pair): boolean {
  const [counted, all] = [narrow.results.matchCount, wide.results.matchCount];
  const delivered = countResults(wide.results).files;
  const hasManyMore = delivered > clearlyMore * limitOf(narrow.search);
  // A count below the sent matches is wrong or in a different unit. Another rule reports it.
  return hasManyMore && counted !== undefined && all !== undefined && all >= delivered && counted >= all;
}

function judgeOverrun({ narrow, wide }: Pair): PairResult {
  const [found, all] = [countResults(narrow.results).files, countResults(wide.results).files];
  const message = `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` returned matches in ${found} files, but search ${wide.id}, which requests more, in ${all}`;
  if (found < all) {
    // The specification does not say how many more matches may be found. But many times the number, and more than half
    // of all matches, means that the search did not stop.
    const isUnbound = found > clearlyMore * limitOf(narrow.search) && 2 * found > all;
    return { kind: isUnbound ? "violation" : "beyond", message };
  }
  const isSame = !hasCommits([narrow, wide]) || compareStates(narrow.results, wide.results) === "same";
  return { kind: isUnstopped(wide) && isSame ? "violation" : "inconclusive", message };
}

function judgePair(pair: Pair): PairResult {
  const { narrow, wide, isKnown } = pair;
  const limit = limitOf(narrow.search);
  const message = `search ${narrow.id} with \`count:${limit}\` counted ${narrow.results.matchCount} matches, no fewer than search ${wide.id}, which requests more (${wide.results.matchCount})`;
  // A search without results does not show where it stops.
  if (countResults(wide.results).files <= limit || countResults(narrow.results).files === 0 || !isKnown) {
    return { kind: "inconclusive", message };
  }
  if (countResults(narrow.results).files > limit) {
    return judgeOverrun(pair);
  }
  if (!isOnlyCut(pair)) {
    return { kind: "passed", message };
  }
  const shared = sharedRepositories(narrow.results, wide.results);
  const isShared = countResults(foundWithin(narrow.results, shared)).files === countResults(narrow.results).files;
  const isSame = !hasCommits([narrow, wide]) || isShared;
  return { kind: isUnstopped(wide) && isSame ? "violation" : "inconclusive", message };
}

/** Reports whether the narrow search would be known to have seen the wide search's state if it had returned everything. */
function isKnown(narrow: UsableSearch, wide: UsableSearch, wider: readonly UsableSearch[]): boolean {
  return hasCommits([narrow, wide])
    ? compareStates(narrow.results, wide.results) !== "other" && hasEveryCommit(wide.results)
    : isBetween(narrow, wider);
}

/**
 * Reports whether another search of the group stopped at exactly its number, which shows the unit, and this one counted
 * many times its own.
 */
const exceedsNumber = ({ search, results }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((other) => {
    const limit = limitOf(other.search);
    const isUnit = other.standing === "limited" && limit >= clearlyMore && other.results.matchCount === limit;
    return isUnit && (results.matchCount ?? 0) > Math.max(limit, clearlyMore * limitOf(search));
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
  groupOf: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, displayChanges)?.key),
  hasPair: haveDifferentLimits,
  judge(group, reportFor) {
    const searches = usableCopies(group).filter(({ standing }) => standing !== "incomplete");
    for (const narrow of searches) {
      if (exceedsNumber(narrow, searches)) {
        const report = reportFor(narrow.id);
        report.observation();
        report.violation({
          message: `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` counted ${narrow.results.matchCount} matches, although a search with a different number stops at exactly that number`,
        });
        continue;
      }
      const wider = searches.filter(({ search }) => limitOf(search) > limitOf(narrow.search));
      const results = wider
        .map((wide) => judgePair({ narrow, wide, isKnown: isKnown(narrow, wide, wider) }))
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
