import { isSatisfied, listShownTerms } from "../query/expression.ts";
import { findCommitResults } from "./commit-results.ts";
import { findFileResults } from "./file-results.ts";
import { matchTerms, findSpansInName } from "./match-terms.ts";
import type { RepositorySearch } from "./repository-search.ts";
import type { SearchResult } from "./search-result.ts";
import { selectParts } from "./select-parts.ts";
import { findSymbolResults } from "./symbol-results.ts";

const findRepositoryResults = async (search: RepositorySearch): Promise<readonly SearchResult[]> => {
  const { plan, pool, scope, signal } = search;
  const { caseSensitive, expression, terms } = plan.query;
  const { name } = scope.repository;
  const inName = await matchTerms({ terms, names: [name], caseSensitive, pool, signal });
  return isSatisfied(expression, (term) => inName.get(term)?.has(name) === true)
    ? [
        {
          kind: "repo",
          repository: scope.repository,
          nameSpans: findSpansInName(name, inName, listShownTerms(expression)),
        },
      ]
    : [];
};

/**
 * Yields the results of one repository in groups as they are found: the repository, files by path, symbols, then commits and diffs,
 * newest first.
 */
async function* searchRepository(search: RepositorySearch): AsyncGenerator<readonly SearchResult[]> {
  const { resultKinds } = search.plan;
  if (resultKinds.repositories) {
    yield await findRepositoryResults(search);
  }
  if (resultKinds.contents || resultKinds.paths) {
    yield* findFileResults(search);
  }
  if (resultKinds.symbols) {
    yield* findSymbolResults(search);
  }
  for (const kind of ["commit", "diff"] as const) {
    if (resultKinds[kind]) {
      yield* findCommitResults(search, kind);
    }
  }
}

export interface RepositoriesSearch extends Omit<RepositorySearch, "scope"> {
  /** Called when a repository has been searched completely. */
  readonly onSearched: (repositoryName: string) => void;
}

/** Yields the results of all repositories in sequence, so that the order is reproducible. */
export async function* searchRepositories(search: RepositoriesSearch): AsyncGenerator<readonly SearchResult[]> {
  for (const scope of search.plan.scopes) {
    if (search.signal.aborted) {
      return;
    }
    yield* selectParts(searchRepository({ ...search, scope }), search.plan.query.select);
    if (!search.signal.aborted) {
      search.onSearched(scope.repository.name);
    }
  }
}
