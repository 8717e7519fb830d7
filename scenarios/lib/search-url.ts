import { searchPath } from "@assay/contract";

/** Settings of a search besides its query. */
export interface SearchSettings {
  /** Adds `count:all` to a query without a count. */
  readonly isExhaustive?: boolean;
}

const hasCount = (text: string): boolean => /(?:^|\s)count:/u.test(text);

/** Chunk matches with ten lines of context, which make events large. */
const largeEvents = "&cm=true&cl=10";

/** Returns the URL of a search. Source: search-stream, section 4. */
export function searchUrl(base: string, text: string, { isExhaustive = false }: SearchSettings = {}): string {
  const query = isExhaustive && !hasCount(text) ? `${text} count:all` : text;
  return `${base}${searchPath}?q=${encodeURIComponent(query)}&v=V3${isExhaustive ? largeEvents : ""}`;
}
