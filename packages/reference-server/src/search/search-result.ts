import type { Repository, TrackedFile } from "../repositories/repository.ts";
import type { ByteSpan, HitLine } from "../ripgrep/file-hits.ts";

/** One result before it is written in the form of the wire. */
export type SearchResult =
  | {
      readonly kind: "content";
      readonly repository: Repository;
      readonly file: TrackedFile;
      readonly pathSpans: readonly ByteSpan[];
      readonly lines: readonly HitLine[];
    }
  | {
      readonly kind: "path";
      readonly repository: Repository;
      readonly file: TrackedFile;
      readonly pathSpans: readonly ByteSpan[];
    }
  | { readonly kind: "repo"; readonly repository: Repository; readonly nameSpans: readonly ByteSpan[] };

/** What counts against limits and into `matchCount`: each highlight of a content result, one for any other. */
export const itemCount = (result: SearchResult): number =>
  result.kind === "content" ? result.lines.reduce((sum, { spans }) => sum + spans.length, 0) : 1;

/**
 * A result cut down to its first items; `undefined` when nothing is left. Lines after the last kept highlight go, too.
 */
export const firstItems = (result: SearchResult, most: number): SearchResult | undefined => {
  if (most <= 0) {
    return undefined;
  }
  if (itemCount(result) <= most || result.kind !== "content") {
    return result;
  }
  const lines: HitLine[] = [];
  let left = most;
  for (const line of result.lines) {
    if (left === 0) {
      break;
    }
    const spans = line.spans.slice(0, left);
    left -= spans.length;
    lines.push({ ...line, spans });
  }
  return { ...result, lines };
};
