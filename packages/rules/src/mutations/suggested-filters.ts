import type { Mutation } from "./mutation.ts";
import { isSame, misread } from "./search-edits.ts";
import type { Asked, ReadInstead } from "./search-edits.ts";

/** Selects the search that finds nothing. */
const emptySearch =
  (isAbout: (asked: Asked) => boolean): ReadInstead =>
  (asked, all) =>
    all.filter((other) => isAbout(asked) && /no-such-text/u.test(other["q"] ?? ""));

/** Queries that this query extends, for example by an added filter. */
const narrowedQueries = (asked: Asked, all: readonly Asked[]): readonly Asked[] =>
  all.filter(
    (other) =>
      other !== asked &&
      isSame({ ...asked, q: "" }, { ...other, q: "" }) &&
      (asked["q"] ?? "").startsWith(`${other["q"] ?? ""} `),
  );

/** Kinds of suggested filters. */
const filterKinds = [
  { name: "for a repository", keepsSome: true, isOfKind: (added: string) => /^repo:\S+$/u.test(added) },
  { name: "for a language", keepsSome: true, isOfKind: (added: string) => /^lang:\S+$/u.test(added) },
  {
    name: "of another kind",
    keepsSome: false,
    isOfKind: (added: string) => /^\w+:\S+$/u.test(added) && !/^(?:repo|lang|count|patternType):/u.test(added),
  },
] as const;

/** Like `narrowedQueries`, if the addition is one filter of a kind and the other query is not limited to a file. */
const narrowedBy =
  (isOfKind: (added: string) => boolean): ReadInstead =>
  (asked, all) =>
    narrowedQueries(asked, all).filter(
      ({ q = "" }) => isOfKind((asked["q"] ?? "").slice(q.length + 1)) && !/file:/u.test(q),
    );

/** Mutations that find nothing with a suggested filter. */
export const findsNothing: readonly [Mutation, ...Mutation[]] = [
  misread({
    name: "finds nothing with a filter that it suggested",
    needs: "a search with a suggested filter added",
    effect: "answered a search with a suggested filter as if nothing matched",
    readInstead: (asked, all) => (narrowedQueries(asked, all).length > 0 ? emptySearch(() => true)(asked, all) : []),
  }),
  ...filterKinds.map(({ name, isOfKind }) =>
    misread({
      name: `finds nothing with a filter ${name} that it suggested`,
      needs: `a search that finds several files, with a suggested filter ${name} added`,
      effect: `answered a search with a suggested filter ${name} as if nothing matched`,
      isOptional: true,
      readInstead: (asked, all) =>
        narrowedBy(isOfKind)(asked, all).length > 0 ? emptySearch(() => true)(asked, all) : [],
    }),
  ),
];

/** Mutations that ignore a suggested filter. */
export const findsEverything: readonly [Mutation, ...Mutation[]] = [
  misread({
    name: "ignores a filter that it suggested",
    needs: "a search with a suggested filter added that keeps some of the matches",
    effect: "answered a search with a suggested filter as the same one without it",
    readInstead: narrowedQueries,
  }),
  ...filterKinds
    .filter(({ keepsSome }) => keepsSome)
    .map(({ name, isOfKind }) =>
      misread({
        name: `ignores a filter ${name} that it suggested`,
        needs: `a search with a suggested filter ${name} added that keeps some of the matches`,
        effect: `answered a search with a suggested filter ${name} as the same one without it`,
        isOptional: true,
        readInstead: narrowedBy(isOfKind),
      }),
    ),
];
