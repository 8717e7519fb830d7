import { takeFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search, SearchChanges } from "./search.ts";

/** How many matches a search wants, and the key that it shares with searches that want another number. */
export interface CountedSearch {
  /** A number from 1; `Infinity` for `count:all` and for no `count:` at all. */
  readonly limit: number;
  /** Whether the query says `count:all`. */
  readonly isAll: boolean;
  readonly key: string;
}

const wholeNumber = (text: string): number | undefined => (/^[1-9]\d{0,8}$/u.test(text) ? Number(text) : undefined);

/** `undefined` where nobody can tell how many matches the search wants. Searches that differ in `changes` share a key [none]. */
export function countedSearch(search: Search, changes: SearchChanges = {}): CountedSearch | undefined {
  const taken = takeFilter(search.parameters.get("q") ?? "", "count");
  const isAll = taken?.value?.toLowerCase() === "all";
  const limit = taken?.value === undefined || isAll ? Infinity : wholeNumber(taken.value);
  return taken === undefined || limit === undefined
    ? undefined
    : { limit, isAll, key: searchKey(search, { ...changes, q: taken.rest }) };
}

/** How many matches the search wants; `Infinity` where nobody can tell. */
export const limitOf = (search: Search): number => countedSearch(search)?.limit ?? Infinity;

/** Whether the search asks for everything. */
export const asksForAll = (search: Search): boolean => countedSearch(search)?.isAll === true;

/** Whether the searches want different numbers of matches, one of them a number at least. */
export const haveNarrow = (searches: readonly Search[]): boolean => new Set(searches.map(limitOf)).size > 1;
