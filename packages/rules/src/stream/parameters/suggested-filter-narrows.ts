import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import { maxGroupSize } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { hasSameCommit } from "../../engine/compare/same-state.ts";
import { limitsDisplay, parseSearch } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";
import { addedTo } from "./suggested-filter-finds-matches.ts";

/** A search, and the same search with a filter added to the query. */
interface Pair<Item> {
  readonly base: Item;
  readonly narrowed: Item;
  readonly added: string;
}

/** Maximum number of paired searches. Later searches are ignored. A run sends fewer. */
const maxPaired = 4 * maxGroupSize;

const findPairs = <Item extends { readonly search: Search }>(items: readonly Item[]): readonly Pair<Item>[] => {
  const first = items.slice(0, maxPaired);
  return first.flatMap((base) =>
    first.flatMap((narrowed) => {
      const added = addedTo(base.search, narrowed.search);
      return added === undefined ? [] : [{ base, narrowed, added }];
    }),
  );
};

const noPair =
  "no search returned everything, suggested filters for several languages or repositories, and named commits; choose a `--query` that finds fewer than 1,000 matches in files of several languages";

/**
 * Returns the field that a filter restricts to one value. A file has one language and one repository, so a filter for
 * one value excludes the files with another value.
 */
const fieldOf = (value: string): string | undefined => /^(?:lang|repo)(?=:[^@]+$)/u.exec(value)?.[0];

/** Filters that can only exclude files. Others, such as `archived:yes` and `count:`, may find more. */
const onlyExcludes = /^(?:repo|r|lang|language|l|file|f|path):/iu;

/** Reports whether the filter excludes some of the returned files, according to the counts of the search itself. */
function excludesFiles(base: UsableSearch, added: string): boolean {
  const { files, suggestedFilters } = base.results;
  const filter = suggestedFilters.get(added);
  if (filter?.isExhaustive !== true || !onlyExcludes.test(added)) {
    return false;
  }
  const field = fieldOf(added);
  const hasOther = [...suggestedFilters].some(
    ([value, { count }]) => value !== added && count > 0 && field !== undefined && fieldOf(value) === field,
  );
  const isWhole = base.completeness === "complete" && base.isFinished && !limitsDisplay(base.search);
  // In every unit, the count is at least the number of files.
  return filter.count < files.size || (hasOther && isWhole);
}

function judge({ base, narrowed, added }: Pair<UsableSearch>, report: Reporter): void {
  const { files, suggestedFilters } = base.results;
  if (files.size === 0 || !excludesFiles(base, added)) {
    return;
  }
  const narrowedFiles = narrowed.results.files;
  const repeatedFiles = [...files].filter(([key, file]) => {
    const narrowedFile = narrowedFiles.get(key);
    return narrowedFile !== undefined && hasSameCommit(file, narrowedFile);
  });
  const hasCommit = [...files.values()].every(({ commit, hasConflicts }) => commit !== undefined && !hasConflicts);
  report.observation(Number(hasCommit));
  if (repeatedFiles.length === files.size) {
    const message = `search ${narrowed.id} has \`${formatValue(added)}\` added to its query, which search ${base.id} suggests with ${suggestedFilters.get(added)?.count ?? 0} of its matches, but finds all ${files.size} files again`;
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
    return new Set(findPairs(searches).flatMap(({ base, narrowed }) => [base.id, narrowed.id]));
  },
  check(exchanges, reportFor) {
    const compared = exchanges.flatMap((exchange): readonly ComparedSearch[] => {
      const search = parseSearch(exchange.record);
      return search === undefined || exchange.results === undefined ? [] : [{ search, exchange }];
    });
    reportFor("").notTested(noPair);
    for (const pair of findPairs(usableSearches(compared))) {
      judge(pair, reportFor(pair.narrowed.id));
    }
  },
});
