import type { FoundFile } from "../../engine/found-file.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { byDisplay, splitByDisplay, findUnlimitedInSameState } from "../../engine/compare/display-pairs.ts";
import { findMissing, describeMissing } from "../../engine/compare/result-difference.ts";
import type { MissingResults } from "../../engine/compare/result-difference.ts";
import { hasAllLines, countResults } from "../../engine/compare/result-size.ts";
import { comparableResults, hasAnyCommit, reasonForUnknownState } from "../../engine/compare/same-state.ts";
import { displayLimit, ineffectiveParameters, omitsChunks, searchKey } from "../../engine/compare/search.ts";
import { toStableSearch } from "../../engine/compare/stable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/**
 * Reports whether only `display` limited the returned matches. If the search counted at least `display` matches, it
 * reached any other limit later.
 */
function isOnlyLimitedByDisplay({ search, completeness, isFinished, results }: UsableSearch): boolean {
  const { matchCount = 0, skippedReasons } = results;
  const isCut = [...skippedReasons].some((reason) => reason !== "display" && isCutReason(reason));
  return isFinished && completeness !== "incomplete" && (!isCut || matchCount >= displayLimit(search));
}

/**
 * Reports whether the number of returned lines and ranges is certain: all results are content matches with a highlight
 * in each line.
 */
const hasCertainCounts = (results: ResultFacts): boolean =>
  hasAllLines(results) &&
  results.otherItems.size + results.unidentifiedCounts.size === 0 &&
  [...results.files.values()].every(({ unmarkedLines }) => unmarkedLines.size === 0);

/** Types of matches without lines. */
const plainTypes: ReadonlySet<string> = new Set(["path", "repo"]);

/** Reports whether all results are paths or repositories with at most one range. Each counts as one match in every unit. */
const areAllPlain = ({ files, otherItems, unidentifiedCounts, highlights }: ResultFacts): boolean =>
  otherItems.size > 0 &&
  files.size + unidentifiedCounts.size === 0 &&
  highlights === otherItems.size &&
  [...otherItems.values()].every(({ type }) => plainTypes.has(type));

/**
 * Returns the number of returned matches in the smallest unit in which it does not exceed `display`. It returns
 * undefined if the number exceeds `display` in every unit.
 */
function countReturned(
  search: UsableSearch,
  elements: number,
): { readonly count: number; readonly isElementCount: boolean } | undefined {
  const max = displayLimit(search.search);
  const { lines } = countResults(search.results);
  const units = [Math.max(search.results.highlights, lines), lines, elements];
  const count = units.find((size) => size <= max);
  return count === undefined ? undefined : { count, isElementCount: units.indexOf(count) === 2 };
}

const hasFewerLines = (part: FoundFile, whole: FoundFile | undefined): boolean =>
  whole !== undefined && part.lines.size < whole.lines.size;

/**
 * Reports whether the target returns any number of matches: single ones, or a match in parts. If it does not, the next match may not fit
 * in the remaining number.
 */
const returnsAny = ({ results }: UsableSearch, whole: ResultFacts): boolean =>
  areAllPlain(results) || [...results.files].some(([key, file]) => hasFewerLines(file, whole.files.get(key)));

/** Selects the searches without `display` whose results have the same kinds of matches. */
const selectReferences = ({ results }: UsableSearch, searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  areAllPlain(results) ? searches.filter((search) => areAllPlain(search.results)) : searches;

/** Results of a search without `display`, in the repositories whose results this search returned completely. */
interface CompleteResults {
  readonly search: UsableSearch;
  readonly results: ResultFacts;
  /** Results that the search with `display` lacks. */
  readonly missing: MissingResults;
}

/** Finds the results in the same index state. If no commits are named, the searches before and after must agree. */
function findCompleteResults(
  search: UsableSearch,
  unlimitedSearches: readonly UsableSearch[],
): CompleteResults | undefined {
  const hasCommit = hasAnyCommit([search, ...unlimitedSearches]);
  const sameStateSearches = findUnlimitedInSameState(search, unlimitedSearches, hasCommit);
  const reference = hasCommit ? sameStateSearches[0] : toStableSearch(sameStateSearches)?.first;
  if (reference === undefined) {
    return undefined;
  }
  const isSubset = findMissing(comparableResults(search, reference, hasCommit), search.results).count === 0;
  const results = comparableResults(reference, search, hasCommit);
  return isSubset ? { search: reference, results, missing: findMissing(search.results, results) } : undefined;
}

const noCutResultsReason =
  "no search with `display` omitted results that are known to exist; choose a `--query` that finds many lines";

/** Reports whether the rule can count what a search returned. */
const isCountable = (search: UsableSearch): boolean =>
  isOnlyLimitedByDisplay(search) &&
  (areAllPlain(search.results) || (omitsChunks(search.search) && hasCertainCounts(search.results)));

/**
 * `display` is the number of matches after which no more are returned. A search with enough matches therefore returns
 * that number. This is plausible, but the specification calls `display` a maximum. Its unit is unspecified, and so is
 * whether a match is returned in parts. The rule fails only if too few matches are returned in every possible unit. It
 * compares matches without lines, and lines without chunk matches. Source: search-stream, sections 4 and 8.
 */
export const displayIsReached = defineComparison({
  id: "stream/display-is-reached",
  // Without chunk matches, more parameters have no effect.
  groupKey: (search) =>
    searchKey(search, { ...(omitsChunks(search) ? ineffectiveParameters(search) : {}), display: undefined }),
  hasPair: byDisplay.hasPair,
  judge(group: readonly ComparedSearch[], reportFor) {
    const { limitedSearches, unlimitedSearches } = splitByDisplay(group);
    const elementCounts = new Map(group.map(({ exchange }) => [exchange.record.id, exchange.stream?.matches ?? 0]));
    for (const search of limitedSearches.filter((candidate) => isCountable(candidate))) {
      const report = reportFor(search.id);
      const completeResults = findCompleteResults(search, selectReferences(search, unlimitedSearches));
      const returnedCount = countReturned(search, elementCounts.get(search.id) ?? 0);
      if (completeResults === undefined || returnedCount === undefined || completeResults.missing.count === 0) {
        report.notTested(
          completeResults === undefined ? reasonForUnknownState(search, unlimitedSearches) : noCutResultsReason,
        );
        continue;
      }
      const isConclusive = returnedCount.isElementCount || returnsAny(search, completeResults.results);
      const isFewer = returnedCount.count < displayLimit(search.search);
      report.observation(Number(!isFewer || isConclusive));
      if (isFewer && isConclusive) {
        const message = `search ${search.id} with \`display=${displayLimit(search.search)}\` returned ${returnedCount.count} matches, but lacks results of search ${completeResults.search.id} without it: ${describeMissing(completeResults.missing)}`;
        report.violation({ message });
      }
    }
  },
});
