import { Buffer } from "node:buffer";
import { searchParameters } from "@assay/contract";
import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import type { JsonText, Splice } from "@assay/evidence";
import { withResponseOf, bodyEdit, elements, eventSites, siteMutation, withStatus } from "./mutation.ts";
import type { Mutation, Edit } from "./mutation.ts";
import type { ProofEvidence, SearchText } from "./proof-evidence.ts";

/** A search with its parameters. */
interface AskedSearch {
  readonly search: SearchText;
  readonly asked: Asked;
}

/** The parameters of a search by name, as they were sent. */
export type Asked = Readonly<Record<string, string>>;

/** Returns the parameters sorted by name, because their order does not matter. */
function readParameters(search: SearchText): Asked {
  const { searchParams } = new URL(search.exchange.record.request.url, "http://target");
  searchParams.sort();
  return Object.fromEntries(searchParams);
}

const keyOf = (asked: Asked): string => JSON.stringify(asked);

/** Searches of the run's own user. */
const searchesIn = ({ searches }: ProofEvidence): readonly AskedSearch[] =>
  searches
    .filter(({ exchange }) => ["access-token", "oauth-token", "unknown"].includes(exchange.record.credential))
    .map((search) => ({ search, asked: readParameters(search) }));

/** Groups searches with equal parameters. A target responds to equal searches in the same way. */
function copiesIn(searches: readonly AskedSearch[]): ReadonlyMap<string, readonly [AskedSearch, ...AskedSearch[]]> {
  const groups = new Map<string, [AskedSearch, ...AskedSearch[]]>();
  for (const search of searches) {
    const key = keyOf(search.asked);
    const copies = groups.get(key);
    groups.set(key, copies === undefined ? [search] : [...copies, search]);
  }
  return groups;
}

/**
 * Returns the parameters that a target reads instead if it ignores something. Any of the results may be recorded. Empty
 * if the mutation does not apply.
 */
export type ReadInstead = (asked: Asked, all: readonly Asked[]) => readonly Asked[];

interface Misreading {
  readonly name: string;
  readonly needs: string;
  readonly effect: string;
  readonly isOptional?: true;
  readonly readInstead: ReadInstead;
}

const editOf = (effect: string, copies: readonly AskedSearch[], others: readonly AskedSearch[]): readonly Edit[] => {
  const answers = copies.flatMap(({ search }, index) => {
    const other = others[index % others.length];
    return other === undefined ? [] : [withResponseOf(search.exchange, other.search.exchange)];
  });
  const [first, ...more] = answers;
  return first === undefined ? [] : [{ effect, instead: [first, ...more] }];
};

/** Gives every copy of a search the response of a copy of another search. */
export const misread = ({ effect, readInstead, ...rest }: Misreading): Mutation => ({
  ...rest,
  *edits(evidence) {
    const groups = copiesIn(searchesIn(evidence));
    const all = Array.from(groups.values(), ([{ asked }]) => asked);
    for (const [key, copies] of groups) {
      const others = readInstead(copies[0].asked, all).map((asked) => keyOf(asked));
      for (const other of others.filter((each) => each !== key)) {
        yield* editOf(effect, copies, groups.get(other) ?? []);
      }
    }
  },
});

export const without = (asked: Asked, ...names: readonly string[]): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name)));

export const isSame = (left: Asked, right: Asked): boolean => keyOf(left) === keyOf(right);

/** Recorded searches that differ in only one parameter. */
export const siblings = (asked: Asked, all: readonly Asked[], name: string): readonly Asked[] =>
  all.filter((other) => other[name] !== asked[name] && isSame(without(other, name), without(asked, name)));

/** Reads the search without one of its parameters. */
export const ignores =
  (name: string, isAbout: (asked: Asked) => boolean = () => true): ReadInstead =>
  (asked) =>
    [without(asked, name)].filter(() => asked[name] !== undefined && isAbout(asked));

