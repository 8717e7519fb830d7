import { listShownTerms } from "../query/expression.ts";
import type { TrackedFile } from "../repositories/repository.ts";
import type { FileHits } from "../ripgrep/file-hits.ts";
import { searchFiles } from "../ripgrep/search-files.ts";
import type { SearchedPart } from "../ripgrep/search-files.ts";
import { findCandidates, selectCandidatesByPath } from "./candidate-files.ts";
import { matchTerms, findSpansInName, toPattern } from "./match-terms.ts";
import type { RepositorySearch } from "./repository-search.ts";
import type { SearchResult } from "./search-result.ts";

interface PathMergeOptions {
  /** All paths in result order. */
  readonly paths: readonly string[];
  /** Returns the result of a file whose path alone matches, or undefined. */
  readonly pathResult: (path: string) => SearchResult | undefined;
  readonly contentResult: (hits: FileHits) => SearchResult;
}

/** Merges content and path results in path order while the content search runs. */
interface PathMerge {
  add(part: SearchedPart): readonly SearchResult[];
  /** Returns path results of the remaining files after the search. */
  finish(): readonly SearchResult[];
}

/** Creates a merge for one repository. Parts must be added in path order. */
const mergeByPath = ({ paths, pathResult, contentResult }: PathMergeOptions): PathMerge => {
  const positions = new Map(paths.map((path, position) => [path, position]));
  let next = 0;
  const pathResultsBefore = (end: number): readonly SearchResult[] => {
    const skippedPaths = paths.slice(next, end);
    next = Math.max(next, end);
    return skippedPaths.map(pathResult).filter((result) => result !== undefined);
  };
  const contentAfterPaths = (hits: FileHits): readonly SearchResult[] => {
    const position = positions.get(hits.path) ?? next;
    const before = pathResultsBefore(position);
    next = position + 1;
    return [...before, contentResult(hits)];
  };
  return {
    add: ({ hits, finishedPaths }) => {
      const last = finishedPaths?.at(-1);
      const end = last === undefined ? next : (positions.get(last) ?? -1) + 1;
      return [...hits.flatMap(contentAfterPaths), ...pathResultsBefore(end)];
    },
    finish: () => pathResultsBefore(paths.length),
  };
};

/** Maximum number of highlights kept for one file, regardless of the requested number of results. */
const maxHitsPerFile = 10_000;

/** Yields content and path results in path order while the content search runs. */
export async function* findFileResults(search: RepositorySearch): AsyncGenerator<readonly SearchResult[]> {
  const { context, limit, plan, pool, scope, signal } = search;
  const { repository, files } = scope;
  const { caseSensitive, expression, terms } = plan.query;
  const paths = files.map(({ path }) => path);
  const filesByPath = new Map<string, TrackedFile>(files.map((file) => [file.path, file]));
  const pathMatches = await matchTerms({ terms, names: paths, caseSensitive, pool, signal });
  const shownTerms = listShownTerms(expression);
  const candidateSearch = { query: plan.query, scope, pathMatches, pool, signal };
  const candidates = plan.resultKinds.contents
    ? await findCandidates(candidateSearch)
    : selectCandidatesByPath(candidateSearch);
  const createPathResult = (path: string): Extract<SearchResult, { kind: "path" }> => ({
    kind: "path",
    repository,
    file: filesByPath.get(path) ?? { path },
    pathSpans: findSpansInName(path, pathMatches, shownTerms),
  });
  const merge = mergeByPath({
    paths,
    pathResult: (path) =>
      plan.resultKinds.paths && candidates.isPathResult(path) ? createPathResult(path) : undefined,
    contentResult: ({ isCut, lines, path }: FileHits) => ({
      ...createPathResult(path),
      kind: "content",
      lines,
      ...(isCut === true ? { isCut } : {}),
    }),
  });
  if (plan.resultKinds.contents && shownTerms.length > 0) {
    const parts = searchFiles({
      patterns: shownTerms.map(toPattern),
      caseSensitive,
      paths: candidates.paths,
      directory: repository.directory,
      context,
      maxHitsPerFile: Math.min(limit, maxHitsPerFile),
      signal,
      pool,
    });
    for await (const part of parts) {
      yield merge.add(part);
    }
  }
  if (!signal.aborted) {
    yield merge.finish();
  }
}
