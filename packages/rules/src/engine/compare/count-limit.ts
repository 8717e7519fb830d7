import { extractFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search, SearchChanges } from "./search.ts";

/**
 * The number of matches that a search requests, and the key that it shares with searches that request a different
 * number.
 */
export interface CountedSearch {
  /** An integer from 1, or `Infinity` for `count:all` and without `count:`. */
  readonly limit: number;
  /** Whether the query contains `count:all`. */
  readonly requestsAll: boolean;
  readonly key: string;
}

const parsePositiveInteger = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/u.test(text) ? Number(text) : undefined;

/** Returns undefined if the requested number is unknown. Searches that differ only in `changes` share a key. */
export function countedSearch(search: Search, changes: SearchChanges = {}): CountedSearch | undefined {
  const filter = extractFilter(search.parameters.get("q") ?? "", "count");
  const requestsAll = filter?.value?.toLowerCase() === "all";
  const limit = filter?.value === undefined || requestsAll ? Infinity : parsePositiveInteger(filter.value);
  return filter === undefined || limit === undefined
    ? undefined
    : { limit, requestsAll, key: searchKey(search, { ...changes, q: filter.remainingQuery }) };
}

/** Number of requested matches, or `Infinity` if unknown. */
export const countLimit = (search: Search): number => countedSearch(search)?.limit ?? Infinity;

/** Reports whether the search requests all matches. */
export const requestsAll = (search: Search): boolean => countedSearch(search)?.requestsAll === true;

/** Reports whether the searches request different numbers of matches, at least one of them finite. */
export const haveDifferentLimits = (searches: readonly Search[]): boolean => new Set(searches.map(countLimit)).size > 1;
