import { isSameState, matchedLines } from "../../engine/found-file.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Comparison } from "./define-comparison.ts";
import { differenceOf } from "./found-difference.ts";
import { inStateOf, isBetween, isCommitTold, isKnownState, otherStateIn, stateOf } from "./same-state.ts";
import { bindsDisplay, bindsLineLength, isWithChunks, isWithoutChunks, searchKey, timesSent } from "./search.ts";
import type { Search } from "./search.ts";
import { sharedFiles, usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A file as it was found with line matches and with chunk matches. */
export interface FilePair {
  /** Its key among the files of a search. */
  readonly key: string;
  readonly plain: FoundFile;
  readonly chunked: FoundFile;
}

/** A search with chunk matches, the same search without them, and the files that both found in the same state. */
export interface ChunkPair {
  readonly plain: UsableSearch;
  readonly chunked: UsableSearch;
  readonly files: readonly FilePair[];
  /** Why there are none, where another state of the index is the reason. */
  readonly why?: string;
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

/** A search without chunk matches that came to its end, and whether its copies found the same: else the files have changed. */
interface PlainSearch {
  readonly search: UsableSearch;
  readonly isSteady: boolean;
}

/** Copies that tell the state that `chunked` met are enough, if there are any. */
function plainSearch(chunked: UsableSearch, copies: readonly UsableSearch[]): PlainSearch | undefined {
  const known = inStateOf(chunked, copies);
  const asked = known.length > 0 ? known : copies;
  const search = asked.find(({ standing }) => standing === "complete");
  return search === undefined
    ? undefined
    : {
        search,
        isSteady: asked.every(({ results }) => differenceOf(results, search.results).clause === undefined),
      };
}

const isToldBy = (search: UsableSearch): boolean => isCommitTold([search]);

/** Files that both found and that are known to be the same; where no commits are told, `isSteady` says whether they are. */
const filePairs = (plain: UsableSearch, chunked: UsableSearch, isSteady: boolean): readonly FilePair[] =>
  sharedFiles(plain.results, chunked.results)
    .map(([plain, chunked, key]) => ({ key, plain, chunked }))
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
  const copies = usableOf(group.filter(({ search }) => isPlain(search)));
  return usableOf(group.filter(({ search }) => isWithChunks(search)))
    .filter(({ standing, results }) => standing === "complete" && !results.lacksText)
    .flatMap((chunked) => pairWith(chunked, copies));
}

function pairWith(chunked: UsableSearch, copies: readonly UsableSearch[]): readonly ChunkPair[] {
  const { search: plain, isSteady } = plainSearch(chunked, copies) ?? {};
  if (plain === undefined || plain.results.lacksText) {
    return [];
  }
  const files = isSteady === true ? filePairs(plain, chunked, isBetween(chunked, copies)) : [];
  const isMoved = isSteady === false || stateOf(plain.results, chunked.results) === "other";
  const why = isMoved && files.length === 0 ? { why: otherStateIn(timesSent(copies)) } : {};
  return [{ plain, chunked, files, ...why }];
}
