/** A query split into one of its filters and the rest. */
export interface TakenFilter {
  /** The query without the filter. */
  readonly rest: string;
  /** As sent; undefined if the query has no such filter. */
  readonly value: string | undefined;
}

const patterns = {
  count: { filter: /(?:^|\s+)count:(?<value>\S*)/giu, remains: /\bcount:/iu },
  patterntype: { filter: /(?:^|\s+)patterntype:(?<value>\S*)/giu, remains: /\bpatterntype:/iu },
} as const;

/** With these characters, an apparent filter may be searched text. */
const quotes = /["'`]|(?:^|\s)\/|[()]/u;

/**
 * Removes a filter from a query. Undefined if that is ambiguous: the filter occurs more than once, negated or inside
 * another word, or the query has quotes, groups or a regular expression between slashes that may contain it.
 */
export function takeFilter(query: string, name: keyof typeof patterns): TakenFilter | undefined {
  const { filter, remains } = patterns[name];
  const found = [...query.matchAll(filter)];
  const rest = query.replace(filter, "").trim();
  if (remains.test(rest) || found.length > 1 || (found.length > 0 && quotes.test(query))) {
    return undefined;
  }
  return { rest, value: found[0]?.groups?.["value"] };
}

/** Reports whether a query may have the filter, in any spelling. */
export const mentionsFilter = (query: string, name: keyof typeof patterns): boolean =>
  patterns[name].remains.test(query);
