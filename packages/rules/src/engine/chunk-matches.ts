import { isRecord, member } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";

const none: readonly JsonRecord[] = [];

/** Members of a content match that the document shows, as far as they hold arrays: none of them holds chunk matches. */
const documentedArrays: ReadonlySet<string> = new Set(["pathMatches", "branches", "hunks", "lineMatches"]);

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/**
 * The chunk matches of a content match: the objects in `chunkMatches`, else those of the first array under a name the
 * document does not list whose elements all have a string `context`; none for anything else. In which member they arrive
 * is left open. Called for each match of a stream, so it makes no garbage where there are none.
 * Source: search-stream, section 2.3.
 */
export function chunksOf(match: unknown): readonly JsonRecord[] {
  if (!isRecord(match)) {
    return none;
  }
  const usual = member(match, "chunkMatches");
  if (Array.isArray(usual) && usual.length > 0) {
    return usual.filter(isRecord);
  }
  for (const key in match) {
    // Asked of the first element before anything else: in most matches that is all there is to do.
    const value = match[key];
    if (Array.isArray(value) && hasContext(value[0]) && Object.hasOwn(match, key) && isChunkArray(key, value)) {
      return value.filter(isRecord);
    }
  }
  return none;
}

const isChunkArray = (key: string, value: readonly unknown[]): boolean =>
  !documentedArrays.has(key) && value.every(hasContext);

/** The text of a chunk match: `context`, else what some send as `content`; `undefined` without either as a string. */
export function chunkText(chunk: JsonRecord): string | undefined {
  const context = member(chunk, "context");
  const text = typeof context === "string" ? context : member(chunk, "content");
  return typeof text === "string" ? text : undefined;
}
