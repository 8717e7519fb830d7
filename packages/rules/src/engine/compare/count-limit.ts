import { extractFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search, SearchChanges } from "./search.ts";

/**
 * The number of matches that a search requests with `count:`, and the key shared by searches that differ only in that
 * number.
 */
export interface CountedSearch {
  /** An integer of at least 1. `Infinity` for `count:all` and for a query without `count:`. */
  readonly limit: number;
  /** Whether the query contains `count:all`. */
  readonly requestsAll: boolean;
  readonly key: string;
}

const parsePositiveInteger = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/u.test(text) ? Number(text) : undefined;

/** Returns the requested number, or undefined if it is unknown. Searches that differ only in `changes` share a key. */
export function parseCountedSearch(search: Search, changes: SearchChanges = {}): CountedSearch | undefined {
  const filter = extractFilter(search.parameters.get("q") ?? "", "count");
  const isCountAll = filter?.value?.toLowerCase() === "all";
  const limit = filter?.value === undefined || isCountAll ? Infinity : parsePositiveInteger(filter.value);
  return filter === undefined || limit === undefined
    ? undefined
    : { limit, requestsAll: isCountAll, key: searchKey(search, { ...changes, q: filter.remainingQuery }) };
}

/** Returns the requested number of matches, or `Infinity` if it is unknown. */
export const countLimit = (search: Search): number => parseCountedSearch(search)?.limit ?? Infinity;

/** Reports whether the query contains `count:all`. */
export const requestsAll = (search: Search): boolean => parseCountedSearch(search)?.requestsAll === true;

/** Reports whether the searches request different numbers of matches. */
export const haveDifferentLimits = (searches: readonly Search[]): boolean => new Set(searches.map(countLimit)).size > 1;
