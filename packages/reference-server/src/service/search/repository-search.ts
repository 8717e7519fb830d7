import type { ContextLines } from "../ripgrep/context-lines.ts";
import type { RepositoryScope, SearchPlan } from "./plan-search.ts";
import type { SearchContext } from "./search-context.ts";

/** The search of one repository. */
export interface RepositorySearch extends SearchContext {
  readonly plan: SearchPlan;
  readonly scope: RepositoryScope;
  readonly context: ContextLines;
  /** Limit on results. */
  readonly limit: number;
}
