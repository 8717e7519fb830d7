import { isSameState, matchedLines } from "../found-file.ts";
import type { FoundFile } from "../found-file.ts";
import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Comparison } from "./define-comparison.ts";
import { compareResults } from "./found-difference.ts";
import {
  withSameState,
  isBetween,
  hasCommits,
  hasSameCommit,
  differentStateReason,
  compareStates,
} from "./same-state.ts";
import { limitsDisplay, limitsLineLength, isWithChunks, isWithoutChunks, searchKey, timesSent } from "./search.ts";
import type { Search } from "./search.ts";
import { sharedFiles, usableCopies } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

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
  /** The reason why there are no files, if it is the state of the index. */
  readonly reason?: string;
}

/** Reports whether a search requests no chunk matches. */
const isPlain = (search: Search): boolean => isWithoutChunks(search) && !search.parameters.has("cl");

/** Groups searches whose chunk matches contain complete lines with the same searches without chunk matches. */
export const byChunks: Pick<Comparison, "groupOf" | "hasPair"> = {
  groupOf: (search) =>
    limitsDisplay(search) || limitsLineLength(search)
      ? undefined
      : searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: hasBoth(isWithChunks, isPlain),
};

/**
 * A complete search without chunk matches, and whether its copies returned the same results. If they did not, the files have
 * changed.
 */
interface PlainSearch {
  readonly search: UsableSearch;
  readonly isSteady: boolean;
}

/** Uses only copies in the same state as `chunked`, if there are any. */
function plainSearch(chunked: UsableSearch, copies: readonly UsableSearch[]): PlainSearch | undefined {
  const known = withSameState(chunked, copies);
  const candidates = known.length > 0 ? known : copies;
  const search = candidates.find(({ standing }) => standing === "complete");
  return search === undefined
    ? undefined
    : {
        search,
        isSteady: candidates.every(({ results }) => compareResults(results, search.results).clause === undefined),
      };
}

const namesCommits = (search: UsableSearch): boolean => hasCommits([search]);

/** The files that both found in the same state. Without commits, `isSteady` determines whether they are the same. */
const filePairs = (plain: UsableSearch, chunked: UsableSearch, isSteady: boolean): readonly FilePair[] =>
  sharedFiles(plain.results, chunked.results)
    .map(([plain, chunked, key]) => ({ key, plain, chunked }))
    .filter(
      (pair) =>
        (namesCommits(plain) || namesCommits(chunked)
          ? hasSameCommit(pair.plain, pair.chunked)
          : isSteady && isSameState(pair.plain, pair.chunked)) &&
        matchedLines(pair.plain).length > 0 &&
        pair.chunked.chunks.length > 0 &&
        !pair.chunked.lacksChunkText,
    );

/**
 * The pairs of a group. Both searches must be complete. Otherwise it is unknown which lines they should have
 * found.
 */
export function chunkPairs(group: readonly ComparedSearch[]): readonly ChunkPair[] {
  const copies = usableCopies(group.filter(({ search }) => isPlain(search)));
  return usableCopies(group.filter(({ search }) => isWithChunks(search)))
    .filter(({ standing, results }) => standing === "complete" && !results.lacksText)
    .flatMap((chunked) => pairWith(chunked, copies));
}

function pairWith(chunked: UsableSearch, copies: readonly UsableSearch[]): readonly ChunkPair[] {
  const { search: plain, isSteady } = plainSearch(chunked, copies) ?? {};
  if (plain === undefined || plain.results.lacksText) {
    return [];
  }
  const files = isSteady === true ? filePairs(plain, chunked, isBetween(chunked, copies)) : [];
  const isMoved = isSteady === false || compareStates(plain.results, chunked.results) === "other";
  const reason = isMoved && files.length === 0 ? { reason: differentStateReason(timesSent(copies)) } : {};
  return [{ plain, chunked, files, ...reason }];
}
