import { isSameState, matchedLines } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch, Comparison } from "./define-comparison.ts";
import { differenceOf } from "./found-difference.ts";
import { isBetween, isCommitTold, isKnownState } from "./same-state.ts";
import { bindsDisplay, bindsLineLength, isWithChunks, isWithoutChunks, searchKey } from "./search.ts";
import type { Search } from "./search.ts";
import { sharedFiles, usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A file as it was found with line matches and with chunk matches. */
export interface FilePair {
  readonly plain: FoundFile;
  readonly chunked: FoundFile;
}

/** A search with chunk matches, the same search without them, and the files that both found in the same state. */
export interface ChunkPair {
  readonly plain: UsableSearch;
  readonly chunked: UsableSearch;
  readonly files: readonly FilePair[];
}

/** Whether a search has nothing to do with chunk matches. */
const isPlain = (search: Search): boolean => isWithoutChunks(search) && !search.parameters.has("cl");

/** Groups searches whose chunk matches hold whole lines with the same searches without chunk matches. */
export const byChunks: Pick<Comparison, "groupOf" | "hasPair"> = {
  groupOf: (search) =>
    bindsDisplay(search) || bindsLineLength(search)
      ? undefined
      : searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  hasPair: hasBoth(isWithChunks, isPlain),
};

/** The search without chunk matches, unless its copies found different things: then the files have changed. */
function yardstickOf(group: readonly ComparedSearch[]): UsableSearch | undefined {
  const copies = usableOf(group.filter(({ search }) => isPlain(search)));
  const first = copies.find(({ standing }) => standing === "complete");
  const isSteady = copies.every(
    ({ results }) => first === undefined || differenceOf(results, first.results).clause === undefined,
  );
  return isSteady ? first : undefined;
}

const isToldBy = (search: UsableSearch): boolean => isCommitTold([search]);

/** Files that both found and that are known to be the same; where no commits are told, `isSteady` says whether they are. */
const filePairs = (plain: UsableSearch, chunked: UsableSearch, isSteady: boolean): readonly FilePair[] =>
  sharedFiles(plain.results, chunked.results)
    .map(([plain, chunked]) => ({ plain, chunked }))
    .filter(
      (pair) =>
        (isToldBy(plain) || isToldBy(chunked)
          ? isKnownState(pair.plain, pair.chunked)
          : isSteady && isSameState(pair.plain, pair.chunked)) &&
        matchedLines(pair.plain).length > 0 &&
        pair.chunked.chunks.length > 0 &&
        !pair.chunked.lacksChunkText,
    );

/** The pairs of such a group. Both searches came to their end: of others nobody knows which lines they should have found. */
export function chunkPairs(group: readonly ComparedSearch[]): readonly ChunkPair[] {
  const plain = yardstickOf(group);
  if (plain === undefined || plain.results.lacksText) {
    return [];
  }
  const copies = usableOf(group.filter(({ search }) => isPlain(search)));
  return usableOf(group.filter(({ search }) => isWithChunks(search)))
    .filter(({ standing, results }) => standing === "complete" && !results.lacksText)
    .map((chunked) => ({ plain, chunked, files: filePairs(plain, chunked, isBetween(chunked, copies)) }));
}
