import { wordOfQuery } from "../literal-word.ts";
import { requestsAll, countedSearch } from "./count-limit.ts";
import { displayOf } from "./display-pairs.ts";
import type { KeptParameter } from "./emptied.ts";
import { filterOf, isSetByT, isByDefault, ownType } from "./pattern-type-readings.ts";
import { isWithChunks, isWithoutChunks, searchKey, typeOf, versionOf } from "./search.ts";
import type { Search } from "./search.ts";

type LineParameter = "cl" | "max-line-len";

const describeParameter = ({ parameters }: Search, name: string): string | undefined =>
  parameters.has(name) ? `${name}=${parameters.get(name)}` : undefined;

/** The parameters for the display of lines, and `cm=false`. Source: search-stream, section 4. */
export const keptLineParameters: readonly KeptParameter[] = [
  {
    valueOf: (search) => (isWithChunks(search) ? describeParameter(search, "cm") : undefined),
    keyOf: (search) => searchKey(search, { cm: undefined, cl: undefined, "max-line-len": undefined }),
  },
  ...(["cl", "max-line-len"] as const).map((name): KeptParameter => ({
    valueOf: (search) => describeParameter(search, name),
    keyOf: (search) => (isWithChunks(search) ? searchKey(search, { [name]: undefined }) : undefined),
  })),
  {
    valueOf: (search) => (isWithoutChunks(search) ? describeParameter(search, "cm") : undefined),
    keyOf: (search) => (isWithoutChunks(search) ? searchKey(search, { cm: undefined }) : undefined),
  },
];

/** A parameter of chunk matches in searches without chunk matches. */
export const keptWithoutChunks = (name: LineParameter): KeptParameter => ({
  valueOf: (search) => describeParameter(search, name),
  keyOf: (search) => (isWithoutChunks(search) ? searchKey(search, { cm: undefined, [name]: undefined }) : undefined),
});

/** A maximum number of returned matches, from 1. */
export const keptDisplay: KeptParameter = {
  valueOf: (search) => (displayOf(search) > 0 ? describeParameter(search, "display") : undefined),
  keyOf: (search) => searchKey(search, { display: undefined }),
};

/** A number of matches at which a search ends. */
export const keptCount: KeptParameter = {
  valueOf(search) {
    const limit = countedSearch(search)?.limit ?? Infinity;
    return limit === Infinity ? undefined : `count:${limit}`;
  },
  keyOf: (search) => countedSearch(search)?.key,
};

/** An exhaustive search. */
export const keptCountAll: KeptParameter = {
  valueOf: (search) => (requestsAll(search) ? "count:all" : undefined),
  keyOf: (search) => countedSearch(search)?.key,
};

/** The default version. */
export const keptVersion: KeptParameter = {
  valueOf: (search) => (versionOf(search) === "V3" ? "v=V3" : undefined),
  keyOf: (search) => searchKey(search, { v: undefined }),
};

/** The default pattern type. A type in the query disables `t`. */
export const keptStandard: KeptParameter = {
  valueOf: (search) => (typeOf(search) === "standard" ? "t=standard" : undefined),
  keyOf: (search) => (isByDefault(search) && filterOf(search) ? searchKey(search, { t: undefined }) : undefined),
};

/** The query without its pattern type, followed by the type that applies. One plain word means the same in any type. */
function typedQuery(search: Search): string | undefined {
  const rest = filterOf(search)?.rest;
  const type = ownType(search) ?? typeOf(search) ?? "standard";
  return rest === undefined ? undefined : `${rest} ${wordOfQuery(rest, undefined) === undefined ? type : "any type"}`;
}

/** The pattern type `regexp` in `t`, compared with the same type in the query. One plain word needs no type. */
export const keptType: KeptParameter = {
  valueOf: (search) => (isSetByT(search, "regexp") ? "t=regexp" : undefined),
  keyOf(search) {
    const q = typedQuery(search);
    return q === undefined ? undefined : searchKey(search, { q, t: undefined });
  },
};

/** A pattern type in the query, compared with the same type in `t`. */
export const keptTypeFilter: KeptParameter = {
  valueOf(search) {
    const type = ownType(search);
    return type === undefined ? undefined : `patternType:${type}`;
  },
  keyOf(search) {
    const rest = filterOf(search)?.rest;
    const type = ownType(search) ?? typeOf(search) ?? "standard";
    return rest === undefined ? undefined : searchKey(search, { q: `${rest} ${type}`, t: undefined });
  },
};

/** `t` in a query with its own pattern type. */
export const keptTypeWithFilter: KeptParameter = {
  valueOf: (search) => describeParameter(search, "t"),
  keyOf: (search) => (ownType(search) === undefined ? undefined : searchKey(search, { t: undefined })),
};
