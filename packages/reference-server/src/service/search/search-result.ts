import type { CommitText } from "../commits/commit-text.ts";
import type { LoggedCommit } from "../commits/git-log.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import type { ByteSpan, HitLine } from "../ripgrep/file-hits.ts";
import type { FoundSymbol } from "../symbols/find-symbols.ts";

/** A result before it is encoded. */
export type SearchResult =
  | {
      readonly kind: "content";
      readonly repository: Repository;
      readonly file: TrackedFile;
      readonly pathSpans: readonly ByteSpan[];
      readonly lines: readonly HitLine[];
      /** Whether matches of the file were dropped. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: "path";
      readonly repository: Repository;
      readonly file: TrackedFile;
      readonly pathSpans: readonly ByteSpan[];
    }
  | {
      readonly kind: "symbol";
      readonly repository: Repository;
      readonly file: TrackedFile;
      readonly symbols: readonly FoundSymbol[];
      /** Whether the file was searched only in part. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: "commit" | "diff";
      readonly repository: Repository;
      readonly commit: LoggedCommit;
      readonly text: CommitText;
    }
  | { readonly kind: "repo"; readonly repository: Repository; readonly nameSpans: readonly ByteSpan[] };

/** Returns the number of items of a result for limits and `matchCount`: highlights or symbols, at least one. */
export const itemCount = (result: SearchResult): number => {
  switch (result.kind) {
    case "content":
      return result.lines.reduce((sum, { spans }) => sum + spans.length, 0);
    case "symbol":
      return result.symbols.length;
    case "commit":
    case "diff":
      return Math.max(1, result.text.ranges.length);
    case "path":
    case "repo":
      return 1;
  }
};

/** Returns the first lines with `maxItems` highlights, and the context lines after the last one. */
const takeLines = (lines: readonly HitLine[], maxItems: number, linesAfter: number): readonly HitLine[] => {
  const keptLines: HitLine[] = [];
  let remainingItems = maxItems;
  let lastNumber = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.lineNumber > lastNumber) {
      break;
    }
    const spans = line.spans.slice(0, remainingItems);
    remainingItems -= spans.length;
    keptLines.push({ ...line, spans });
    if (remainingItems === 0 && spans.length > 0) {
      lastNumber = line.lineNumber + linesAfter;
    }
  }
  return keptLines;
};

/** Cuts a result to its first items, with context lines after the last one. Returns undefined if no item is left. */
export const takeItems = (result: SearchResult, maxItems: number, linesAfter: number): SearchResult | undefined => {
  if (maxItems <= 0) {
    return undefined;
  }
  if (itemCount(result) <= maxItems) {
    return result;
  }
  switch (result.kind) {
    case "content":
      return { ...result, lines: takeLines(result.lines, maxItems, linesAfter) };
    case "symbol":
      return { ...result, symbols: result.symbols.slice(0, maxItems) };
    case "commit":
    case "diff":
      return { ...result, text: { ...result.text, ranges: result.text.ranges.slice(0, maxItems) } };
    case "path":
    case "repo":
      return result;
  }
};