/** Reads the search with a different value of a parameter, or without it. */
export const otherwise =
  (name: string, isAbout: (asked: Asked, other: Asked) => boolean): ReadInstead =>
  (asked, all) =>
    siblings(asked, all, name).filter((other) => isAbout(asked, other));

export const wantsChunks = ({ cm }: Asked): boolean => ["true", "t", "1"].includes(cm ?? "");

export const filterIn = (asked: Asked, name: string): string | undefined =>
  new RegExp(String.raw`(?:^|\s)${name}:(\S+)`, "iu").exec(asked["q"] ?? "")?.[1];

export const withoutFilter = (asked: Asked, name: string): Asked => ({
  ...asked,
  q: (asked["q"] ?? "")
    .replace(new RegExp(String.raw`(?:^|\s)${name}:\S+`, "giu"), " ")
    .replaceAll(/\s+/gu, " ")
    .trim(),
});

/** Recorded searches that differ in only one filter of the query. */
export const otherFilter =
  (name: string, isAbout: (own: string | undefined, other: string | undefined) => boolean): ReadInstead =>
  (asked, all) =>
    all.filter((other) => {
      const [own, its] = [filterIn(asked, name), filterIn(other, name)];
      return own !== its && isSame(withoutFilter(asked, name), withoutFilter(other, name)) && isAbout(own, its);
    });

const typeIn = (asked: Asked): string => filterIn(asked, "patternType") ?? asked["t"] ?? "standard";

const untyped = (asked: Asked): Asked => without(withoutFilter(asked, "patternType"), "t", "v");

/** Gives searches for a regular expression the response of the same query without a pattern type. */
export const textForExpression: Mutation = {
  name: "reads a regular expression as text",
  needs: "a query with a dot as a regular expression by `t` and by `patternType:`, and the same without both",
  *edits(evidence) {
    const searches = searchesIn(evidence);
    const about = searches.filter(({ asked }) => typeIn(asked) === "regexp");
    for (const key of new Set(about.map(({ asked }) => keyOf(untyped(asked))))) {
      const copies = searches.filter(({ asked }) => keyOf(untyped(asked)) === key);
      yield* editOf(
        "read a regular expression as text",
        copies.filter(({ asked }) => typeIn(asked) === "regexp"),
        copies.filter(({ asked }) => typeIn(asked) === "standard"),
      );
    }
  },
};

/** Gives every search with a parameter the response of a search for a string that no repository contains. */
export const findsNothingWith = (label: string, isAbout: (asked: Asked) => boolean): Mutation => ({
  name: `finds nothing with ${label}`,
  needs: `two searches with ${label}, the same without it, and other searches that all name one commit`,
  isOptional: true,
  *edits(evidence) {
    const searches = searchesIn(evidence);
    const emptySearch = searches.find(({ asked }) => /no-such-text/u.test(asked["q"] ?? ""));
    const [first, ...more] = searches.flatMap(({ search, asked }) =>
      emptySearch !== undefined && isAbout(asked) ? [withResponseOf(search.exchange, emptySearch.search.exchange)] : [],
    );
    if (first !== undefined) {
      yield { effect: `found nothing in each search with ${label}`, instead: [first, ...more] };
    }
  },
});

export const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+$/u.test(text);

export const eachParameter = searchParameters.filter((name) => name !== "q");

/** Refuses a search that should succeed, every time. */
export const refused = (
  mutation: Omit<Mutation, "edits">,
  isAbout: (asked: Asked, all: readonly Asked[]) => boolean,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    const searches = searchesIn(evidence);
    const all = searches.map(({ asked }) => asked);
    for (const copies of copiesIn(searches.filter((each) => isAbout(each.asked, all))).values()) {
      const [first, ...more] = copies.map(({ search }) => withStatus(search.exchange, 400));
      if (first !== undefined) {
        yield { effect: "refused the search with 400", instead: [first, ...more] };
      }
    }
  },
});

const isFinalProgress = (value: unknown): boolean => member(value, "done") === true;

