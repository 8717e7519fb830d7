import { wordOfQuery } from "../literal-word.ts";
import { requestsAll, countedSearch } from "./count-limit.ts";
import { displayOf } from "./display-pairs.ts";
import type { NonEmptyingParameter } from "./emptied-results.ts";
import { patternTypeFilter, isSetByT, isByDefault, ownType } from "./pattern-type-readings.ts";
import { isWithChunks, isWithoutChunks, searchKey, typeOf, versionOf } from "./search.ts";
import type { Search } from "./search.ts";

type LineParameter = "cl" | "max-line-len";

const describeParameter = ({ parameters }: Search, name: string): string | undefined =>
  parameters.has(name) ? `${name}=${parameters.get(name)}` : undefined;

/** Parameters that control how lines are displayed, and `cm=false`. Source: search-stream, section 4. */
export const lineParameters: readonly NonEmptyingParameter[] = [
  {
    valueOf: (search) => (isWithChunks(search) ? describeParameter(search, "cm") : undefined),
    keyOf: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  },
  ...(["cl", "max-line-len"] as const).map((name): NonEmptyingParameter => ({
    valueOf: (search) => describeParameter(search, name),
    keyOf: (search) => (isWithChunks(search) ? searchKey(search, { [name]: undefined }) : undefined),
  })),
  {
    valueOf: (search) => (isWithoutChunks(search) ? describeParameter(search, "cm") : undefined),
    keyOf: (search) => (isWithoutChunks(search) ? searchKey(search, { cm: undefined }) : undefined),
  },
];

/** A chunk-match parameter in searches that do not request chunk matches. It must have no effect. */
export const parameterWithoutChunks = (name: LineParameter): NonEmptyingParameter => ({
  valueOf: (search) => describeParameter(search, name),
  keyOf: (search) => (isWithoutChunks(search) ? searchKey(search, { cm: undefined, [name]: undefined }) : undefined),
});

/** `display`, at least 1. */
export const displayParameter: NonEmptyingParameter = {
  valueOf: (search) => (displayOf(search) > 0 ? describeParameter(search, "display") : undefined),
  keyOf: (search) => searchKey(search, { display: undefined }),
};

/** `count:N`, which ends a search after N matches. */
export const countParameter: NonEmptyingParameter = {
  valueOf(search) {
    const limit = countedSearch(search)?.limit ?? Infinity;
    return limit === Infinity ? undefined : `count:${limit}`;
  },
  keyOf: (search) => countedSearch(search)?.key,
};

/** `count:all`. */
export const countAllParameter: NonEmptyingParameter = {
  valueOf: (search) => (requestsAll(search) ? "count:all" : undefined),
  keyOf: (search) => countedSearch(search)?.key,
};

/** `v=V3`, the default version. */
export const versionParameter: NonEmptyingParameter = {
  valueOf: (search) => (versionOf(search) === "V3" ? "v=V3" : undefined),
  keyOf: (search) => searchKey(search, { v: undefined }),
};

/** `t=standard`, the default pattern type. A type in the query disables `t`. */
export const standardTypeParameter: NonEmptyingParameter = {
  valueOf: (search) => (typeOf(search) === "standard" ? "t=standard" : undefined),
  keyOf: (search) =>
    isByDefault(search) && patternTypeFilter(search) ? searchKey(search, { t: undefined }) : undefined,
};

/** The query without its pattern type, followed by the type that applies. A single plain word matches the same in every pattern type. */
function typedQuery(search: Search): string | undefined {
  const rest = patternTypeFilter(search)?.rest;
  const type = ownType(search) ?? typeOf(search) ?? "standard";
  return rest === undefined ? undefined : `${rest} ${wordOfQuery(rest, undefined) === undefined ? type : "any type"}`;
}

/** The pattern type `regexp` in `t`, compared with the same type in the query. */
export const regexpTypeParameter: NonEmptyingParameter = {
  valueOf: (search) => (isSetByT(search, "regexp") ? "t=regexp" : undefined),
  keyOf(search) {
    const q = typedQuery(search);
    return q === undefined ? undefined : searchKey(search, { q, t: undefined });
  },
};

/** A pattern type in the query, compared with the same type in `t`. */
export const typeFilterParameter: NonEmptyingParameter = {
  valueOf(search) {
    const type = ownType(search);
    return type === undefined ? undefined : `patternType:${type}`;
  },
  keyOf(search) {
    const rest = patternTypeFilter(search)?.rest;
    const type = ownType(search) ?? typeOf(search) ?? "standard";
    return rest === undefined ? undefined : searchKey(search, { q: `${rest} ${type}`, t: undefined });
  },
};

/** `t` in a query with its own pattern type. */
export const typeWithFilterParameter: NonEmptyingParameter = {
  valueOf: (search) => describeParameter(search, "t"),
  keyOf: (search) => (ownType(search) === undefined ? undefined : searchKey(search, { t: undefined })),
};
