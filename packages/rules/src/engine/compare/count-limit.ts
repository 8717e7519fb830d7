import { takeFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search, SearchChanges } from "./search.ts";

/** Number of matches that a search requests, and the key that it shares with searches that request another number. */
export interface CountedSearch {
  /** A number from 1; `Infinity` for `count:all` and without `count:`. */
  readonly limit: number;
  /** Whether the query has `count:all`. */
  readonly isAll: boolean;
  readonly key: string;
}

const wholeNumber = (text: string): number | undefined => (/^[1-9]\d{0,8}$/u.test(text) ? Number(text) : undefined);

/** Undefined if the requested number is unknown. Searches that differ in `changes` share a key [none]. */
export function countedSearch(search: Search, changes: SearchChanges = {}): CountedSearch | undefined {
  const taken = takeFilter(search.parameters.get("q") ?? "", "count");
  const isAll = taken?.value?.toLowerCase() === "all";
  const limit = taken?.value === undefined || isAll ? Infinity : wholeNumber(taken.value);
  return taken === undefined || limit === undefined
    ? undefined
    : { limit, isAll, key: searchKey(search, { ...changes, q: taken.rest }) };
}

/** Number of requested matches; `Infinity` if unknown. */
export const limitOf = (search: Search): number => countedSearch(search)?.limit ?? Infinity;

/** Reports whether the search requests everything. */
export const asksForAll = (search: Search): boolean => countedSearch(search)?.isAll === true;

/** Reports whether the searches request different numbers of matches, at least one of them finite. */
export const haveNarrow = (searches: readonly Search[]): boolean => new Set(searches.map(limitOf)).size > 1;
