import type { JudgedExchange } from "../rule.ts";
import type { Search } from "./search.ts";

/** A search to compare, with its results. */
export interface ComparedSearch {
  readonly search: Search;
  readonly exchange: JudgedExchange;
}
