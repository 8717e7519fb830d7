import { literalWordInQuery } from "../literal-word.ts";
import { requestsAll, parseCountedSearch } from "./count-limit.ts";
import type { ResultPreservingParameter } from "./emptied-results.ts";
import { patternTypeFilter, usesTypeParameter, usesDefaultType, queryPatternType } from "./pattern-type-selection.ts";
import { displayLimit, requestsChunks, omitsChunks, searchKey, sentPatternType, sentVersion } from "./search.ts";
import type { Search } from "./search.ts";

// None of these parameters may empty the results of a search: they change the display or the number of results, or repeat
// a default. Searches that differ only in one of them are compared.

type LineParameter = "cl" | "max-line-len";

const describeParameter = ({ parameters }: Search, name: string): string | undefined =>
  parameters.has(name) ? `${name}=${parameters.get(name)}` : undefined;

/** Parameters that control how lines are displayed, and `cm=false`. Source: search-stream, section 4. */
export const lineParameters: readonly ResultPreservingParameter[] = [
  {
    describeIn: (search) => (requestsChunks(search) ? describeParameter(search, "cm") : undefined),
    groupKey: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  },
  ...(["cl", "max-line-len"] as const).map((name): ResultPreservingParameter => ({
    describeIn: (search) => describeParameter(search, name),
    groupKey: (search) => (requestsChunks(search) ? searchKey(search, { [name]: undefined }) : undefined),
  })),
  {
    describeIn: (search) => (omitsChunks(search) ? describeParameter(search, "cm") : undefined),
    groupKey: (search) => (omitsChunks(search) ? searchKey(search, { cm: undefined }) : undefined),
  },
];

/** Returns a chunk-match parameter for searches without chunk matches, where it must have no effect. */
export const parameterWithoutChunks = (name: LineParameter): ResultPreservingParameter => ({
  describeIn: (search) => describeParameter(search, name),
  groupKey: (search) => (omitsChunks(search) ? searchKey(search, { cm: undefined, [name]: undefined }) : undefined),
});

/** `display` with a value of at least 1. Other values are not compared. */
export const displayParameter: ResultPreservingParameter = {
  describeIn: (search) => (displayLimit(search) > 0 ? describeParameter(search, "display") : undefined),
  groupKey: (search) => searchKey(search, { display: undefined }),
};

/** `count:N`, which ends a search after N matches. */
export const countParameter: ResultPreservingParameter = {
  describeIn(search) {
    const limit = parseCountedSearch(search)?.limit ?? Infinity;
    return limit === Infinity ? undefined : `count:${limit}`;
  },
  groupKey: (search) => parseCountedSearch(search)?.key,
};

/** `count:all`, which removes the limit. */
export const countAllParameter: ResultPreservingParameter = {
  describeIn: (search) => (requestsAll(search) ? "count:all" : undefined),
  groupKey: (search) => parseCountedSearch(search)?.key,
};

/** `v=V3`, the default version. */
export const versionParameter: ResultPreservingParameter = {
  describeIn: (search) => (sentVersion(search) === "V3" ? "v=V3" : undefined),
  groupKey: (search) => searchKey(search, { v: undefined }),
};

/** `t=standard`, the default pattern type. A `patternType:` filter in the query overrides `t`. */
export const standardTypeParameter: ResultPreservingParameter = {
  describeIn: (search) => (sentPatternType(search) === "standard" ? "t=standard" : undefined),
  groupKey: (search) =>
    usesDefaultType(search) && patternTypeFilter(search) ? searchKey(search, { t: undefined }) : undefined,
};

/** Returns the pattern type that applies to a search: that of the query, otherwise `t` or its default. */
const effectiveType = (search: Search): string => queryPatternType(search) ?? sentPatternType(search) ?? "standard";

/**
 * Returns the query without `patternType:`, followed by the effective pattern type. A single literal word matches the
 * same text under every pattern type, so its type is ignored.
 */
function typedQuery(search: Search): string | undefined {
  const remainingQuery = patternTypeFilter(search)?.remainingQuery;
  return remainingQuery === undefined
    ? undefined
    : `${remainingQuery} ${literalWordInQuery(remainingQuery, undefined) === undefined ? effectiveType(search) : "any type"}`;
}

/** The pattern type `regexp` in `t`, compared with the same type in the query. */
export const regexpTypeParameter: ResultPreservingParameter = {
  describeIn: (search) => (usesTypeParameter(search, "regexp") ? "t=regexp" : undefined),
  groupKey(search) {
    const q = typedQuery(search);
    return q === undefined ? undefined : searchKey(search, { q, t: undefined });
  },
};

/** A pattern type in the query, compared with the same type in `t`. */
export const queryTypeParameter: ResultPreservingParameter = {
  describeIn(search) {
    const type = queryPatternType(search);
    return type === undefined ? undefined : `patternType:${type}`;
  },
  groupKey(search) {
    const remainingQuery = patternTypeFilter(search)?.remainingQuery;
    return remainingQuery === undefined
      ? undefined
      : searchKey(search, { q: `${remainingQuery} ${effectiveType(search)}`, t: undefined });
  },
};

/**
 * `t` in a search whose query contains `patternType:`, where `t` has no effect. A search that sets no type is the same as one with
 * `patternType:standard`.
 */
export const overriddenTypeParameter: ResultPreservingParameter = {
  describeIn: (search) => describeParameter(search, "t"),
  groupKey(search) {
    const filter = patternTypeFilter(search);
    const type = queryPatternType(search);
    if (filter === undefined || (type === undefined && sentPatternType(search) !== undefined)) {
      return undefined;
    }
    return searchKey(search, { t: undefined, ...(type === "standard" ? { q: filter.remainingQuery } : {}) });
  },
};
