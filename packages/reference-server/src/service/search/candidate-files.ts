import { conjunction, holds, wantedTerms } from "../query/expression.ts";
import type { Term } from "../query/expression.ts";
import type { SearchQuery } from "../query/search-query.ts";
import { filesWithMatch } from "../ripgrep/search-files.ts";
import { termPattern } from "./match-terms.ts";
import type { TermFinds } from "./match-terms.ts";
import type { RepositoryScope } from "./plan-search.ts";
import type { SearchSurroundings } from "./search-surroundings.ts";

/** What is known of the files of one repository before their contents are searched for what is shown. */
export interface CandidateFiles {
  /** Files that may be results, in order. */
  readonly paths: readonly string[];
  /** Whether a file is a result even if nothing that is wanted is found in its content. */
  readonly isPathResult: (path: string) => boolean;
}

export interface CandidateSearch extends SearchSurroundings {
  readonly query: SearchQuery;
  readonly scope: RepositoryScope;
  readonly inPaths: TermFinds;
}

const pathsWithTerm = (
  { query, pool, scope, signal }: CandidateSearch,
  term: Term,
  paths: readonly string[],
): Promise<ReadonlySet<string>> =>
  filesWithMatch({
    patterns: [termPattern(term)],
    caseSensitive: query.caseSensitive,
    paths,
    directory: scope.repository.directory,
    signal,
    pool,
  });

/** Files that have every term somewhere, in the path or in the content; each term leaves fewer files to the next. */
const filesWithAll = async (search: CandidateSearch, terms: readonly Term[]): Promise<readonly string[]> => {
  let left = search.scope.files.map(({ path }) => path);
  // With one term the search of contents itself decides, so every file is a candidate.
  for (const term of terms.length > 1 ? terms : []) {
    const inPath = (path: string): boolean => search.inPaths.get(term)?.has(path) === true;
    const inContents = await pathsWithTerm(
      search,
      term,
      left.filter((path) => !inPath(path)),
    );
    left = left.filter((path) => inPath(path) || inContents.has(path));
  }
  return left;
};

/** For each term, the files that have it in their content. */
const filesByTerm = async (search: CandidateSearch): Promise<ReadonlyMap<Term, ReadonlySet<string>>> => {
  const paths = search.scope.files.map(({ path }) => path);
  const found = new Map<Term, ReadonlySet<string>>();
  for (const term of search.query.terms) {
    found.set(term, await pathsWithTerm(search, term, paths));
  }
  return found;
};

/** Which files can be results when only their paths count. */
export const candidatesByPath = ({ inPaths, query, scope }: CandidateSearch): CandidateFiles => ({
  paths: scope.files.map(({ path }) => path),
  isPathResult: (path) => holds(query.expression, (term) => inPaths.get(term)?.has(path) === true),
});

/**
 * Which files can be results when paths and contents count. A term that is wanted makes a path result only when the path
 * has it, because otherwise the content shows it; one under `not` counts wherever it is found.
 */
export const candidateFiles = async (search: CandidateSearch): Promise<CandidateFiles> => {
  const { inPaths, query, scope } = search;
  const terms = conjunction(query.expression);
  if (terms !== undefined) {
    return { paths: await filesWithAll(search, terms), isPathResult: candidatesByPath(search).isPathResult };
  }
  const inContents = await filesByTerm(search);
  const wanted = new Set(wantedTerms(query.expression));
  const inPath = (term: Term, path: string): boolean => inPaths.get(term)?.has(path) === true;
  const inContent = (term: Term, path: string): boolean => inContents.get(term)?.has(path) === true;
  return {
    paths: scope.files
      .map(({ path }) => path)
      .filter((path) => holds(query.expression, (term) => inPath(term, path) || inContent(term, path))),
    isPathResult: (path) =>
      holds(query.expression, (term) => inPath(term, path) || (!wanted.has(term) && inContent(term, path))),
  };
};
