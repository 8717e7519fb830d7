import { Buffer } from "node:buffer";
import { searchParameters } from "@assay/contract";
import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import type { JsonText, Splice } from "@assay/evidence";
import { cachePerObject } from "../engine/cache-per-object.ts";
import { withResponseOf, editBody, elementsWithPointers, eventSites, siteMutation, withStatus } from "./mutation.ts";
import type { Mutation, Edit } from "./mutation.ts";
import type { ProofEvidence, EditableSearch } from "./proof-evidence.ts";

/** A search with its parameters. */
interface ParsedSearch {
  readonly search: EditableSearch;
  readonly parameters: SearchParameters;
}

/** The parameters of a search by name, as sent. */
export type SearchParameters = Readonly<Record<string, string>>;

/** Returns the parameters sorted by name, because their order does not matter. Cached. */
const readParameters = cachePerObject(({ exchange }: EditableSearch): SearchParameters => {
  const { searchParams } = new URL(exchange.record.request.url, "http://target");
  searchParams.sort();
  return Object.fromEntries(searchParams);
});

const parameterKey = (parameters: SearchParameters): string => JSON.stringify(parameters);

/** Returns the searches of the run's own user, with their parameters. */
const findOwnSearches = ({ searches }: ProofEvidence): readonly ParsedSearch[] =>
  searches
    .filter(({ exchange }) => ["access-token", "oauth-token", "unknown"].includes(exchange.record.credential))
    .map((search) => ({ search, parameters: readParameters(search) }));

/** Groups searches by their parameters. A target responds to repeats of a search in the same way. */
function groupRepeats(
  searches: readonly ParsedSearch[],
): ReadonlyMap<string, readonly [ParsedSearch, ...ParsedSearch[]]> {
  const groups = new Map<string, [ParsedSearch, ...ParsedSearch[]]>();
  for (const search of searches) {
    const key = parameterKey(search.parameters);
    const repeats = groups.get(key);
    groups.set(key, repeats === undefined ? [search] : [...repeats, search]);
  }
  return groups;
}

/**
 * Returns the parameters that a misreading target takes for those of a search. There may be several candidates, of
 * which any may be recorded. It returns none if the mutation does not apply.
 */
export type FindMisreadParameters = (
  parameters: SearchParameters,
  recordedSearches: readonly SearchParameters[],
) => readonly SearchParameters[];

interface Misinterpretation {
  readonly name: string;
  readonly needs: string;
  readonly effect: string;
  readonly isOptional?: true;
  readonly findMisreadParameters: FindMisreadParameters;
}

const copyResponses = (
  effect: string,
  repeats: readonly ParsedSearch[],
  models: readonly ParsedSearch[],
): readonly Edit[] => {
  const editedExchanges = repeats.flatMap(({ search }, index) => {
    const model = models[index % models.length];
    return model === undefined ? [] : [withResponseOf(search.exchange, model.search.exchange)];
  });
  const [first, ...more] = editedExchanges;
  return first === undefined ? [] : [{ effect, replacements: [first, ...more] }];
};

/** Gives every repeat of a search the response to a repeat of another search. */
export const misinterpretationMutation = ({
  effect,
  findMisreadParameters,
  ...fields
}: Misinterpretation): Mutation => ({
  ...fields,
  *edits(evidence) {
    const groups = groupRepeats(findOwnSearches(evidence));
    const recordedSearches = Array.from(groups.values(), ([{ parameters }]) => parameters);
    for (const [key, repeats] of groups) {
      const misreadKeys = findMisreadParameters(repeats[0].parameters, recordedSearches).map((parameters) =>
        parameterKey(parameters),
      );
      for (const misreadKey of misreadKeys.filter((otherKey) => otherKey !== key)) {
        yield* copyResponses(effect, repeats, groups.get(misreadKey) ?? []);
      }
    }
  },
});

export const withoutParameters = (parameters: SearchParameters, ...names: readonly string[]): SearchParameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

export const haveSameParameters = (left: SearchParameters, right: SearchParameters): boolean =>
  parameterKey(left) === parameterKey(right);

/** Returns the recorded searches that differ in only one parameter. */
export const findSiblings = (
  parameters: SearchParameters,
  recordedSearches: readonly SearchParameters[],
  name: string,
): readonly SearchParameters[] =>
  recordedSearches.filter(
    (other) =>
      other[name] !== parameters[name] &&
      haveSameParameters(withoutParameters(other, name), withoutParameters(parameters, name)),
  );

/** Reads the search without one of its parameters. */
export const ignoringParameter =
  (name: string, appliesTo: (parameters: SearchParameters) => boolean = () => true): FindMisreadParameters =>
  (parameters) =>
    [withoutParameters(parameters, name)].filter(() => parameters[name] !== undefined && appliesTo(parameters));

