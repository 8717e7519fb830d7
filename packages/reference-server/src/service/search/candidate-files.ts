import { readConjunction, isSatisfied, listShownTerms } from "../query/expression.ts";
import type { Term } from "../query/expression.ts";
import type { SearchQuery } from "../query/search-query.ts";
import { findFilesWithMatch } from "../ripgrep/search-files.ts";
import { toPattern } from "./match-terms.ts";
import type { TermMatches } from "./match-terms.ts";
import type { RepositoryScope } from "./plan-search.ts";
import type { SearchContext } from "./search-context.ts";

/** Result of the first pass over the files of a repository, before the search for matches to show. */
export interface CandidateFiles {
  /** Files that may be results, in order. */
  readonly paths: readonly string[];
  /** Whether a file is a result even without a shown match in its content. */
  readonly isPathResult: (path: string) => boolean;
}

export interface CandidateSearch extends SearchContext {
  readonly query: SearchQuery;
  readonly scope: RepositoryScope;
  readonly pathMatches: TermMatches;
}

const findPathsWithTerm = (
  { query, pool, scope, signal }: CandidateSearch,
  term: Term,
  paths: readonly string[],
): Promise<ReadonlySet<string>> =>
  findFilesWithMatch({
    patterns: [toPattern(term)],
    caseSensitive: query.caseSensitive,
    paths,
    directory: scope.repository.directory,
    signal,
    pool,
  });

/** Returns the files that contain every term in the path or content. Each term reduces the files for the next. */
const findFilesWithAll = async (search: CandidateSearch, terms: readonly Term[]): Promise<readonly string[]> => {
  let remainingPaths = search.scope.files.map(({ path }) => path);
  // With a single term the content search decides, so every file is a candidate.
  for (const term of terms.length > 1 ? terms : []) {
    const inPath = (path: string): boolean => search.pathMatches.get(term)?.has(path) === true;
    const inContents = await findPathsWithTerm(
      search,
      term,
      remainingPaths.filter((path) => !inPath(path)),
    );
    remainingPaths = remainingPaths.filter((path) => inPath(path) || inContents.has(path));
  }
  return remainingPaths;
};

/** Returns the files whose content contains each term. */
const findFilesByTerm = async (search: CandidateSearch): Promise<ReadonlyMap<Term, ReadonlySet<string>>> => {
  const paths = search.scope.files.map(({ path }) => path);
  const pathsByTerm = new Map<Term, ReadonlySet<string>>();
  for (const term of search.query.terms) {
    pathsByTerm.set(term, await findPathsWithTerm(search, term, paths));
  }
  return pathsByTerm;
};

/** Candidates when only paths are searched. */
export const selectCandidatesByPath = ({ pathMatches, query, scope }: CandidateSearch): CandidateFiles => ({
  paths: scope.files.map(({ path }) => path),
  isPathResult: (path) => isSatisfied(query.expression, (term) => pathMatches.get(term)?.has(path) === true),
});

/**
 * Returns the candidates if paths and contents are searched. A file is a path result only if its path contains a shown term, because
 * otherwise the content shows the term. A term under `not` applies to both.
 */
export const findCandidates = async (search: CandidateSearch): Promise<CandidateFiles> => {
  const { pathMatches, query, scope } = search;
  const terms = readConjunction(query.expression);
  if (terms !== undefined) {
    return { paths: await findFilesWithAll(search, terms), isPathResult: selectCandidatesByPath(search).isPathResult };
  }
  const pathsByTerm = await findFilesByTerm(search);
  const termsToFind = new Set(listShownTerms(query.expression));
  const inPath = (term: Term, path: string): boolean => pathMatches.get(term)?.has(path) === true;
  const inContent = (term: Term, path: string): boolean => pathsByTerm.get(term)?.has(path) === true;
  return {
    paths: scope.files
      .map(({ path }) => path)
      .filter((path) => isSatisfied(query.expression, (term) => inPath(term, path) || inContent(term, path))),
    isPathResult: (path) =>
      isSatisfied(query.expression, (term) => inPath(term, path) || (!termsToFind.has(term) && inContent(term, path))),
  };
};
