import { countedSearch, haveNarrow, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  foundWithin,
  isBetween,
  hasCommits,
  sharedRepositories,
  stateOf,
  hasEveryCommit,
} from "../../engine/compare/same-state.ts";
import { sizeOf } from "../../engine/compare/result-size.ts";
import { bindsDisplay } from "../../engine/compare/search.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

interface Pair {
  readonly narrow: UsableSearch;
  /** The same search with a larger number, or without one. */
  readonly wide: UsableSearch;
  /** Whether both would certainly have met the same state, had the narrow search found as much. */
  readonly isKnown: boolean;
}

/** The result of a pair; `nothing` if it could not have shown anything else. */
interface Sight {
  readonly kind: "violation" | "beyond" | "holds" | "nothing";
  readonly message: string;
}

/**
 * Reports whether the wide search did not stop at its own number. A search may find more than its number before it
 * stops, so two that stopped may find the same.
 */
const isUnstopped = ({ search, standing }: UsableSearch): boolean =>
  limitOf(search) === Infinity || standing === "complete";

/** Minimum factor before a count of matches proves anything, because its unit may differ. */
const clearlyMore = 10;

/**
 * Reports whether it counted as much as the wide search, which returned many times as much: then only the returned
 * matches were limited.
 */
function isOnlyCut({ narrow, wide }: Pair): boolean {
  const [counted, all] = [narrow.results.matchCount, wide.results.matchCount];
  const delivered = sizeOf(wide.results).files;
  const hasManyMore = delivered > clearlyMore * limitOf(narrow.search);
  // A count below the sent matches is wrong or in another unit; another rule reports it.
  return hasManyMore && counted !== undefined && all !== undefined && all >= delivered && counted >= all;
}

function overrun({ narrow, wide }: Pair): Sight {
  const [found, all] = [sizeOf(narrow.results).files, sizeOf(wide.results).files];
  const message = `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` returned matches in ${found} files, search ${wide.id} that requests more in ${all}`;
  if (found < all) {
    // How many more are found is unspecified, but many times as many, and most of all, is not a stop.
    const isUnbound = found > clearlyMore * limitOf(narrow.search) && 2 * found > all;
    return { kind: isUnbound ? "violation" : "beyond", message };
  }
  const isSame = !hasCommits([narrow, wide]) || stateOf(narrow.results, wide.results) === "same";
  return { kind: isUnstopped(wide) && isSame ? "violation" : "nothing", message };
}

function sightOf(pair: Pair): Sight {
  const { narrow, wide, isKnown } = pair;
  const limit = limitOf(narrow.search);
  const message = `search ${narrow.id} with \`count:${limit}\` counted ${narrow.results.matchCount} matches, no fewer than search ${wide.id} that requests more (${wide.results.matchCount})`;
  // A search without results does not show where it stops.
  if (sizeOf(wide.results).files <= limit || sizeOf(narrow.results).files === 0 || !isKnown) {
    return { kind: "nothing", message };
  }
  if (sizeOf(narrow.results).files > limit) {
    return overrun(pair);
  }
  if (!isOnlyCut(pair)) {
    return { kind: "holds", message };
  }
  const shared = sharedRepositories(narrow.results, wide.results);
  const isShared = sizeOf(foundWithin(narrow.results, shared)).files === sizeOf(narrow.results).files;
  const isSame = !hasCommits([narrow, wide]) || isShared;
  return { kind: isUnstopped(wide) && isSame ? "violation" : "nothing", message };
}

/** Reports whether the narrow search would certainly have met the state of the wide one, had it found everything. */
function isKnown(narrow: UsableSearch, wide: UsableSearch, wider: readonly UsableSearch[]): boolean {
  return hasCommits([narrow, wide])
    ? stateOf(narrow.results, wide.results) !== "other" && hasEveryCommit(wide.results)
    : isBetween(narrow, wider);
}

/**
 * Reports whether another search of the group stopped at exactly its number, which shows the unit, and this one counted
 * many times its own.
 */
const isUnboundCount = ({ search, results }: UsableSearch, searches: readonly UsableSearch[]): boolean =>
  searches.some((other) => {
    const limit = limitOf(other.search);
    const isUnit = other.standing === "limited" && limit >= clearlyMore && other.results.matchCount === limit;
    return isUnit && (results.matchCount ?? 0) > Math.max(limit, clearlyMore * limitOf(search));
  });

const shownAsChunks = { cm: undefined, cl: undefined, "max-line-len": undefined };

const nothingMore =
  "no search is known to find more, in the same state of the index, than the number of another one; choose a `--query` that finds many files";

/**
 * A number of matches ends the search. Its unit is unspecified, so only files and similar items are counted, which
 * are the fewest. Source: search-stream, sections 4 and 8.
 */
export const countStopsSearch = defineComparison({
  id: "stream/count-stops-search",
  // Parameters of the display do not change the number of results.
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search, shownAsChunks)?.key),
  hasPair: haveNarrow,
  judge(group, reportFor) {
    const searches = usableOf(group).filter(({ standing }) => standing !== "incomplete");
    for (const narrow of searches) {
      if (isUnboundCount(narrow, searches)) {
        const report = reportFor(narrow.id);
        report.observation();
        report.violation({
          message: `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` counted ${narrow.results.matchCount} matches, although another number stops its search at exactly that number`,
        });
        continue;
      }
      const wider = searches.filter(({ search }) => limitOf(search) > limitOf(narrow.search));
      const sights = wider
        .map((wide) => sightOf({ narrow, wide, isKnown: isKnown(narrow, wide, wider) }))
        .filter(({ kind }) => kind !== "nothing");
      const report = reportFor(narrow.id);
      const violation = sights.find(({ kind }) => kind === "violation");
      const beyond = sights.find(({ kind }) => kind === "beyond");
      report.observation(Number(sights.length > 0));
      report.notTested(nothingMore);
      if (violation !== undefined) {
        report.violation({ message: violation.message });
      } else if (beyond !== undefined) {
        report.note({ message: beyond.message, code: "matches-beyond-count" });
      }
    }
  },
});
