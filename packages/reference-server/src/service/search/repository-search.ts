import type { ContextLines } from "../ripgrep/context-lines.ts";
import type { RepositoryScope, SearchPlan } from "./plan-search.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";

/** The search of one repository. */
export interface RepositorySearch extends SearchSurroundings {
  readonly plan: SearchPlan;
  readonly scope: RepositoryScope;
  readonly context: ContextLines;
  /** Limit on results. */
  readonly limit: number;
}
