import type { JudgedExchange } from "../../engine/rule.ts";
import type { Search } from "./search.ts";

/** A search that is compared with others, and what it came to. */
export interface ComparedSearch {
  readonly search: Search;
  readonly exchange: JudgedExchange;
}
