import type { SearchedPart } from "../ripgrep/search-files.ts";
import type { FileHits } from "../ripgrep/file-hits.ts";
import type { SearchResult } from "./search-result.ts";

export interface PathMergeOptions {
  /** All paths, in the order of results. */
  readonly paths: readonly string[];
  /** The result of a file by its path alone, if it is one. */
  readonly pathResult: (path: string) => SearchResult | undefined;
  readonly contentResult: (hits: FileHits) => SearchResult;
}

/** Puts content results and path results into one order of paths while the contents are still being searched. */
export interface PathMerge {
  take(part: SearchedPart): readonly SearchResult[];
  /** Path results of the files that are left, once everything has been searched. */
  rest(): readonly SearchResult[];
}

/** A merge for one repository. Parts must come in the order of the paths. */
export const mergeByPath = ({ paths, pathResult, contentResult }: PathMergeOptions): PathMerge => {
  const positions = new Map(paths.map((path, position) => [path, position]));
  let next = 0;
  const pathResultsBefore = (end: number): readonly SearchResult[] => {
    const passed = paths.slice(next, end);
    next = Math.max(next, end);
    return passed.map(pathResult).filter((result) => result !== undefined);
  };
  const contentAfterPaths = (hits: FileHits): readonly SearchResult[] => {
    const position = positions.get(hits.path) ?? next;
    const before = pathResultsBefore(position);
    next = position + 1;
    return [...before, contentResult(hits)];
  };
  return {
    take: ({ hits, finishedPaths }) => {
      const last = finishedPaths?.at(-1);
      const end = last === undefined ? next : (positions.get(last) ?? -1) + 1;
      return [...hits.flatMap(contentAfterPaths), ...pathResultsBefore(end)];
    },
    rest: () => pathResultsBefore(paths.length),
  };
};
