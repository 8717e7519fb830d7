import { type FileHits } from "../ripgrep/file-hits.ts";
import { filesWithMatch, searchFiles } from "../ripgrep/search-files.ts";
import { matchTerms, spansInName, termPattern } from "./match-terms.ts";
import { mergeByPath } from "./merge-by-path.ts";
import type { RepositoryScope, SearchPlan } from "./plan-search.ts";
import type { SearchResult } from "./search-result.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";

interface RepositorySearch extends SearchSurroundings {
  readonly plan: SearchPlan;
  readonly scope: RepositoryScope;
  readonly contextLines: number;
  /** Number of results after which nobody listens any more. */
  readonly limit: number;
}

type FoundInPaths = Awaited<ReturnType<typeof matchTerms>>;

/**
 * Files that have every term somewhere, in the path or in the content. With one term the search of contents itself
 * decides, so every file is a candidate.
 */
const candidates = async (search: RepositorySearch, inPaths: FoundInPaths): Promise<readonly string[]> => {
  const { plan, scope, signal, pool } = search;
  const { terms, caseSensitive } = plan.query;
  let left = scope.files.map(({ path }) => path);
  for (const [index, term] of terms.length > 1 ? terms.entries() : []) {
    const inContents = await filesWithMatch({
      patterns: [termPattern(term)],
      caseSensitive,
      paths: left.filter((path) => inPaths[index]?.has(path) !== true),
      directory: scope.repository.directory,
      signal,
      pool,
    });
    left = left.filter((path) => inPaths[index]?.has(path) === true || inContents.has(path));
  }
  return left;
};

async function* fileResults(search: RepositorySearch): AsyncGenerator<readonly SearchResult[]> {
  const { contextLines, limit, plan, pool, scope, signal } = search;
  const { repository, files } = scope;
  const { caseSensitive, terms } = plan.query;
  const paths = files.map(({ path }) => path);
  const fileOf = new Map(files.map((file) => [file.path, file]));
  const inPaths = await matchTerms({ terms, names: paths, caseSensitive, pool, signal });
  const fileResult = (path: string): Extract<SearchResult, { kind: "path" }> => ({
    kind: "path",
    repository,
    file: fileOf.get(path) ?? { path },
    pathSpans: spansInName(path, inPaths),
  });
  const merge = mergeByPath({
    paths,
    pathResult: (path) =>
      plan.wanted.paths && inPaths.every((found) => found.has(path)) ? fileResult(path) : undefined,
    contentResult: ({ path, lines }: FileHits) => ({ ...fileResult(path), kind: "content", lines }),
  });
  if (plan.wanted.contents && terms.length > 0) {
    const parts = searchFiles({
      patterns: terms.map(termPattern),
      caseSensitive,
      paths: await candidates(search, inPaths),
      directory: repository.directory,
      contextLines,
      mostHitsPerFile: limit,
      signal,
      pool,
    });
    for await (const part of parts) {
      yield merge.take(part);
    }
  }
  if (!signal.aborted) {
    yield merge.rest();
  }
}

const repositoryResults = async (search: RepositorySearch): Promise<readonly SearchResult[]> => {
  const { plan, pool, scope, signal } = search;
  const { caseSensitive, terms } = plan.query;
  const { name } = scope.repository;
  const inName = await matchTerms({ terms, names: [name], caseSensitive, pool, signal });
  return inName.every((found) => found.has(name))
    ? [{ kind: "repo", repository: scope.repository, nameSpans: spansInName(name, inName) }]
    : [];
};

/** The results of one repository in groups as they are found: the repository itself, then files in the order of paths. */
async function* searchRepository(search: RepositorySearch): AsyncGenerator<readonly SearchResult[]> {
  const { contents, paths, repositories } = search.plan.wanted;
  if (repositories) {
    yield await repositoryResults(search);
  }
  if (contents || paths) {
    yield* fileResults(search);
  }
}

export interface RepositoriesSearch extends Omit<RepositorySearch, "scope"> {
  /** Told when a repository was searched to its end. */
  readonly onSearched: (repositoryName: string) => void;
}

/** The results of all repositories of a plan, one repository after the other, so that the order repeats. */
export async function* searchRepositories(search: RepositoriesSearch): AsyncGenerator<readonly SearchResult[]> {
  for (const scope of search.plan.scopes) {
    if (search.signal.aborted) {
      return;
    }
    yield* searchRepository({ ...search, scope });
    if (!search.signal.aborted) {
      search.onSearched(scope.repository.name);
    }
  }
}
