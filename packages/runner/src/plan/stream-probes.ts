import { Buffer } from "node:buffer";
import { ruleRecord } from "@assay/contract";
import { elementsOf, member } from "@assay/reading";
import { chunkText, findChunks } from "@assay/rules";
import type { RuleId, SearchParameter } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import {
  keepConnection,
  repeatProbe,
  comparisonProbes,
  repeatComparedProbes,
  narrowPivot,
  specialTextProbes,
} from "./comparison-probes.ts";
import { namesCommits } from "./index-state.ts";
import { selectPivot } from "./pivot/select-pivot.ts";
import { selectSpecialFile } from "./pivot/select-special-file.ts";
import type { Probe } from "./probe.ts";
import { readEvents } from "./read-events.ts";
import {
  readSuggestedFragment,
  hasExhaustiveChoice,
  maxFiltersTried,
  selectFilters,
  selectLanguage,
} from "./suggested-filters.ts";

/**
 * Reports whether a search ended without a limit, and both delivered and counted fewer than `limit` matches. Then a search for everything
 * is affordable.
 */
function hasFoundAll(exchange: RecordedExchange, limit: number): boolean {
  let matches = 0;
  let finalProgress: unknown;
  readEvents(exchange, ({ name, value }) => {
    matches += name === "matches" ? elementsOf(value).length : 0;
    finalProgress = name === "progress" && member(value, "done") === true ? value : finalProgress;
  });
  const matchCount = member(finalProgress, "matchCount");
  const hitShardLimit = elementsOf(member(finalProgress, "skipped")).some(
    (entry) => member(entry, "reason") === "shard-match-limit",
  );
  return typeof matchCount === "number" && matchCount < limit && matches > 0 && matches < limit && !hitShardLimit;
}

/** Default query of the probes: a word that occurs in most code bases. */
export const defaultQuery = "test count:200";

type Parameters = Readonly<Partial<Record<Exclude<SearchParameter, "q">, string>>>;

/** Id of the probe with an invalid query. */
export const invalidQueryProbeId = "problem";

/** Id of the search that every run sends first. */
export const plainSearchProbeId = "search";

/** Id of the same search without `count:`. */
export const unlimitedSearchProbeId = "not-cut-off";

/**
 * Reports whether a probe is the plain search, or the plain search with a limit or a different format. If one of these finds enough, all
 * of them find matches. Searches that set a pattern type are excluded, because its effect on a user's query is unspecified.
 */
export const findsPlainMatches = (id: string): boolean =>
  id === plainSearchProbeId ||
  /^(?:not-)?cut-off/u.test(id) ||
  (id.startsWith("parameter-") && !id.startsWith("parameter-t-"));

/**
 * Reports whether a probe searches a known file for text that the plain search found in it. Other probes of that file use patterns that
 * may not match.
 */
export const searchesKnownFile = (id: string): boolean => /^(?:pivot(?!-narrowed)|text)/u.test(id);

/** Ids of the probes from which others are derived. */
const pivotId = "pivot";
const allWordsId = "cut-off-late";

/** Ids of the probes that can be narrowed with a suggested filter, best first. */
const narrowableIds: ReadonlySet<string> = new Set([unlimitedSearchProbeId, allWordsId, plainSearchProbeId]);

/**
 * Text that no repository contains. Its parts are joined at run time so that this repository does not contain it either. It includes
 * characters that faulty encoding corrupts, but none with a meaning in a query.
 */
const unknownText = ["qzxv", "no", "such", "text", "8f1c2a", "größe", "日本語", "🔍", `it's<b>"&%20+\u0301`].join("-");

/** All parameters together, because the effect of a parameter must not depend on the others. */
const everyParameter: Parameters = { v: "V3", t: "standard", cm: "true", cl: "0", "max-line-len": "40", display: "7" };

const { display: _display, ...everyOtherParameter } = everyParameter;

/** Parameters with values that change no result. */
const defaultParameters: Parameters = { v: "V3", t: "standard" };

/** Documented parameters with documented values. Source: search-stream, section 4. */
const parameterSets: Readonly<Record<string, Parameters>> = {
  "parameter-display-few": { ...defaultParameters, display: "8" },
  // Returns too few matches if the target wrongly reuses `display` of the search before it.
  "parameter-v-t": defaultParameters,
  "parameter-display-many": { ...defaultParameters, display: "150" },
  "parameter-all-but-display": everyOtherParameter,
  // Returns too few matches if the target wrongly reuses a parameter of an earlier search.
  "parameter-cm-false": { cm: "false", "max-line-len": "20" },
  "parameter-cl-alone": { cl: "3" },
};

