import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import { maxGroupSize } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { findSharedRepositories, namesEveryCommit } from "../../engine/compare/same-state.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { hasSmallDisplay, parseSearch } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";
import { findAddedText } from "./suggested-filter-finds-matches.ts";

/** A search, and the same search with a filter added to the query. */
interface Pair<Item> {
  readonly baseSearch: Item;
  readonly narrowedSearch: Item;
  readonly addedText: string;
}

/** Maximum number of paired searches. Later searches are ignored. A run sends fewer. */
const maxPaired = 4 * maxGroupSize;

const findPairs = <Item extends { readonly search: Search }>(items: readonly Item[]): readonly Pair<Item>[] => {
  const pairedItems = items.slice(0, maxPaired);
  return pairedItems.flatMap((baseSearch) =>
    pairedItems.flatMap((narrowedSearch) => {
      const addedText = findAddedText(baseSearch.search, narrowedSearch.search);
      return addedText === undefined ? [] : [{ baseSearch, narrowedSearch, addedText }];
    }),
  );
};

const noPairReason =
  "no search returned everything, suggested filters for several languages or repositories, and named commits; choose a `--query` that finds fewer than 1,000 matches in files of several languages";

/**
 * Returns the field that a filter restricts to one value. A file has one language and one repository, so a filter for
 * one value excludes the files with another value.
 */
const fieldOf = (value: string): string | undefined => /^(?:lang|repo)(?=:[^@]+$)/u.exec(value)?.[0];

/** Filters that can only exclude files. Others, such as `archived:yes` and `count:`, may find more. */
const excludingFilter = /^(?:repo|r|lang|language|l|file|f|path):/iu;

/**
 * Returns in what a search found something, with its repository: files by content or path, and items of other types.
 * Undefined if a match does not name it.
 */
function listFound({ files, otherItems, unidentifiedCounts }: ResultFacts): ReadonlyMap<string, string> | undefined {
  return unidentifiedCounts.size > 0
    ? undefined
    : new Map([
        ...[...files].map(([key, { repository }]) => [key, repository] as const),
        ...[...otherItems.values()].map(
          ({ repository, subject }) => [JSON.stringify([repository, subject]), repository] as const,
        ),
      ]);
}

/** Reports whether the filter excludes some of the files, according to the counts of the search itself. */
function excludesFiles(baseSearch: UsableSearch, addedText: string, fileCount: number): boolean {
  const { suggestedFilters } = baseSearch.results;
  const filter = suggestedFilters.get(addedText);
  if (filter?.isExhaustive !== true || !excludingFilter.test(addedText)) {
    return false;
  }
  const field = fieldOf(addedText);
  const hasOther = [...suggestedFilters].some(
    ([value, { count }]) => value !== addedText && count > 0 && field !== undefined && fieldOf(value) === field,
  );
  const isComplete =
    baseSearch.completeness === "complete" && baseSearch.isFinished && !hasSmallDisplay(baseSearch.search);
  // In every unit, the count is at least the number of files.
  return filter.count < fileCount || (hasOther && isComplete);
}

function judgePair({ baseSearch, narrowedSearch, addedText }: Pair<UsableSearch>, report: Reporter): void {
  const found = listFound(baseSearch.results);
  if (found === undefined || found.size === 0 || !excludesFiles(baseSearch, addedText, found.size)) {
    return;
  }
  const foundAgain = listFound(narrowedSearch.results);
  const sharedRepositories = findSharedRepositories(baseSearch.results, narrowedSearch.results);
  // A match that names no commit is in the state that other matches of its repository name.
  const hasAllCommits = foundAgain !== undefined && namesEveryCommit(baseSearch.results);
  report.observation(Number(hasAllCommits));
  if (
    hasAllCommits &&
    [...found].every(([key, repository]) => sharedRepositories.has(repository) && foundAgain.has(key))
  ) {
    const count = baseSearch.results.suggestedFilters.get(addedText)?.count ?? 0;
    const message = `search ${narrowedSearch.id} has \`${formatValue(addedText)}\` added to its query, which search ${baseSearch.id} suggests with ${count} of its matches, but finds all ${found.size} files again`;
    report.violation({ message });
  }
}

/**
 * A suggested filter narrows the search. If the counts show that a filter keeps only some matches, a search with the
 * filter must not find every file again. Compares only files at the same commits, so the times of the searches do not
 * matter. Source: search-stream, sections 2.1 and 6.
 */
export const suggestedFilterNarrows = defineExchangeRule({
  id: "stream/suggested-filter-narrows",
  comparedExchangeIds(records) {
    const searches = records.flatMap((record) => {
      const search = parseSearch(record);
      return search === undefined ? [] : [{ search, id: record.id }];
    });
    return new Set(findPairs(searches).flatMap(({ baseSearch, narrowedSearch }) => [baseSearch.id, narrowedSearch.id]));
  },
  check(exchanges, reportFor) {
    const comparedSearches = exchanges.flatMap((exchange): readonly ComparedSearch[] => {
      const search = parseSearch(exchange.record);
      return search === undefined || exchange.results === undefined ? [] : [{ search, exchange }];
    });
    reportFor("").notTested(noPairReason);
    for (const pair of findPairs(toUsableSearches(comparedSearches))) {
      judgePair(pair, reportFor(pair.narrowedSearch.id));
    }
  },
});
