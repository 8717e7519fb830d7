import { isRecord, member } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";

const noChunks: readonly JsonRecord[] = [];

/** Documented members of a content match that are arrays. None of them contains chunk matches. */
const documentedArrays: ReadonlySet<string> = new Set(["pathMatches", "branches", "hunks", "lineMatches"]);

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/**
 * Returns the chunk matches of a content match: the objects in `chunkMatches`, or otherwise the objects in the first
 * array under an unlisted name whose elements all have a string `context`. It returns none for anything else. The
 * specification does not name the member. Called for each match of a stream, so it allocates nothing if there are none.
 * Source: search-stream, section 2.3.
 */
export function findChunks(match: unknown): readonly JsonRecord[] {
  if (!isRecord(match)) {
    return noChunks;
  }
  const chunkMatches = member(match, "chunkMatches");
  if (Array.isArray(chunkMatches) && chunkMatches.length > 0) {
    return chunkMatches.filter(isRecord);
  }
  for (const key in match) {
    // The first element is checked first, because that is sufficient for most matches.
    const value = match[key];
    if (Array.isArray(value) && hasContext(value[0]) && Object.hasOwn(match, key) && isChunkArray(key, value)) {
      return value.filter(isRecord);
    }
  }
  return noChunks;
}

const isChunkArray = (key: string, value: readonly unknown[]): boolean =>
  !documentedArrays.has(key) && value.every(hasContext);

/**
 * Returns the text of a chunk match: `context`, or otherwise `content`, which some targets send. It returns undefined
 * if neither is a string.
 */
export function chunkText(chunk: JsonRecord): string | undefined {
  const context = member(chunk, "context");
  const text = typeof context === "string" ? context : member(chunk, "content");
  return typeof text === "string" ? text : undefined;
}