/** Reads the search with a different value of a parameter, or without it. */
export const siblingsWhere =
  (
    name: string,
    appliesTo: (parameters: SearchParameters, other: SearchParameters) => boolean,
  ): FindMisreadParameters =>
  (parameters, recordedSearches) =>
    findSiblings(parameters, recordedSearches, name).filter((other) => appliesTo(parameters, other));

export const requestsChunks = ({ cm }: SearchParameters): boolean => ["true", "t", "1"].includes(cm ?? "");

/** Returns the value of the first filter with this name in the query, or undefined. */
export const filterValue = (parameters: SearchParameters, name: string): string | undefined =>
  new RegExp(String.raw`(?:^|\s)${name}:(\S+)`, "iu").exec(parameters["q"] ?? "")?.[1];

export const withoutFilter = (parameters: SearchParameters, name: string): SearchParameters => ({
  ...parameters,
  q: (parameters["q"] ?? "")
    .replace(new RegExp(String.raw`(?:^|\s)${name}:\S+`, "giu"), " ")
    .replaceAll(/\s+/gu, " ")
    .trim(),
});

/** Selects recorded searches that differ in only one filter of the query. */
export const filterSiblingsWhere =
  (
    name: string,
    appliesTo: (value: string | undefined, otherValue: string | undefined) => boolean,
  ): FindMisreadParameters =>
  (parameters, recordedSearches) =>
    recordedSearches.filter((other) => {
      const [value, otherValue] = [filterValue(parameters, name), filterValue(other, name)];
      return (
        value !== otherValue &&
        haveSameParameters(withoutFilter(parameters, name), withoutFilter(other, name)) &&
        appliesTo(value, otherValue)
      );
    });

const effectivePatternType = (parameters: SearchParameters): string =>
  filterValue(parameters, "patternType") ?? parameters["t"] ?? "standard";

const withoutPatternType = (parameters: SearchParameters): SearchParameters =>
  withoutParameters(withoutFilter(parameters, "patternType"), "t", "v");

/** Gives searches for a regular expression the response of the same query without a pattern type. */
export const expressionAsTextMutation: Mutation = {
  name: "reads a regular expression as text",
  needs: "a query with a dot as a regular expression by `t` and by `patternType:`, and the same without both",
  *edits(evidence) {
    const searches = findOwnSearches(evidence);
    const selectedSearches = searches.filter(({ parameters }) => effectivePatternType(parameters) === "regexp");
    for (const key of new Set(selectedSearches.map(({ parameters }) => parameterKey(withoutPatternType(parameters))))) {
      const repeats = searches.filter(({ parameters }) => parameterKey(withoutPatternType(parameters)) === key);
      yield* copyResponses(
        "read a regular expression as text",
        repeats.filter(({ parameters }) => effectivePatternType(parameters) === "regexp"),
        repeats.filter(({ parameters }) => effectivePatternType(parameters) === "standard"),
      );
    }
  },
};

/** Gives every search with a parameter the response of a search for a string that no repository contains. */
export const noResultsMutation = (label: string, appliesTo: (parameters: SearchParameters) => boolean): Mutation => ({
  name: `finds nothing with ${label}`,
  needs: `two searches with ${label}, the same without it, and other searches that all name one commit`,
  isOptional: true,
  *edits(evidence) {
    const searches = findOwnSearches(evidence);
    const emptySearch = searches.find(({ parameters }) => /no-such-text/u.test(parameters["q"] ?? ""));
    const [first, ...more] = searches.flatMap(({ search, parameters }) =>
      emptySearch !== undefined && appliesTo(parameters)
        ? [withResponseOf(search.exchange, emptySearch.search.exchange)]
        : [],
    );
    if (first !== undefined) {
      yield { effect: `found nothing in each search with ${label}`, replacements: [first, ...more] };
    }
  },
});

export const isDigits = (text: string | undefined): text is string => text !== undefined && /^\d+$/u.test(text);

export const optionalParameters = searchParameters.filter((name) => name !== "q");

/** Refuses a search that should succeed, every time. */
export const searchRefusalMutation = (
  mutation: Omit<Mutation, "edits">,
  appliesTo: (parameters: SearchParameters, recordedSearches: readonly SearchParameters[]) => boolean,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    const searches = findOwnSearches(evidence);
    const recordedSearches = searches.map(({ parameters }) => parameters);
    for (const repeats of groupRepeats(
      searches.filter((search) => appliesTo(search.parameters, recordedSearches)),
    ).values()) {
      const [first, ...more] = repeats.map(({ search }) => withStatus(search.exchange, 400));
      if (first !== undefined) {
        yield { effect: "refused the search with 400", replacements: [first, ...more] };
      }
    }
  },
});

