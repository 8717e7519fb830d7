import { succeeded, isUsable, describeResponse } from "../../engine/answer.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { groupBy } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { isIndexUnchanged } from "../../engine/compare/same-commits.ts";
import { searchKey, parseSearch, maxTimesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { findStableSearch } from "../../engine/compare/stable-search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import { toUsableSearch } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** All repeats of a search, and all repeats of the same search with text added to its query. */
interface Narrowing<Item> {
  readonly baseSearches: readonly Item[];
  readonly narrowedSearches: readonly Item[];
  readonly addedText: string;
}

const queryOf = ({ parameters }: Search): string => parameters.get("q") ?? "";

/**
 * Returns the text that `narrowed` adds to the query of `base`, or undefined if the searches differ in anything else.
 */
export function findAddedText(base: Search, narrowed: Search): string | undefined {
  const [q, longer] = [queryOf(base), queryOf(narrowed)];
  // The cheap check is first, because it decides most pairs.
  return longer.startsWith(`${q} `) && searchKey(base, { q: undefined }) === searchKey(narrowed, { q: undefined })
    ? longer.slice(q.length + 1)
    : undefined;
}

/** A search that was sent several times, with all of its repeats. */
type Repeats<Item> = [Item, ...Item[]];

/**
 * Pairs repeated searches with those that add to their query. Considers at most `maxGroupSize` repeated searches that differ in nothing
 * but their query.
 */
function findNarrowings<Item extends { readonly search: Search }>(items: readonly Item[]): readonly Narrowing<Item>[] {
  const groups = new Map<string, Repeats<Item>>();
  for (const item of items) {
    const key = searchKey(item.search);
    const repeats = groups.get(key);
    if (repeats === undefined) {
      groups.set(key, [item]);
    } else {
      repeats.push(item);
    }
  }
  const repeatedSearches = [...groups.values()].filter(({ length }) => length > 1);
  return groupBy(repeatedSearches, ([{ search }]) => searchKey(search, { q: undefined })).flatMap((comparable) =>
    comparable.flatMap((baseSearches) =>
      comparable.flatMap((narrowedSearches) => {
        const addedText = findAddedText(baseSearches[0].search, narrowedSearches[0].search);
        return addedText === undefined ? [] : [{ baseSearches, narrowedSearches, addedText }];
      }),
    ),
  );
}

/**
 * The count of an excluding filter may be the removed or the remaining matches, so a search with it may find nothing.
 */
const excludingFilter = /^(?:-|not\s)/iu;

const filterNameOf = (text: string): string | undefined => /^\w+(?=:)/u.exec(text)?.[0].toLowerCase();

/** Filters that a query may contain twice. */
const repeatableFilters: ReadonlySet<string | undefined> = new Set(["repo", "lang", undefined]);

/** Reports whether the query already has a filter with this name. The meaning of two such filters is unspecified. */
const hasFilterNamed = (text: string, query: string): boolean =>
  !repeatableFilters.has(filterNameOf(text)) &&
  query.split(/\s+/u).some((word) => filterNameOf(word) === filterNameOf(text));

/**
 * Reports whether `text` is a suggested filter with a count of at least one. If the search returned one file, `text`
 * may also be two such filters in a row.
 */
function isSuggested(text: string, { search, results }: UsableSearch): boolean {
  const values = [...results.suggestedFilters].flatMap(([value, { count }]) =>
    count > 0 && !excludingFilter.test(value) && !hasFilterNamed(value, queryOf(search)) ? [value] : [],
  );
  const isOneFile = results.files.size === 1;
  return values.some((value) => text === value || (isOneFile && values.some((next) => text === `${value} ${next}`)));
}

/**
 * Reports whether a search ended normally without results, or the target refused it. Alerts of any level do not explain
 * it, because missing results are reported in `skipped`. Source: search-stream, section 7.
 */
function foundNothing(comparedSearch: ComparedSearch): boolean {
  const { exchange } = comparedSearch;
  if (!succeeded(exchange)) {
    return isUsable(exchange);
  }
  const search = toUsableSearch(comparedSearch);
  const isComplete = search !== undefined && search.isFinished && !mayBePartial(search, exchange);
  return isComplete && exchange.stream?.matches === 0;
}

/**
 * Reports whether results may be missing because of a skipped entry or an `error` event. The meaning of `error` events
 * is unspecified.
 */
const mayBePartial = ({ results }: UsableSearch, { stream }: JudgedExchange): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason)) || (stream?.eventCounts["error"] ?? 0) > 0;

const sentAt = ({ exchange }: ComparedSearch): number => exchange.record.times.sentAtMicros;

/** A period in which no search is known to have seen a different index state. */
interface StablePeriod {
  /** The search without the filter, repeated at both ends of the period. */
  readonly unfilteredSearch: StableSearch;
  readonly narrowedSearches: readonly ComparedSearch[];
}

