import type { Mutation } from "./mutation.ts";
import { haveSameParameters, misinterpretationMutation } from "./search-edits.ts";
import type { SearchParameters, FindMisreadParameters } from "./search-edits.ts";

/** Selects the searches for a string that no repository contains. */
const selectEmptySearches =
  (appliesTo: (parameters: SearchParameters) => boolean): FindMisreadParameters =>
  (parameters, recordedSearches) =>
    recordedSearches.filter((other) => appliesTo(parameters) && /no-such-text/u.test(other["q"] ?? ""));

/** Returns the queries that this query extends, for example by an added filter. */
const findExtendedQueries = (
  parameters: SearchParameters,
  recordedSearches: readonly SearchParameters[],
): readonly SearchParameters[] =>
  recordedSearches.filter(
    (other) =>
      other !== parameters &&
      haveSameParameters({ ...parameters, q: "" }, { ...other, q: "" }) &&
      (parameters["q"] ?? "").startsWith(`${other["q"] ?? ""} `),
  );

/** Kinds of suggested filters. */
const filterKinds = [
  { name: "for a repository", keepsSome: true, isOfKind: (addedText: string) => /^repo:\S+$/u.test(addedText) },
  { name: "for a language", keepsSome: true, isOfKind: (addedText: string) => /^lang:\S+$/u.test(addedText) },
  {
    name: "of another kind",
    keepsSome: false,
    isOfKind: (addedText: string) =>
      /^\w+:\S+$/u.test(addedText) && !/^(?:repo|lang|count|patternType):/u.test(addedText),
  },
] as const;

/**
 * Selects the queries that this query extends by one filter of a kind. Skips queries that are already limited to a
 * file.
 */
const extendedQueriesByKind =
  (isOfKind: (addedText: string) => boolean): FindMisreadParameters =>
  (parameters, recordedSearches) =>
    findExtendedQueries(parameters, recordedSearches).filter(
      ({ q = "" }) => isOfKind((parameters["q"] ?? "").slice(q.length + 1)) && !/file:/u.test(q),
    );

/** Mutations that find nothing with a suggested filter. */
export const emptiedByFilterMutations: readonly [Mutation, ...Mutation[]] = [
  misinterpretationMutation({
    name: "finds nothing with a filter that it suggested",
    needs: "a search with a suggested filter added",
    effect: "answered a search with a suggested filter as if nothing matched",
    findMisreadParameters: (parameters, recordedSearches) =>
      findExtendedQueries(parameters, recordedSearches).length > 0
        ? selectEmptySearches(() => true)(parameters, recordedSearches)
        : [],
  }),
  ...filterKinds.map(({ name, isOfKind }) =>
    misinterpretationMutation({
      name: `finds nothing with a filter ${name} that it suggested`,
      needs: `a search that finds several files, with a suggested filter ${name} added`,
      effect: `answered a search with a suggested filter ${name} as if nothing matched`,
      isOptional: true,
      findMisreadParameters: (parameters, recordedSearches) =>
        extendedQueriesByKind(isOfKind)(parameters, recordedSearches).length > 0
          ? selectEmptySearches(() => true)(parameters, recordedSearches)
          : [],
    }),
  ),
];

/** Mutations that ignore a suggested filter. */
export const ignoredFilterMutations: readonly [Mutation, ...Mutation[]] = [
  misinterpretationMutation({
    name: "ignores a filter that it suggested",
    needs: "a search with a suggested filter added that keeps some of the matches",
    effect: "answered a search with a suggested filter as the same one without it",
    findMisreadParameters: findExtendedQueries,
  }),
  ...filterKinds
    .filter(({ keepsSome }) => keepsSome)
    .map(({ name, isOfKind }) =>
      misinterpretationMutation({
        name: `ignores a filter ${name} that it suggested`,
        needs: `a search with a suggested filter ${name} added that keeps some of the matches`,
        effect: `answered a search with a suggested filter ${name} as the same one without it`,
        isOptional: true,
        findMisreadParameters: extendedQueriesByKind(isOfKind),
      }),
    ),
];
