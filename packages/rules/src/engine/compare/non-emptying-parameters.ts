import { literalWordInQuery } from "../literal-word.ts";
import { requestsAll, countedSearch } from "./count-limit.ts";
import { displayLimit } from "./display-pairs.ts";
import type { NonEmptyingParameter } from "./emptied-results.ts";
import { patternTypeFilter, isTypeSetByT, usesDefaultType, queryPatternType } from "./pattern-type-readings.ts";
import { requestsChunks, omitsChunks, searchKey, sentPatternType, sentVersion } from "./search.ts";
import type { Search } from "./search.ts";

type LineParameter = "cl" | "max-line-len";

const describeParameter = ({ parameters }: Search, name: string): string | undefined =>
  parameters.has(name) ? `${name}=${parameters.get(name)}` : undefined;

/** Parameters that control how lines are displayed, and `cm=false`. Source: search-stream, section 4. */
export const lineParameters: readonly NonEmptyingParameter[] = [
  {
    valueIn: (search) => (requestsChunks(search) ? describeParameter(search, "cm") : undefined),
    groupKey: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  },
  ...(["cl", "max-line-len"] as const).map((name): NonEmptyingParameter => ({
    valueIn: (search) => describeParameter(search, name),
    groupKey: (search) => (requestsChunks(search) ? searchKey(search, { [name]: undefined }) : undefined),
  })),
  {
    valueIn: (search) => (omitsChunks(search) ? describeParameter(search, "cm") : undefined),
    groupKey: (search) => (omitsChunks(search) ? searchKey(search, { cm: undefined }) : undefined),
  },
];

/** A chunk-match parameter in searches that do not request chunk matches. It must have no effect. */
export const parameterWithoutChunks = (name: LineParameter): NonEmptyingParameter => ({
  valueIn: (search) => describeParameter(search, name),
  groupKey: (search) => (omitsChunks(search) ? searchKey(search, { cm: undefined, [name]: undefined }) : undefined),
});

/** `display`, at least 1. */
export const displayParameter: NonEmptyingParameter = {
  valueIn: (search) => (displayLimit(search) > 0 ? describeParameter(search, "display") : undefined),
  groupKey: (search) => searchKey(search, { display: undefined }),
};

/** `count:N`, which ends a search after N matches. */
export const countParameter: NonEmptyingParameter = {
  valueIn(search) {
    const limit = countedSearch(search)?.limit ?? Infinity;
    return limit === Infinity ? undefined : `count:${limit}`;
  },
  groupKey: (search) => countedSearch(search)?.key,
};

/** `count:all`. */
export const countAllParameter: NonEmptyingParameter = {
  valueIn: (search) => (requestsAll(search) ? "count:all" : undefined),
  groupKey: (search) => countedSearch(search)?.key,
};

/** `v=V3`, the default version. */
export const versionParameter: NonEmptyingParameter = {
  valueIn: (search) => (sentVersion(search) === "V3" ? "v=V3" : undefined),
  groupKey: (search) => searchKey(search, { v: undefined }),
};

/** `t=standard`, the default pattern type. A type in the query disables `t`. */
export const standardTypeParameter: NonEmptyingParameter = {
  valueIn: (search) => (sentPatternType(search) === "standard" ? "t=standard" : undefined),
  groupKey: (search) =>
    usesDefaultType(search) && patternTypeFilter(search) ? searchKey(search, { t: undefined }) : undefined,
};

/** The query without its pattern type, followed by the type that applies. A single plain word matches the same in every pattern type. */
function typedQuery(search: Search): string | undefined {
  const rest = patternTypeFilter(search)?.remainingQuery;
  const type = queryPatternType(search) ?? sentPatternType(search) ?? "standard";
  return rest === undefined
    ? undefined
    : `${rest} ${literalWordInQuery(rest, undefined) === undefined ? type : "any type"}`;
}

/** The pattern type `regexp` in `t`, compared with the same type in the query. */
export const regexpTypeParameter: NonEmptyingParameter = {
  valueIn: (search) => (isTypeSetByT(search, "regexp") ? "t=regexp" : undefined),
  groupKey(search) {
    const q = typedQuery(search);
    return q === undefined ? undefined : searchKey(search, { q, t: undefined });
  },
};

/** A pattern type in the query, compared with the same type in `t`. */
export const typeFilterParameter: NonEmptyingParameter = {
  valueIn(search) {
    const type = queryPatternType(search);
    return type === undefined ? undefined : `patternType:${type}`;
  },
  groupKey(search) {
    const rest = patternTypeFilter(search)?.remainingQuery;
    const type = queryPatternType(search) ?? sentPatternType(search) ?? "standard";
    return rest === undefined ? undefined : searchKey(search, { q: `${rest} ${type}`, t: undefined });
  },
};

/** `t` in a query with its own pattern type. */
export const typeWithFilterParameter: NonEmptyingParameter = {
  valueIn: (search) => describeParameter(search, "t"),
  groupKey: (search) => (queryPatternType(search) === undefined ? undefined : searchKey(search, { t: undefined })),
};
