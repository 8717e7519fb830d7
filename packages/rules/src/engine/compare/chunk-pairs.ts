import { mayBeSameState, matchedLines } from "../found-file.ts";
import type { FoundFile } from "../found-file.ts";
import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Comparison } from "./define-comparison.ts";
import { compareResults } from "./result-difference.ts";
import {
  withSameState,
  wasSentBetween,
  haveCommits,
  hasSameCommit,
  differentStateReason,
  compareStates,
} from "./same-state.ts";
import { limitsDisplay, limitsLineLength, requestsChunks, omitsChunks, searchKey, maxTimesSent } from "./search.ts";
import type { Search } from "./search.ts";
import { sharedFiles, usableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A file with its line matches from one search and its chunk matches from another. */
export interface FilePair {
  /** Key of the file in the results. */
  readonly key: string;
  readonly plain: FoundFile;
  readonly chunked: FoundFile;
}

/** A search with chunk matches, the same search without them, and the files that both found in the same state. */
export interface ChunkPair {
  readonly plain: UsableSearch;
  readonly chunked: UsableSearch;
  readonly files: readonly FilePair[];
  /** The reason there are no files, if it is the state of the index. */
  readonly reason?: string;
}

/** Reports whether a search requests no chunk matches. */
const isPlain = (search: Search): boolean => omitsChunks(search) && !search.parameters.has("cl");

/** Groups searches whose chunk matches contain complete lines with the same searches without chunk matches. */
export const byChunks: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) =>
    limitsDisplay(search) || limitsLineLength(search)
      ? undefined
      : searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: hasBoth(requestsChunks, isPlain),
};

/**
 * A complete search without chunk matches, and whether its copies returned the same results. If they did not, the files have
 * changed.
 */
interface PlainSearch {
  readonly search: UsableSearch;
  readonly isStable: boolean;
}

/** Uses only copies in the same state as `chunked`, if there are any. */
function findPlainSearch(chunked: UsableSearch, copies: readonly UsableSearch[]): PlainSearch | undefined {
  const sameStateCopies = withSameState(chunked, copies);
  const candidates = sameStateCopies.length > 0 ? sameStateCopies : copies;
  const search = candidates.find(({ completeness }) => completeness === "complete");
  return search === undefined
    ? undefined
    : {
        search,
        isStable: candidates.every(({ results }) => compareResults(results, search.results).clause === undefined),
      };
}

const namesCommit = (search: UsableSearch): boolean => haveCommits([search]);

/** Pairs the files that both found in the same state. Without commits, `isSteady` determines whether they are the same. */
const pairFiles = (plain: UsableSearch, chunked: UsableSearch, isStable: boolean): readonly FilePair[] =>
  sharedFiles(plain.results, chunked.results)
    .map(([plain, chunked, key]) => ({ key, plain, chunked }))
    .filter(
      (pair) =>
        (namesCommit(plain) || namesCommit(chunked)
          ? hasSameCommit(pair.plain, pair.chunked)
          : isStable && mayBeSameState(pair.plain, pair.chunked)) &&
        matchedLines(pair.plain).length > 0 &&
        pair.chunked.chunkTexts.length > 0 &&
        !pair.chunked.lacksChunkText,
    );

/**
 * Returns the pairs of a group. Both searches must be complete, because otherwise it is unknown which lines they should
 * have found.
 */
export function chunkPairs(group: readonly ComparedSearch[]): readonly ChunkPair[] {
  const copies = usableSearches(group.filter(({ search }) => isPlain(search)));
  return usableSearches(group.filter(({ search }) => requestsChunks(search)))
    .filter(({ completeness, results }) => completeness === "complete" && !results.lacksText)
    .flatMap((chunked) => pairWithPlain(chunked, copies));
}

function pairWithPlain(chunked: UsableSearch, copies: readonly UsableSearch[]): readonly ChunkPair[] {
  const { search: plain, isStable } = findPlainSearch(chunked, copies) ?? {};
  if (plain === undefined || plain.results.lacksText) {
    return [];
  }
  const files = isStable === true ? pairFiles(plain, chunked, wasSentBetween(chunked, copies)) : [];
  const hasStateChanged = isStable === false || compareStates(plain.results, chunked.results) === "other";
  const reason = hasStateChanged && files.length === 0 ? { reason: differentStateReason(maxTimesSent(copies)) } : {};
  return [{ plain, chunked, files, ...reason }];
}
