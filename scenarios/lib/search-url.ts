import { searchPath } from "@assay/contract";

/** What a search asks for besides its query. */
export interface SearchSettings {
  /** Looks for everything: `count:all` is added to a query that has none. */
  readonly isExhaustive?: boolean;
}

const hasCount = (text: string): boolean => /(?:^|\s)count:/u.test(text);

/** Matches as chunks with so many lines around them: what makes events large. */
const largeEvents = "&cm=true&cl=10";

/** The address of a search. Source: search-stream, section 4. */
export function searchUrl(base: string, text: string, { isExhaustive = false }: SearchSettings = {}): string {
  const asked = isExhaustive && !hasCount(text) ? `${text} count:all` : text;
  return `${base}${searchPath}?q=${encodeURIComponent(asked)}&v=V3${isExhaustive ? largeEvents : ""}`;
}
