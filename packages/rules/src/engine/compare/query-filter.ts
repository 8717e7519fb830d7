/** A query split into one filter and the rest. */
export interface ExtractedFilter {
  /** The query without the filter. */
  readonly remainingQuery: string;
  /** The value of the filter as sent, or undefined if the query has no such filter. */
  readonly value: string | undefined;
}

const patterns = {
  count: { filter: /(?:^|\s+)count:(?<value>\S*)/giu, occurrence: /\bcount:/iu },
  patterntype: { filter: /(?:^|\s+)patterntype:(?<value>\S*)/giu, occurrence: /\bpatterntype:/iu },
} as const;

/** A query with these characters may contain the filter as literal text. */
const ambiguousSyntax = /["'`]|(?:^|\s)\/|[()]/u;

/**
 * Removes a filter from a query. It returns undefined if the filter is ambiguous: it occurs more than once, negated or
 * inside another word, or the query has quotes, groups or a regular expression between slashes.
 */
export function extractFilter(query: string, name: keyof typeof patterns): ExtractedFilter | undefined {
  const { filter, occurrence } = patterns[name];
  const matches = [...query.matchAll(filter)];
  const remainingQuery = query.replace(filter, "").trim();
  if (occurrence.test(remainingQuery) || matches.length > 1 || (matches.length > 0 && ambiguousSyntax.test(query))) {
    return undefined;
  }
  return { remainingQuery, value: matches[0]?.groups?.["value"] };
}

/** Reports whether the query may contain the filter, in any letter case. */
export const mentionsFilter = (query: string, name: keyof typeof patterns): boolean =>
  patterns[name].occurrence.test(query);