/**
 * Returns the stable period of the repeats in `baseSearches`, if all narrowed searches were sent in it and no search
 * names a different commit.
 */
function findStablePeriodOf(
  { baseSearches, narrowedSearches }: RepeatedSearches,
  exchanges: readonly JudgedExchange[],
  startMicros = -Infinity,
): StablePeriod | undefined {
  const unfilteredSearch = findStableSearch(baseSearches);
  if (unfilteredSearch === undefined) {
    return undefined;
  }
  const { first, firstSentAtMicros, lastSentAtMicros } = unfilteredSearch;
  const isBetween = narrowedSearches.every(
    (search) => firstSentAtMicros <= sentAt(search) && sentAt(search) <= lastSentAtMicros,
  );
  // The exchanges are read last, because there are many of them.
  const laterExchanges = isBetween
    ? exchanges.filter(({ record }) => record.times.sentAtMicros >= startMicros)
    : undefined;
  return laterExchanges !== undefined && isIndexUnchanged(first.results, laterExchanges)
    ? { unfilteredSearch, narrowedSearches }
    : undefined;
}

type RepeatedSearches = Pick<Narrowing<ComparedSearch>, "baseSearches" | "narrowedSearches">;

/**
 * Returns the longest stable period that lasts until the end of the run. Searches are repeated after the index changed.
 */
function findStablePeriod(
  { baseSearches, narrowedSearches }: RepeatedSearches,
  exchanges: readonly JudgedExchange[],
): StablePeriod | undefined {
  const repeats = baseSearches.toSorted((left, right) => sentAt(left) - sentAt(right));
  const starts = new Set(repeats.slice(1, -1).map((repeat) => sentAt(repeat)));
  return [...starts].reduce<StablePeriod | undefined>(
    (found, start) => found ?? findStablePeriodSince(start, { baseSearches: repeats, narrowedSearches }, exchanges),
    findStablePeriodOf({ baseSearches, narrowedSearches }, exchanges),
  );
}

function findStablePeriodSince(
  start: number,
  { baseSearches, narrowedSearches }: RepeatedSearches,
  exchanges: readonly JudgedExchange[],
): StablePeriod | undefined {
  const [laterBase, laterNarrowed] = [baseSearches, narrowedSearches].map((searches) =>
    searches.filter((search) => sentAt(search) >= start),
  );
  return laterBase !== undefined && laterNarrowed !== undefined && laterNarrowed.length > 1
    ? findStablePeriodOf({ baseSearches: laterBase, narrowedSearches: laterNarrowed }, exchanges, start)
    : undefined;
}

function judgeNarrowing(
  narrowing: Narrowing<ComparedSearch>,
  exchanges: readonly JudgedExchange[],
  report: Reporter,
): void {
  const period = findStablePeriod(narrowing, exchanges);
  if (period === undefined) {
    report.notTested(otherStateReason(maxTimesSent(narrowing.narrowedSearches)));
    return;
  }
  const { addedText, narrowedSearches } = narrowing;
  const { first } = period.unfilteredSearch;
  const [example] = period.narrowedSearches;
  if (example === undefined || !isSuggested(addedText, first)) {
    return;
  }
  report.observation();
  // Earlier searches may have seen any state. A single one with results shows that the filter can find something.
  if (narrowedSearches.every((search) => foundNothing(search))) {
    const result = succeeded(example.exchange) ? "it finds nothing" : describeResponse(example.exchange);
    const message = `search ${example.exchange.record.id} has \`${formatValue(addedText)}\` added to its query, which search ${
      first.id
    } suggests and counts matches for: ${result}`;
    report.violation({ message });
  }
}

const otherStateReason = (times: number): string =>
  `the responses do not show the same state of the index each time, although a search was sent ${times} times; run again while the index does not change, or choose a \`--query\` that finds content`;

/**
 * A suggested filter can be added to the query, and the search then finds some of the matches that the filter counts. A
 * search without results names no commit. The rule therefore judges only repeated searches in a period in which all
 * other searches name the same commits. If all matches are in one file, two filters may be combined, because the file
 * has one language and one repository. Source: search-stream, sections 2.1 and 6.
 */
export const suggestedFilterFindsMatches = defineExchangeRule({
  id: "stream/suggested-filter-finds-matches",
  comparedExchangeIds(records) {
    const searches = records.flatMap((record) => {
      const search = parseSearch(record);
      return search === undefined ? [] : [{ search }];
    });
    return new Set(findNarrowings(searches).length === 0 ? [] : records.map(({ id }) => id));
  },
  check(exchanges, reportFor) {
    const searches = exchanges.flatMap((exchange) => {
      const search = parseSearch(exchange.record);
      return search === undefined ? [] : [{ search, exchange }];
    });
    for (const narrowing of findNarrowings(searches)) {
      judgeNarrowing(narrowing, exchanges, reportFor(narrowing.narrowedSearches[0]?.exchange.record.id ?? ""));
    }
  },
});
