import type { SearchResult } from "../search/search-result.ts";
import { createFilterTally } from "./filter-tally.ts";
import type { SearchEvent } from "./search-event.ts";

/** Tells about filters, but only when there is something new to tell. */
export interface FilterReports {
  readonly add: (result: SearchResult) => void;
  /** A `filters` event when the list differs from the last one told; never an empty list. */
  readonly changed: (exhaustive: boolean) => readonly SearchEvent[];
}

/** Reports for one search; kinds not wanted are never listed. */
export const createFilterReports = (wantsKind: (kind: string) => boolean): FilterReports => {
  const tally = createFilterTally(wantsKind);
  let told = "[]";
  return {
    add: tally.add,
    changed: (exhaustive) => {
      const list = tally.list(exhaustive);
      const text = JSON.stringify(list);
      const changed = text !== told;
      told = text;
      return changed ? [{ name: "filters", data: list }] : [];
    },
  };
};
