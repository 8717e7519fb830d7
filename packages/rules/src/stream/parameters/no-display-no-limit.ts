import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, knownOf, shownSearches } from "../../engine/compare/display-pairs.ts";
import { missingResultsOf } from "../../engine/compare/found-difference.ts";
import { hasAllLines, sizeOf } from "../../engine/compare/result-size.ts";
import { foundWithin, hasCommits, reasonUnknown, sharedRepositories } from "../../engine/compare/same-state.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Reports whether `plain` returned less than half in the repositories that both know at the same commit. */
function hasLess(plain: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const shared = sharedRepositories(plain.results, search.results);
  const [less, more] = [plain, search].map(({ results }) => sizeOf(foundWithin(results, shared))[unit]);
  return 2 * (less ?? 0) < (more ?? 0);
}

/** Searches without a limit by `display`, grouped by the way they say so: each way must return everything. */
interface Unlimited {
  /** Whether any search, in any group, names commits. */
  readonly hasCommit: boolean;
  readonly searches: readonly UsableSearch[];
  readonly how: string;
}

const isSpelled = ({ search }: UsableSearch): boolean => search.parameters.has("display");

function unlimitedOf(plain: readonly UsableSearch[], hasCommit: boolean): readonly Unlimited[] {
  return [
    {
      searches: plain.filter((search) => !isSpelled(search)),
      how: "without it",
      hasCommit,
    },
    { searches: plain.filter(isSpelled), how: "with `display=-1`", hasCommit },
  ].filter(({ searches }) => searches.length > 0);
}

/** Reports whether a search counted matches and returned none: another state of the index does not explain that. */
const isHeldBack = ({ results, isFinished }: UsableSearch): boolean =>
  isFinished && sizeOf(results).files === 0 && (results.matchCount ?? 0) > 0;

/**
 * Reports whether a search counted at least as many matches as this one, which returned everything that the other
 * returned and more, in the same state: in any unit, it counted more than it returned, whatever the state of the rest
 * of the index.
 */
function isWithheld(plain: UsableSearch, search: UsableSearch): boolean {
  const [less, more] = [plain.results, search.results];
  const shared = sharedRepositories(less, more);
  const isSame = less.unidentified.size === 0 && sizeOf(foundWithin(less, shared)).files === sizeOf(less).files;
  const isCounted = less.matchCount !== undefined && less.matchCount === more.matchCount;
  return isSame && isCounted && plain.isFinished && missingResultsOf(more, less).count === 0;
}

function judgeUnlimited(search: UsableSearch, { searches, how, hasCommit }: Unlimited, report: Reporter): void {
  const unit = [search, ...searches].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
  const delivered = sizeOf(search.results)[unit];
  const empty = searches.find(isHeldBack);
  if (empty !== undefined && delivered > 0) {
    report.observation();
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` returned ${delivered} matching ${unit}; ${how}, search ${
      empty.id
    } counted ${empty.results.matchCount} matches and returned none`;
    report.violation({ message });
    return;
  }
  const known = knownOf(search, searches, hasCommit);
  if (known.length === 0 || delivered < 2) {
    report.notTested(delivered < 2 ? foundTooLittle : reasonUnknown(search, searches));
    return;
  }
  const max = Math.max(...searches.map(({ results }) => sizeOf(results)[unit]));
  report.observation();
  const isHeld = (one: UsableSearch): boolean => isWithheld(one, search) && sizeOf(one.results)[unit] < delivered;
  const isLess = (one: UsableSearch): boolean => hasLess(one, search, unit) || isWithheld(one, search);
  if (known.every(isHeld) || (2 * max < delivered && (!hasCommit || known.every(isLess)))) {
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` returned ${delivered} matching ${unit}; ${how}, ${shownSearches(searches)} returned at most ${max}`;
    report.violation({ message });
  }
}

/**
 * Without `display`, and with -1, everything is returned. Searches differ from time to time, so the rule only fails
 * for less than half of what the same search returns with it, every time, and only in repositories in the same state;
 * or for anything less if the same number of matches was counted each time. Source: search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const hasCommit = hasCommits([...limited, ...plain]);
    for (const search of limited) {
      for (const unlimited of unlimitedOf(plain, hasCommit)) {
        judgeUnlimited(search, unlimited, reportFor(search.id));
      }
    }
  },
});

const foundTooLittle = "the search finds less than two lines; choose a `--query` that finds more";
