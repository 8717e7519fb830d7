import { mayBeSameState, matchedLines } from "../found-file.ts";
import type { FoundFile } from "../found-file.ts";
import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Comparison } from "./define-comparison.ts";
import { compareResults } from "./result-difference.ts";
import {
  searchesInSameState,
  wasSentBetween,
  hasAnyCommit,
  hasSameCommit,
  differentStateReason,
  compareStates,
} from "./same-state.ts";
import { hasSmallDisplay, limitsLineLength, requestsChunks, omitsChunks, searchKey, maxTimesSent } from "./search.ts";
import type { Search } from "./search.ts";
import { findSharedFiles, toUsableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A file with its line matches from one search and its chunk matches from another. */
export interface FilePair {
  /** Key of the file in the results. */
  readonly key: string;
  readonly fileWithoutChunks: FoundFile;
  readonly chunkedFile: FoundFile;
}

/**
 * A search with chunk matches, the same search without them, and the files that both searches found in the same state.
 */
export interface ChunkPair {
  readonly searchWithoutChunks: UsableSearch;
  readonly chunkedSearch: UsableSearch;
  readonly files: readonly FilePair[];
  /** Set if `files` is empty because the searches saw different index states. */
  readonly notComparedReason?: string;
}

/** Reports whether a search does not request chunk matches or context lines. */
const isWithoutChunks = (search: Search): boolean => omitsChunks(search) && !search.parameters.has("cl");

/** Groups searches with complete lines in their chunk matches and the same searches without chunk matches. */
export const byChunks: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) =>
    hasSmallDisplay(search) || limitsLineLength(search)
      ? undefined
      : searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: hasBoth(requestsChunks, isWithoutChunks),
};

/**
 * A complete search without chunk matches. `isStable` is false if repeats of the search returned different results,
 * which means that the files changed.
 */
interface SearchWithoutChunks {
  readonly search: UsableSearch;
  readonly isStable: boolean;
}

/**
 * Finds a complete search among the repeats of a search without chunk matches. Prefers repeats that are known to be in
 * the same state as `chunkedSearch`.
 */
function findSearchWithoutChunks(
  chunkedSearch: UsableSearch,
  repeats: readonly UsableSearch[],
): SearchWithoutChunks | undefined {
  const sameStateRepeats = searchesInSameState(chunkedSearch, repeats);
  const candidates = sameStateRepeats.length > 0 ? sameStateRepeats : repeats;
  const search = candidates.find(({ completeness }) => completeness === "complete");
  return search === undefined
    ? undefined
    : {
        search,
        isStable: candidates.every(({ results }) => compareResults(results, search.results).difference === undefined),
      };
}

/**
 * Pairs the files that both searches found in the same state. If neither search names a commit, pairs files only if
 * `chunkedSearch` was sent between repeats of the search without chunk matches.
 */
const pairFiles = (
  searchWithoutChunks: UsableSearch,
  chunkedSearch: UsableSearch,
  wasSentBetweenRepeats: boolean,
): readonly FilePair[] =>
  findSharedFiles(searchWithoutChunks.results, chunkedSearch.results)
    .map(([fileWithoutChunks, chunkedFile, key]) => ({ key, fileWithoutChunks, chunkedFile }))
    .filter(
      (pair) =>
        (hasAnyCommit([searchWithoutChunks, chunkedSearch])
          ? hasSameCommit(pair.fileWithoutChunks, pair.chunkedFile)
          : wasSentBetweenRepeats && mayBeSameState(pair.fileWithoutChunks, pair.chunkedFile)) &&
        matchedLines(pair.fileWithoutChunks).length > 0 &&
        pair.chunkedFile.chunkTexts.length > 0 &&
        !pair.chunkedFile.lacksChunkText,
    );

/**
 * Returns the pairs of a group. Both searches must be complete, because an incomplete search may omit lines
 * legitimately.
 */
export function findChunkPairs(group: readonly ComparedSearch[]): readonly ChunkPair[] {
  const repeats = toUsableSearches(group.filter(({ search }) => isWithoutChunks(search)));
  return toUsableSearches(group.filter(({ search }) => requestsChunks(search)))
    .filter(({ completeness, results }) => completeness === "complete" && !results.lacksText)
    .flatMap((chunkedSearch) => findPairs(chunkedSearch, repeats));
}

function findPairs(chunkedSearch: UsableSearch, repeats: readonly UsableSearch[]): readonly ChunkPair[] {
  const { search: searchWithoutChunks, isStable } = findSearchWithoutChunks(chunkedSearch, repeats) ?? {};
  if (searchWithoutChunks === undefined || searchWithoutChunks.results.lacksText) {
    return [];
  }
  const files =
    isStable === true ? pairFiles(searchWithoutChunks, chunkedSearch, wasSentBetween(chunkedSearch, repeats)) : [];
  const hasStateChanged =
    isStable === false || compareStates(searchWithoutChunks.results, chunkedSearch.results) === "different";
  return [
    {
      searchWithoutChunks,
      chunkedSearch,
      files,
      ...(hasStateChanged && files.length === 0
        ? { notComparedReason: differentStateReason(maxTimesSent(repeats)) }
        : {}),
    },
  ];
}