/** Ids of the searches with parameters that share one connection. */
const keptConnectionIds: ReadonlySet<string> = new Set(
  ["all-but-display", "display-few", "v-t", "display-many", "cm-false"].map((name) => `parameter-${name}`),
);

/** Removes the filters that probes set from a query. */
const stripFilters = (query: string): string =>
  query
    .replace(/(?:^|\s)-?(?:type|count):\S+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();

/** Reports whether a query sets its own number of matches. */
const setsCount = (query: string): boolean => /(?:^|\s)count:/u.test(query);

const createStreamProbe = (id: string, title: string, q: string): Probe => ({
  id,
  title,
  credential: "main",
  parameters: { q },
  purpose: "stream",
});

const withParameters = (probe: Probe, parameters: Parameters): Probe => ({
  ...probe,
  parameters: { ...probe.parameters, ...parameters },
});

const createParameterProbe = ([id, parameters]: readonly [string, Parameters], q: string): Probe => {
  const pairs = Object.entries(parameters).map((pair) => pair.join("="));
  const title = pairs.length === 0 ? "a plain search (again)" : pairs.join("&");
  const probe: Probe = { id, title, credential: "main", parameters: { q, ...parameters }, purpose: "parameters" };
  return keptConnectionIds.has(id) ? keepConnection(probe) : probe;
};

const createAccessProbe = (credential: Exclude<Probe["credential"], "main">, title: string, q: string): Probe => ({
  id: credential === "none" ? "no-token" : credential,
  title,
  credential,
  parameters: { q },
  purpose: "access",
});

/** Returns the parameters without some of them. */
const without = (parameters: Parameters, ...names: readonly string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

/** Lists the parameters that differ from `everyOtherParameter`. */
const describeDifferences = (parameters: Parameters): readonly string[] => [
  ...Object.entries(parameters).flatMap(([name, value]) => (name in everyOtherParameter ? [] : [`${name}=${value}`])),
  ...Object.keys(everyOtherParameter).flatMap((name) => (name in parameters ? [] : [`without ${name}`])),
];

/** Parameters of searches for paths. `display` is at least their `count:`, so that it cuts nothing off. */
const pathParameters: Parameters = { ...everyOtherParameter, display: "1000" };

/** Returns a search for paths with many parameters and a pattern type in its query. */
const createTogetherPathsProbe = (
  ending: string,
  { count, parameters = pathParameters }: { readonly count?: string; readonly parameters?: Parameters } = {},
): Probe => {
  const counts = count === undefined ? [] : [`count:${count}`];
  const title = ["paths with many parameters", ...counts, ...describeDifferences(parameters)].join(", ");
  const query = ["type:path", "patternType:standard", ...counts].join(" ");
  return withParameters(createStreamProbe(`all-paths-together${ending}`, title, query), parameters);
};

const limitedPathsProbe = createTogetherPathsProbe("-limit", {
  count: "1000",
  parameters: without(pathParameters, "cm", "cl", "max-line-len"),
});
const completePathsProbe = keepConnection(createTogetherPathsProbe("-1000", { count: "1000" }));
const cutPathsProbe = keepConnection(createTogetherPathsProbe("-1", { count: "1" }));

/** Reports whether a probe shares its connection with others. */
export const isKept = ({ connection }: Probe): boolean => connection === "kept";

/** Puts the probes that share a connection last, in the order in which a run sends probes. */
export const keptLast = (probes: readonly Probe[]): readonly Probe[] =>
  probes.toSorted((left, right) => Number(isKept(left)) - Number(isKept(right)));

/**
 * Puts the probes that share a connection first, in the order in which a run repeats probes. Most searches that others are compared with
 * have connections of their own, and are then sent before and after the others.
 */
export const keptFirst = (probes: readonly Probe[]): readonly Probe[] =>
  probes.toSorted((left, right) => Number(isKept(right)) - Number(isKept(left)));

/** Returns all probes of the streaming interface. The plain search is first, because its response determines whether others are useful. */
export function createStreamProbes(query: string): readonly Probe[] {
  const strippedQuery = stripFilters(query);
  const queryWithCount = (count: number): string => `${strippedQuery} count:${count}`.trim();
  return [
    createStreamProbe(plainSearchProbeId, "a plain search", query),
    createStreamProbe("paths", "a search for paths", `${strippedQuery} type:path count:20`.trim()),
    createStreamProbe("repositories", "a search for repositories", "type:repo count:20"),
    // Opens the connection that later searches share.
    keepConnection(createStreamProbe("cut-off", "a search that stops at one match", queryWithCount(1))),
    createStreamProbe(allWordsId, "the same search that stops at 1,000 matches", queryWithCount(1000)),
    withParameters(
      createStreamProbe(
        `${allWordsId}-v`,
        "the same search that stops at 1,000 matches, with v=V3",
        queryWithCount(1000),
      ),
      { v: "V3" },
    ),
    // If the query does not contain `count:`, this is identical to the plain search.
    ...(setsCount(query)
      ? [createStreamProbe(unlimitedSearchProbeId, "the same search without a number", strippedQuery)]
      : []),
    createStreamProbe("nothing-found", "a search that finds nothing", unknownText),
    createStreamProbe(invalidQueryProbeId, "a query that cannot be understood", "patternType:regexp ("),
    ...["symbol", "commit", "diff"].map((type) =>
      createStreamProbe(`type-${type}`, `a search for type:${type}`, `${strippedQuery} type:${type} count:20`.trim()),
    ),
    // Code bases have more than ten files, which is sufficient to test that `count:` ends the search.
    limitedPathsProbe,
    keepConnection(createTogetherPathsProbe("")),
    createTogetherPathsProbe("-display-omitted", { count: "1000", parameters: everyOtherParameter }),
    keepConnection(
      createTogetherPathsProbe("-display-none", {
        count: "1000",
        parameters: { ...everyOtherParameter, display: "-1" },
      }),
    ),
    createTogetherPathsProbe("-display", { count: "1000", parameters: { ...everyOtherParameter, display: "5" } }),
    cutPathsProbe,
    completePathsProbe,
    createTogetherPathsProbe("-without-v", { count: "1000", parameters: without(pathParameters, "v") }),
    ...Object.entries(parameterSets).map((entry) => createParameterProbe(entry, query)),
    createAccessProbe("oauth-token", "a search with an OAuth token", query),
    createAccessProbe("unscoped-token", "a search with a token that lacks the scope", query),
    createAccessProbe("unscoped-oauth-token", "a search with an OAuth token that lacks the scope", query),
    // A target may check only the first token of a connection.
    keepConnection(createAccessProbe("invalid-token", "a search with a token that was never issued", query)),
    createAccessProbe("shortened-token", "a search with the beginning of the token", query),
    createAccessProbe("lengthened-token", "a search with the token and one more character", query),
    createAccessProbe("empty-token", "a search with the word before a token alone", query),
    createAccessProbe("none", "a search without a token", query),
    {
      ...createAccessProbe("none", "a search with every parameter and without a token", query),
      id: "no-token-parameters",
      parameters: { q: query, ...everyParameter },
    },
  ];
}

/** Ids of the probes without parameters and without `count:`. Errors of these searches arrive in a stream. */
const plainSearchIds: ReadonlySet<string> = new Set(["nothing-found", invalidQueryProbeId, unlimitedSearchProbeId]);

/** Repeats plain searches that returned a server error, because it may have been temporary. */
const repeatAfterServerErrors = (query: string, findAnswer: FindAnswer): readonly Probe[] =>
  createStreamProbes(query)
    .filter(({ id }) => plainSearchIds.has(id) && Number(findAnswer(id)?.record.response?.status) >= 500)
    .map((probe) => repeatProbe(probe));

/** Ids of the searches with the query of the user that searches with parameters are compared with. */
const comparedPlainIds: ReadonlySet<string> = new Set([plainSearchProbeId, "parameter-all-but-display"]);

/** Repeats searches that others are compared with, if no commits show that the index did not change meanwhile. */
const repeatPlainSearches = (query: string, findAnswer: FindAnswer): readonly Probe[] => {
  const answer = findAnswer(plainSearchProbeId);
  return answer === undefined || namesCommits(answer)
    ? []
    : createStreamProbes(query)
        .filter(({ id }) => comparedPlainIds.has(id))
        .map((probe) => repeatProbe(probe));
};

/** Returns the response to a probe, or undefined if there is none. */
export type FindAnswer = (id: string) => RecordedExchange | undefined;

/** The probes of a run: those known in advance, and those derived from responses. */
export interface ProbePlan {
  readonly probes: readonly Probe[];
  /** Returns the searches of one file, which is selected from `first`, the response to the plain search. */
  readonly followUps: (first: RecordedExchange) => readonly Probe[];
  /** Probes to send after all others have ended. Default: none. */
  readonly finalProbes?: FinalProbes;
  /** Whether searches whose results are compared are repeated if the index changed meanwhile. Default: false. */
  readonly repeatsComparedSearches?: boolean;
}

/** The last searches: repetitions, and searches that earlier responses show to be useful and affordable. */
export interface FinalProbes {
  /** Ids of the probes whose responses are needed. */
  readonly sourceProbeIds: ReadonlySet<string>;
  readonly probes: (followUps: readonly Probe[], findAnswer: FindAnswer) => readonly Probe[];
}

/** Space for the line ending after the longest line. */
const lineEndBytes = 2;

/** Returns the length of the longest line in the chunk matches of a search, in bytes. 0 if there is none. */
function longestChunkLine(answer: RecordedExchange): number {
  let longestBytes = 0;
  readEvents(answer, ({ name, value }) => {
    const chunks = (name === "matches" ? elementsOf(value) : []).flatMap((match) => findChunks(match));
    const lines = chunks.flatMap((chunk) => chunkText(chunk)?.split("\n") ?? []);
    longestBytes = lines.reduce((longest, line) => Math.max(longest, Buffer.byteLength(line)), longestBytes);
  });
  return longestBytes;
}

/** Ids of the searches with chunk matches that may be sent with a line limit, best first. */
const chunkSearchIds = ["together", "pivot-cl-0"];

/**
 * Returns a search of one file with a line limit equal to the length of its longest line, so that no line has to be cut. Empty if no
 * line can be read.
 */
function lineLengthProbes(followUps: readonly Probe[], findAnswer: FindAnswer): readonly Probe[] {
  for (const id of chunkSearchIds) {
    const answer = findAnswer(id);
    const longestBytes = answer === undefined ? 0 : longestChunkLine(answer);
    const baseProbe = followUps.find((probe) => probe.id === id);
    if (longestBytes > 0 && baseProbe !== undefined) {
      const length = String(longestBytes + lineEndBytes);
      const names = { id: `${id}-max-line-len-longest`, title: `${baseProbe.title}&max-line-len=${length}` };
      return [withParameters({ ...baseProbe, ...names }, { "max-line-len": length })];
    }
  }
  return [];
}

/** Creates a search for all matches, for use after a search for 1,000 matches found fewer. */
const createExhaustiveProbe = (id: string, query: string): Probe => ({
  ...createStreamProbe(id, "the same search for everything", `${query} count:all`.trim()),
  purpose: "comparison",
});
const exhaustivePathsProbe = keepConnection({
  ...createTogetherPathsProbe("-all", { count: "all" }),
  purpose: "comparison",
});

/** If path matches lack commits, a search before and after shows that the index did not change. */
const repeatedPathsProbe: Probe = { ...repeatProbe(limitedPathsProbe), purpose: "comparison" };

/** Adds a suggested filter to the query of a search. */
const createNarrowedProbe = (base: Probe, filter: string, names: Pick<Probe, "id" | "title">): Probe => ({
  ...base,
  ...names,
  parameters: { ...base.parameters, q: `${base.parameters.q} ${filter}` },
  purpose: "comparison",
});

/**
 * Returns a search with each promising suggested filter, the first one again on the connection that others share, also with chunk matches,
 * and then the search without a filter. Others are repeated only if they find nothing. A filter often leaves few enough matches to return
 * all of them, so that chunk matches of several files are compared on targets of any size.
 */
function createNarrowedProbes(base: Probe, answer: RecordedExchange): readonly Probe[] {
  const narrowedProbes = selectFilters(answer, base.parameters.q).map((filter, index) =>
    createNarrowedProbe(base, filter, {
      id: `narrowed-${index + 1}`,
      title: `the same search, and a filter that was suggested for it (${index + 1})`,
    }),
  );
  const [first] = narrowedProbes;
  if (first === undefined) {
    return [];
  }
  const chunkProbe = withParameters(
    { ...first, id: `${first.id}-cm`, title: `${first.title}&cm=true` },
    { cm: "true" },
  );
  return [
    ...narrowedProbes,
    keepConnection(repeatProbe(first)),
    keepConnection(chunkProbe),
    { ...repeatProbe(base), id: "narrowed" },
  ];
}

/** Narrows the best search, preferably one that no limit stopped, because its filter counts are exhaustive. */
function narrowBestSearch(query: string, findAnswer: FindAnswer): readonly Probe[] {
  const answeredProbes = createStreamProbes(query).flatMap((probe) => {
    const answer = narrowableIds.has(probe.id) ? findAnswer(probe.id) : undefined;
    return answer === undefined ? [] : [{ probe, answer }];
  });
  const rankedProbes = [...narrowableIds].flatMap((id) => answeredProbes.find(({ probe }) => probe.id === id) ?? []);
  const base = rankedProbes.find(({ answer }) => hasExhaustiveChoice(answer)) ?? rankedProbes.at(-1);
  return base === undefined ? [] : createNarrowedProbes(base.probe, base.answer);
}

/** Narrows the search for paths with many parameters, with a filter for a language that kept most matches. */
function narrowPaths(findAnswer: FindAnswer): readonly Probe[] {
  const answer = findAnswer(completePathsProbe.id);
  const filter = answer === undefined ? undefined : selectLanguage(answer, completePathsProbe.parameters.q);
  if (filter === undefined) {
    return [];
  }
  const narrowedProbe = createNarrowedProbe(completePathsProbe, filter, {
    id: "narrowed-together-1",
    title: `${completePathsProbe.title}, and a language that was suggested for it`,
  });
  return [narrowedProbe, { ...repeatProbe(completePathsProbe), id: "narrowed-together", purpose: "comparison" }];
}

function createFinalProbes(query: string, followUps: readonly Probe[], findAnswer: FindAnswer): readonly Probe[] {
  const [pathsAnswer, pivotAnswer, wordsAnswer] = [
    findAnswer(limitedPathsProbe.id),
    findAnswer(pivotId),
    findAnswer(allWordsId),
  ];
  const pivot = followUps.find(({ id }) => id === pivotId);
  const narrowedProbes = narrowBestSearch(query, findAnswer);
  // Filters suggested for all files may have counts that are too high to try.
  const fragment = pivotAnswer === undefined ? undefined : readSuggestedFragment(pivotAnswer);
  const repetitions = repeatComparedProbes(followUps, pivotAnswer !== undefined && namesCommits(pivotAnswer));
  return [
    ...(pathsAnswer !== undefined && hasFoundAll(pathsAnswer, 1000)
      ? [exhaustivePathsProbe, ...(namesCommits(pathsAnswer) ? [] : [repeatProbe(cutPathsProbe), repeatedPathsProbe])]
      : []),
    ...(wordsAnswer !== undefined && hasFoundAll(wordsAnswer, 1000)
      ? [createExhaustiveProbe("find-all", stripFilters(query))]
      : []),
    ...narrowedProbes,
    ...narrowPaths(findAnswer),
    ...lineLengthProbes(followUps, findAnswer),
    ...(narrowedProbes.length > 0 || pivot === undefined || fragment === undefined
      ? []
      : [narrowPivot(pivot, fragment)]),
    ...repetitions,
  ];
}

/**
 * Returns the probes that the selected rules need, in sending order. Includes the plain search unless there is no rule about streams, in
 * which case there are no probes.
 */
export function planProbes(rules: readonly RuleId[], query: string): ProbePlan {
  const purposes = new Set(rules.flatMap((rule) => ruleRecord(rule).searches));
  const isComparing = purposes.has("comparison");
  return {
    probes: createStreamProbes(query).filter(
      ({ id, purpose }) => purposes.size > 0 && (id === plainSearchProbeId || purposes.has(purpose)),
    ),
    followUps(first) {
      const pivot = isComparing ? selectPivot(first) : undefined;
      const specialFile = pivot === undefined ? undefined : selectSpecialFile(first, pivot);
      return pivot === undefined
        ? []
        : [...comparisonProbes(pivot), ...(specialFile === undefined ? [] : specialTextProbes(specialFile))];
    },
    repeatsComparedSearches: isComparing || purposes.has("parameters"),
    finalProbes: {
      sourceProbeIds: new Set([
        plainSearchProbeId,
        ...plainSearchIds,
        ...(isComparing
          ? [...narrowableIds, limitedPathsProbe.id, completePathsProbe.id, pivotId, ...chunkSearchIds]
          : []),
      ]),
      probes: (followUps, findAnswer) => [
        ...repeatAfterServerErrors(query, findAnswer),
        ...(purposes.has("parameters") ? repeatPlainSearches(query, findAnswer) : []),
        ...(isComparing ? createFinalProbes(query, followUps, findAnswer) : []),
      ],
    },
  };
}

/** Number of other last searches: for all matches, with a line limit, plain ones, narrowed ones, and after errors. */
const otherFinalSearches = 15;

/** Estimates the maximum number of searches derived from responses. */
export const estimateDerivedSearches = (rules: readonly RuleId[]): number => {
  const file = { repository: "a", path: "b", word: "c" };
  const followUps = [
    ...comparisonProbes({ ...file, swappedWords: ["d", "e"] }),
    ...specialTextProbes({ ...file, expressions: ["f", "g", "h", "i"] }),
  ];
  const isComparing = rules.some((rule) => ruleRecord(rule).searches.includes("comparison"));
  const repetitionCount = repeatComparedProbes(followUps, false).length;
  return isComparing ? followUps.length + repetitionCount + maxFiltersTried + otherFinalSearches : 0;
};
