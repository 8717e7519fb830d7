import type { Mutation } from "./mutation.ts";
import { isSame, misread } from "./search-edits.ts";
import type { Asked, TakenFor } from "./search-edits.ts";

/** The search that found nothing at all. */
const nothing =
  (isAbout: (asked: Asked) => boolean): TakenFor =>
  (asked, all) =>
    all.filter((other) => isAbout(asked) && /no-such-text/u.test(other["q"] ?? ""));

/** Queries that are another one with more behind it, as a suggested filter that was added. */
const isNarrowed = (asked: Asked, all: readonly Asked[]): readonly Asked[] =>
  all.filter(
    (other) =>
      other !== asked &&
      isSame({ ...asked, q: "" }, { ...other, q: "" }) &&
      (asked["q"] ?? "").startsWith(`${other["q"] ?? ""} `),
  );

/** The kinds of filters that are suggested, by the one filter that was added. */
const filterKinds = [
  { name: "for a repository", keepsSome: true, isOfKind: (added: string) => /^repo:\S+$/u.test(added) },
  { name: "for a language", keepsSome: true, isOfKind: (added: string) => /^lang:\S+$/u.test(added) },
  {
    name: "of another kind",
    keepsSome: false,
    isOfKind: (added: string) => /^\w+:\S+$/u.test(added) && !/^(?:repo|lang|count|patternType):/u.test(added),
  },
] as const;

/** The same where what was added is one filter of a kind, and the other query is about no single file. */
const narrowedBy =
  (isOfKind: (added: string) => boolean): TakenFor =>
  (asked, all) =>
    isNarrowed(asked, all).filter(
      ({ q = "" }) => isOfKind((asked["q"] ?? "").slice(q.length + 1)) && !/file:/u.test(q),
    );

/** A target that finds nothing with a filter that it suggested. */
export const findsNothing: readonly [Mutation, ...Mutation[]] = [
  misread({
    name: "finds nothing with a filter that it suggested",
    needs: "a search with a suggested filter added",
    what: "answered a search with a suggested filter as one that finds nothing",
    takenFor: (asked, all) => (isNarrowed(asked, all).length > 0 ? nothing(() => true)(asked, all) : []),
  }),
  ...filterKinds.map(({ name, isOfKind }) =>
    misread({
      name: `finds nothing with a filter ${name} that it suggested`,
      needs: `a search that finds several files, with a suggested filter ${name} added`,
      what: `answered a search with a suggested filter ${name} as one that finds nothing`,
      isOptional: true,
      takenFor: (asked, all) => (narrowedBy(isOfKind)(asked, all).length > 0 ? nothing(() => true)(asked, all) : []),
    }),
  ),
];

/** A target that finds everything again with a filter that it suggested. */
export const findsEverything: readonly [Mutation, ...Mutation[]] = [
  misread({
    name: "ignores a filter that it suggested",
    needs: "a search with a suggested filter added that keeps some of what was found",
    what: "answered a search with a suggested filter as the same one without it",
    takenFor: isNarrowed,
  }),
  ...filterKinds
    .filter(({ keepsSome }) => keepsSome)
    .map(({ name, isOfKind }) =>
      misread({
        name: `ignores a filter ${name} that it suggested`,
        needs: `a search with a suggested filter ${name} added that keeps some of what was found`,
        what: `answered a search with a suggested filter ${name} as the same one without it`,
        isOptional: true,
        takenFor: narrowedBy(isOfKind),
      }),
    ),
];