/** Creates a mutation that edits the `progress` events of every repeat of a search. */
export const progressMutation = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  appliesTo: (parameters: SearchParameters) => boolean,
  splices: (search: EditableSearch, parameters: SearchParameters) => readonly (Splice | undefined)[],
): Mutation => {
  const { effect, ...fields } = mutation;
  return {
    ...fields,
    *edits(evidence) {
      const selectedSearches = findOwnSearches(evidence).filter(({ parameters }) => appliesTo(parameters));
      for (const repeats of groupRepeats(selectedSearches).values()) {
        const edits = repeats.flatMap(({ search, parameters }) => [
          ...editBody(search.exchange, effect, splices(search, parameters)),
        ]);
        const [first, ...more] = edits.flatMap(({ replacements }) => replacements);
        if (first !== undefined) {
          yield { effect, replacements: [first, ...more] };
        }
      }
    },
  };
};

/** Removes the skipped entries from every `progress` event of a search. */
export const emptySkippedEntries = ({ events }: EditableSearch): readonly (Splice | undefined)[] =>
  events()
    .filter(({ event }) => event.name === "progress" && member(event.value, "skipped") !== undefined)
    .map(({ data }) => replaceValue(data, "/skipped", []));

/** The skipped entries of `progress` events. */
export const skippedSites = eventSites("progress", (value) =>
  elementsWithPointers(member(value, "skipped"), "/skipped"),
);

/** The skipped entries that contain a suggestion. */
const suggestionSites = eventSites("progress", (value) =>
  elementsWithPointers(member(value, "skipped"), "/skipped").filter(
    ([, entry]) => member(entry, "reason") === "shard-match-limit" && member(entry, "suggested") !== undefined,
  ),
);

/** Creates a mutation that replaces the suggestion in a skipped entry. */
export const suggestionMutation = (name: string, text: string): Mutation =>
  siteMutation(
    {
      name,
      needs: "a progress with a `shard-match-limit` entry",
      effect: `suggested \`${text}\` in a \`shard-match-limit\` entry`,
      splice: ({ json, pointer }) => replaceValue(json, `${pointer}/suggested/queryExpression`, text),
    },
    suggestionSites,
  );

/** Creates edits that change the matches of every repeat of a search in the same way. */
export const matchEdits = (
  effect: string,
  appliesTo: (parameters: SearchParameters) => boolean,
  splices: (match: EditableMatch, parameters: SearchParameters) => readonly (Splice | undefined)[],
): Pick<Mutation, "edits"> => ({
  *edits(evidence) {
    const selectedSearches = findOwnSearches(evidence).filter(({ parameters }) => appliesTo(parameters));
    for (const repeats of groupRepeats(selectedSearches).values()) {
      const replacements = repeats.flatMap(({ search, parameters }) => {
        const allSplices = findMatches(search).flatMap((match) => splices(match, parameters));
        return [...editBody(search.exchange, effect, allSplices)].flatMap((edit) => edit.replacements);
      });
      const [first, ...more] = replacements;
      if (first !== undefined) {
        yield { effect, replacements: [first, ...more] };
      }
    }
  },
});

/** Creates a mutation that edits the matches of every repeat of a search in the same way. */
export const matchMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  appliesTo: (parameters: SearchParameters) => boolean,
  splices: (match: EditableMatch, parameters: SearchParameters) => readonly (Splice | undefined)[],
): Mutation => ({ ...mutation, ...matchEdits(effect, appliesTo, splices) });

/** A match, its index in its stream, and the data of its event. */
export interface EditableMatch {
  readonly match: unknown;
  readonly index: number;
  readonly pointer: string;
  readonly data: JsonText;
}

const findMatches = ({ events }: EditableSearch): readonly EditableMatch[] =>
  events()
    .filter(({ event }) => event.name === "matches")
    .flatMap(({ event, data }) =>
      elementsWithPointers(event.value).map(([pointer, match]) => ({ match, pointer, data })),
    )
    .map((match, index) => ({ ...match, index }));

/** Replaces a string by a part of it, unless the part is the complete string. */
export const replaceByPart = (data: JsonText, pointer: string, [text, part]: readonly [text: unknown, part: string]) =>
  typeof text === "string" && part !== text ? [replaceValue(data, pointer, part)] : [];

/** Cuts each line of a text to at most `maxBytes` bytes, possibly within a character. */
export const truncateLines = (text: unknown, maxBytes: number): string =>
  String(text)
    .split("\n")
    .map((line) => Buffer.from(line).subarray(0, maxBytes).toString())
    .join("\n");