/** A mutation that edits the `progress` events of every copy of a search. */
export const progressMutation = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  isAbout: (asked: Asked) => boolean,
  splices: (search: SearchText, asked: Asked) => readonly (Splice | undefined)[],
): Mutation => {
  const { effect, ...rest } = mutation;
  return {
    ...rest,
    *edits(evidence) {
      const about = searchesIn(evidence).filter(({ asked }) => isAbout(asked));
      for (const copies of copiesIn(about).values()) {
        const edits = copies.flatMap(({ search, asked }) => [
          ...bodyEdit(search.exchange, effect, splices(search, asked)),
        ]);
        const [first, ...more] = edits.flatMap(({ instead }) => instead);
        if (first !== undefined) {
          yield { effect, instead: [first, ...more] };
        }
      }
    },
  };
};

export const finalOf = ({ events }: SearchText) => events().findLast(({ event }) => isFinalProgress(event.value));

/** Removes the skipped entries from every `progress` event of a search. */
export const nothingSkipped = ({ events }: SearchText): readonly (Splice | undefined)[] =>
  events()
    .filter(({ event }) => event.name === "progress" && member(event.value, "skipped") !== undefined)
    .map(({ data }) => replaceValue(data, "/skipped", []));

export const skippedSites = eventSites("progress", (value) => elements(member(value, "skipped"), "/skipped"));

/** Entries that contain a suggestion. */
const suggestionSites = eventSites("progress", (value) =>
  elements(member(value, "skipped"), "/skipped").filter(
    ([, entry]) => member(entry, "reason") === "shard-match-limit" && member(entry, "suggested") !== undefined,
  ),
);

export const suggestion = (name: string, text: string): Mutation =>
  siteMutation(
    {
      name,
      needs: "a progress with a `shard-match-limit` entry",
      effect: `suggested \`${text}\` in a \`shard-match-limit\` entry`,
      splice: ({ json, pointer }) => replaceValue(json, `${pointer}/suggested/queryExpression`, text),
    },
    suggestionSites,
  );

/** Edits that change the matches of every copy of a search in the same way. */
export const matchesEdits = (
  effect: string,
  isAbout: (asked: Asked) => boolean,
  splices: (match: MatchText, asked: Asked) => readonly (Splice | undefined)[],
): Pick<Mutation, "edits"> => ({
  *edits(evidence) {
    const about = searchesIn(evidence).filter(({ asked }) => isAbout(asked));
    for (const copies of copiesIn(about).values()) {
      const instead = copies.flatMap(({ search, asked }) => {
        const all = matchesIn(search).flatMap((match) => splices(match, asked));
        return [...bodyEdit(search.exchange, effect, all)].flatMap((edit) => edit.instead);
      });
      const [first, ...more] = instead;
      if (first !== undefined) {
        yield { effect, instead: [first, ...more] };
      }
    }
  },
});

/** A mutation that edits the matches of every copy of a search in the same way. */
export const matchesMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  isAbout: (asked: Asked) => boolean,
  splices: (match: MatchText, asked: Asked) => readonly (Splice | undefined)[],
): Mutation => ({ ...mutation, ...matchesEdits(effect, isAbout, splices) });

/** A match, its index in its stream, and the data of its event. */
export interface MatchText {
  readonly match: unknown;
  readonly index: number;
  readonly pointer: string;
  readonly data: JsonText;
}

const matchesIn = ({ events }: SearchText): readonly MatchText[] =>
  events()
    .filter(({ event }) => event.name === "matches")
    .flatMap(({ event, data }) => elements(event.value).map(([pointer, match]) => ({ match, pointer, data })))
    .map((match, index) => ({ ...match, index }));

/** Replaces a string by a part of it, unless the part is the complete string. */
export const cutText = (data: JsonText, pointer: string, [text, part]: readonly [text: unknown, part: string]) =>
  typeof text === "string" && part !== text ? [replaceValue(data, pointer, part)] : [];

export const cutAt = (text: unknown, maxBytes: number): string =>
  String(text)
    .split("\n")
    .map((line) => Buffer.from(line).subarray(0, maxBytes).toString())
    .join("\n");
