import type { StreamEvent } from "@assay/stream-grammar";
import type { JsonRecord } from "@assay/reading";
import type { EventPosition } from "../event-position.ts";

/**
 * One element of a `matches` event, read once for all rules. Members that the target did not send, or sent in another type, are undefined
 * or counted as 0; `value` shows them as sent. Valid only while its event is handled: rules keep what they need, never the match.
 */
export interface Match {
  readonly event: StreamEvent;
  /** Index in its event. */
  readonly index: number;
  /** The element as sent. Parsed on first use, which is slow: for reports, and for values that no other member contains. */
  readonly value: unknown;
  readonly isObject: boolean;
  readonly type: string | undefined;
  readonly repository: string | undefined;
  /** Whether an earlier match of the stream is known to have the same repository. */
  readonly isOfKnownRepository: boolean;
  readonly path: string | undefined;
  readonly commit: string | undefined;
  readonly language: string | undefined;
  readonly repoLastFetched: string | undefined;
  /** Whether an earlier match of the stream is known to have the same `repoLastFetched`. */
  readonly hasKnownFetchTime: boolean;
  /** Number of the file of a content match in its stream; see `FileIndex`. */
  readonly fileNumber: number | undefined;
  /** Whether it is the first match of its file. */
  readonly isFirstOfFile: boolean;
  /** Whether a content match fits its schema. */
  readonly fitsSchema: boolean;
  readonly branchCount: number;
  readonly hunkCount: number;
  /** Whether there is a member `lineMatches`, of any type. */
  readonly hasLineMatches: boolean;
  readonly lines: MatchLines;
  readonly pathRanges: PathRanges;
  /** Whether `chunkMatches` is an array. */
  readonly hasListedChunks: boolean;
  /** Number of chunk matches, under any name; see `findChunks`. */
  readonly chunkCount: number;
  /** The chunk matches themselves, as sent. */
  readonly chunks: readonly JsonRecord[];
  /** Whether every chunk match has a string `context`. */
  readonly hasContexts: boolean;
  /** The highlighted ranges of all lines and chunk matches. */
  readonly marks: { readonly total: number; readonly areEverywhere: boolean };
  /** The position of a value in the match, by its JSON pointer. Default: the match. */
  position(pointer?: string): EventPosition;
}

/** The entries of `lineMatches`, by index. A member of another type is undefined. */
export interface MatchLines {
  readonly count: number;
  number(line: number): number | undefined;
  text(line: number): string | undefined;
  /** Whether `offsetAndLengths` is an array. */
  hasPairs(line: number): boolean;
  pairCount(line: number): number;
  /** Offset and length of a highlighted range. Undefined unless it is a pair of integers. */
  pair(line: number, pair: number): readonly [offset: number, length: number] | undefined;
}

/** The entries of `pathMatches` of a content match, by index. */
export interface PathRanges {
  readonly count: number;
  /** The offsets at which a range starts and ends. Undefined unless both are integers. */
  offsets(range: number): readonly [start: number, end: number] | undefined;
}

/** The elements of a `matches` event. */
export interface MatchList {
  readonly length: number;
  /** Returns an element. The previous one may change. */
  at(index: number): Match;
}
