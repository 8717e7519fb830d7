import { ruleRecord } from "@assay/contract";
import { elementsOf, member } from "@assay/reading";
import type { RuleId, SearchParameter } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { repeatProbe, comparisonProbes, repeatedProbes, withNarrowed } from "./comparison-probes.ts";
import { selectPivot } from "./pivot/pivot-of.ts";
import type { Probe } from "./probe.ts";
import { readEvents } from "./answer-events.ts";
import { matchedLines } from "./pivot/matched-line.ts";
import { suggestedFragment, hasExhaustiveChoice, maxTried, selectFilters } from "./suggested-filters.ts";

/**
 * Reports whether a search ended without a limit, and both delivered and counted fewer than `limit` matches. Then a search for everything
 * is affordable.
 */
function foundAll(exchange: RecordedExchange, limit: number): boolean {
  let matches = 0;
  let final: unknown;
  readEvents(exchange, ({ name, value }) => {
    matches += name === "matches" ? elementsOf(value).length : 0;
    final = name === "progress" && member(value, "done") === true ? value : final;
  });
  const counted = member(final, "matchCount");
  const isCut = elementsOf(member(final, "skipped")).some((entry) => member(entry, "reason") === "shard-match-limit");
  return typeof counted === "number" && counted < limit && matches > 0 && matches < limit && !isCut;
}

/** Default query of the probes: a word that occurs in most code bases. */
export const defaultQuery = "test count:200";

type Parameters = Readonly<Partial<Record<Exclude<SearchParameter, "q">, string>>>;

/** Id of the probe with an invalid query. */
export const invalidQueryProbe = "problem";

/** Id of the search that every run sends first. */
export const plainSearchProbe = "search";

/** Id of the same search without `count:`. */
export const unlimitedSearchProbe = "not-cut-off";

/**
 * Reports whether a probe is the plain search, or the plain search with a limit or a different format. If one of these finds enough, all
 * of them find matches. Searches that set a pattern type are excluded, because its effect on a user's query is unspecified.
 */
export const findsPlainMatches = (id: string): boolean =>
  id === plainSearchProbe ||
  /^(?:not-)?cut-off/u.test(id) ||
  (id.startsWith("parameter-") && !id.startsWith("parameter-t-"));

/**
 * Reports whether a probe searches a known file for a word that the plain search found in it. Other probes of that file use patterns
 * that may not match.
 */
export const isOfFoundFile = (id: string): boolean => /^pivot(?!-narrowed)/u.test(id);

/** Ids of the probes from which others are derived. */
const allPaths = "all-paths-limit";
const onePivot = "pivot";
const allWords = "cut-off-late";

/** Ids of the probes that can be narrowed with a suggested filter, best first. */
const narrowable: ReadonlySet<string> = new Set([unlimitedSearchProbe, allWords, plainSearchProbe]);

/**
 * Text that no repository contains. Its parts are joined at run time so that this repository does not contain it either. It includes
 * characters that faulty encoding corrupts, but none with a meaning in a query.
 */
const unknownText = ["qzxv", "no", "such", "text", "8f1c2a", "größe", "日本語", "🔍", `it's<b>"&%20+\u0301`].join("-");

/** All parameters together, because the effect of a parameter must not depend on the others. */
const everyParameter: Parameters = { v: "V3", t: "standard", cm: "true", cl: "0", "max-line-len": "20", display: "3" };

/** Documented parameters with documented values. Source: search-stream, section 4. */
const parameterSets: Readonly<Record<string, Parameters>> = {
  "parameter-v": { v: "V3" },
  "parameter-t-standard": { t: "standard" },
  "parameter-t-keyword": { t: "keyword" },
  "parameter-t-regexp": { t: "regexp" },
  "parameter-cm": { cm: "true" },
  "parameter-cm-false": { cm: "false" },
  "parameter-cl": { cm: "true", cl: "3" },
  "parameter-max-line-len": { cm: "true", "max-line-len": "40" },
  "parameter-display": { display: "2" },
  "parameter-display-many": { display: "150" },
  "parameter-display-cm": { cm: "true", display: "2" },
  "parameter-display-none": { display: "-1" },
  "parameter-all": everyParameter,
  "parameter-display-some": { display: "7" },
  // Returns too few matches if the target wrongly reuses a parameter of an earlier search.
  "parameter-none-after-display": {},
  "parameter-v-cm": { v: "V3", cm: "true" },
  // If the target does not report commits, plain searches before and after the others show that the index did not change.
  "parameter-none": {},
};

/** Removes the filters that probes set from a query. */
const words = (query: string): string =>
  query
    .replace(/(?:^|\s)-?(?:type|count):\S+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();

/** Reports whether a query sets its own number of matches. */
const hasNumber = (query: string): boolean => /(?:^|\s)count:/u.test(query);

const streamProbe = (id: string, title: string, q: string): Probe => ({
  id,
  title,
  credential: "main",
  parameters: { q },
  purpose: "stream",
});

const parameterProbe = ([id, parameters]: readonly [string, Parameters], q: string): Probe => {
  const pairs = Object.entries(parameters).map((pair) => pair.join("="));
  const title = pairs.length === 0 ? "a plain search (again)" : pairs.join("&");
  return { id, title, credential: "main", parameters: { q, ...parameters }, purpose: "parameters" };
};

const accessProbe = (credential: Exclude<Probe["credential"], "main">, title: string, q: string): Probe => ({
  id: credential === "none" ? "no-token" : credential,
  title,
  credential,
  parameters: { q },
  purpose: "access",
});

/** Returns all probes of the streaming interface. The plain search is first, because its response determines whether others are useful. */
export function streamProbes(query: string): readonly Probe[] {
  const bare = words(query);
  return [
    streamProbe(plainSearchProbe, "a plain search", query),
    streamProbe("paths", "a search for paths", `${bare} type:path count:20`.trim()),
    streamProbe("repositories", "a search for repositories", "type:repo count:20"),
    streamProbe("repositories-cut-off", "a search for one repository", "type:repo count:1"),
    streamProbe("cut-off", "a search that stops at one match", `${bare} count:1`.trim()),
    streamProbe("cut-off-later", "the same search that stops at 50 matches", `${bare} count:50`.trim()),
    streamProbe("cut-off-soon", "the same search that stops at 20 matches", `${bare} count:20`.trim()),
    {
      ...streamProbe("cut-off-cm", "the same search that stops at one match, cm=true", `${bare} count:1`.trim()),
      parameters: { q: `${bare} count:1`.trim(), cm: "true" },
    },
    streamProbe(allWords, "the same search that stops at 1,000 matches", `${bare} count:1000`.trim()),
    // If the query does not contain `count:`, this is identical to the plain search.
    ...(hasNumber(query) ? [streamProbe(unlimitedSearchProbe, "the same search without a number", bare)] : []),
    streamProbe("nothing-found", "a search that finds nothing", unknownText),
    streamProbe(invalidQueryProbe, "a query that cannot be understood", "patternType:regexp ("),
    ...["symbol", "commit", "diff"].map((type) =>
      streamProbe(`type-${type}`, `a search for type:${type}`, `${bare} type:${type} count:20`.trim()),
    ),
    // Code bases have more than ten files, which is sufficient to test that `count:` ends the search.
    streamProbe("all-paths", "a search for any path", "type:path"),
    streamProbe("all-paths-cut-off", "the same search that stops at one match", "type:path count:1"),
    streamProbe(allPaths, "the same search that stops at 1,000 matches", "type:path count:1000"),
    {
      ...streamProbe("all-paths-v", "the same search with v=V3", "type:path count:1000"),
      parameters: { q: "type:path count:1000", v: "V3" },
    },
    {
      ...streamProbe("all-paths-display", "the same search of which two matches are wanted", "type:path count:1000"),
      parameters: { q: "type:path count:1000", display: "2" },
    },
    ...Object.entries(parameterSets).map((entry) => parameterProbe(entry, query)),
    accessProbe("oauth-token", "a search with an OAuth token", query),
    accessProbe("unscoped-token", "a search with a token that lacks the scope", query),
    accessProbe("unscoped-oauth-token", "a search with an OAuth token that lacks the scope", query),
    accessProbe("invalid-token", "a search with a token that was never issued", query),
    accessProbe("shortened-token", "a search with the beginning of the token", query),
    accessProbe("lengthened-token", "a search with the token and one more character", query),
    accessProbe("empty-token", "a search with the word before a token alone", query),
    accessProbe("none", "a search without a token", query),
    {
      ...accessProbe("none", "a search with every parameter and without a token", query),
      id: "no-token-parameters",
      parameters: { q: query, ...everyParameter },
    },
  ];
}

/** Ids of the probes without parameters and without `count:`. Errors of these searches arrive in a stream. */
const plainSearches: ReadonlySet<string> = new Set([
  "nothing-found",
  invalidQueryProbe,
  "all-paths",
  unlimitedSearchProbe,
]);

/** Repeats plain searches that returned a server error, because it may have been temporary. */
const afterServerErrors = (query: string, answerTo: AnswerTo): readonly Probe[] =>
  streamProbes(query)
    .filter(({ id }) => plainSearches.has(id) && Number(answerTo(id)?.record.response?.status) >= 500)
    .map((probe) => repeatProbe(probe));

/** Returns the response to a probe, or undefined if there is none. */
export type AnswerTo = (id: string) => RecordedExchange | undefined;

/** The probes of a run: those known in advance, and those derived from responses. */
export interface ProbePlan {
  readonly probes: readonly Probe[];
  /** Returns the searches of one file, which is selected from `first`, the response to the plain search. */
  readonly followUps: (first: RecordedExchange) => readonly Probe[];
  /** Probes to send after all others have ended [none]. */
  readonly last?: LastProbes;
  /** Whether searches whose results are compared are repeated if the index changed meanwhile [false]. */
  readonly isRepeated?: boolean;
}

/** The last searches: repetitions, and searches that earlier responses show to be useful and affordable. */
export interface LastProbes {
  /** Ids of the probes whose responses are needed. */
  readonly leading: ReadonlySet<string>;
  readonly probes: (followUps: readonly Probe[], answerTo: AnswerTo) => readonly Probe[];
}

/** Space for the line ending after the longest line. */
const lineEndBytes = 2;

/**
 * Returns the search of one file with a line limit equal to the length of its longest matched line, so that no line has to be cut. The
 * same search without the limit is sent before and after it, because not every target reports commits. Empty if no line can be read.
 */
function lineLengthProbes(answer: RecordedExchange, followUps: readonly Probe[]): readonly Probe[] {
  let longest = 0;
  readEvents(answer, ({ name, value }) => {
    const lines = (name === "matches" ? elementsOf(value) : []).flatMap((match) => matchedLines(match));
    longest = Math.max(longest, ...lines.map(({ text }) => text.length));
  });
  const linesAlone = followUps.find(({ id }) => id === "pivot-cl-0");
  if (longest === 0 || linesAlone === undefined) {
    return [];
  }
  const length = String(longest + lineEndBytes);
  const title = `${linesAlone.title}&max-line-len=${length}`;
  return [
    {
      ...linesAlone,
      id: "pivot-max-line-len-longest",
      title,
      parameters: { ...linesAlone.parameters, "max-line-len": length },
    },
    repeatProbe(linesAlone),
  ];
}

/** Creates a search for all matches, for use after a search for 1,000 matches found fewer. */
const everything = (id: string, query: string): Probe => ({
  ...streamProbe(id, "the same search for everything", `${query} count:all`.trim()),
  purpose: "comparison",
});
const everyPath = everything("all-paths-all", "type:path");

/** Path matches may lack commits, so a search before and after shows that the index did not change. */
const pathsAgain: Probe = {
  ...streamProbe(`${allPaths}-again`, "the same search that stops at 1,000 matches (again)", "type:path count:1000"),
  purpose: "comparison",
};

/** Returns a search with each promising suggested filter, twice, and then without a filter. */
function narrowedProbes(base: Probe, answer: RecordedExchange): readonly Probe[] {
  const narrowed = selectFilters(answer, base.parameters.q).map((value, index): Probe => {
    const title = `the same search, and a filter that was suggested for it (${index + 1})`;
    const parameters = { ...base.parameters, q: `${base.parameters.q} ${value}` };
    return { ...base, id: `narrowed-${index + 1}`, title, parameters, purpose: "comparison" };
  });
  return narrowed.length === 0 ? [] : [...narrowed, ...narrowed.map((probe) => repeatProbe(probe)), repeatProbe(base)];
}

/** Narrows the best search, preferably one that no limit stopped, because its filter counts are exhaustive. */
function narrowed(query: string, answerTo: AnswerTo): readonly Probe[] {
  const answeredProbes = streamProbes(query).flatMap((probe) => {
    const answer = narrowable.has(probe.id) ? answerTo(probe.id) : undefined;
    return answer === undefined ? [] : [{ probe, answer }];
  });
  const inOrder = [...narrowable].flatMap((id) => answeredProbes.find(({ probe }) => probe.id === id) ?? []);
  const base = inOrder.find(({ answer }) => hasExhaustiveChoice(answer)) ?? inOrder.at(-1);
  return base === undefined ? [] : narrowedProbes(base.probe, base.answer);
}

function lastProbes(query: string, followUps: readonly Probe[], answerTo: AnswerTo): readonly Probe[] {
  const [pathsAnswer, pivotAnswer, wordsAnswer] = [answerTo(allPaths), answerTo(onePivot), answerTo(allWords)];
  const pivot = followUps.find(({ id }) => id === onePivot);
  const fragment = pivotAnswer === undefined ? undefined : suggestedFragment(pivotAnswer);
  const repeated = repeatedProbes(followUps);
  return [
    ...(pathsAnswer !== undefined && foundAll(pathsAnswer, 1000) ? [everyPath, pathsAgain] : []),
    ...(wordsAnswer !== undefined && foundAll(wordsAnswer, 1000) ? [everything("find-all", words(query))] : []),
    ...narrowed(query, answerTo),
    ...(pivotAnswer === undefined ? [] : lineLengthProbes(pivotAnswer, followUps)),
    ...(pivot === undefined || fragment === undefined ? repeated : withNarrowed(pivot, fragment, repeated)),
  ];
}

/**
 * Returns the probes that the selected rules need, in sending order. Includes the plain search unless there is no rule about streams, in
 * which case there are no probes.
 */
export function probesFor(rules: readonly RuleId[], query: string): ProbePlan {
  const purposes = new Set(rules.flatMap((rule) => ruleRecord(rule).searches));
  const isComparing = purposes.has("comparison");
  return {
    probes: streamProbes(query).filter(
      ({ id, purpose }) => purposes.size > 0 && (id === plainSearchProbe || purposes.has(purpose)),
    ),
    followUps(first) {
      const pivot = isComparing ? selectPivot(first) : undefined;
      return pivot === undefined ? [] : comparisonProbes(pivot);
    },
    isRepeated: isComparing || purposes.has("parameters"),
    last: {
      leading: new Set([...plainSearches, ...(isComparing ? [...narrowable, allPaths, onePivot] : [])]),
      probes: (followUps, answerTo) => [
        ...afterServerErrors(query, answerTo),
        ...(isComparing ? lastProbes(query, followUps, answerTo) : []),
      ],
    },
  };
}

/** Number of last searches that are neither repetitions nor narrowed: for all matches, with a line limit, and after errors. */
const otherLast = 5;

/** Estimates the maximum number of searches derived from responses. */
export const searchesLedTo = (rules: readonly RuleId[]): number => {
  const followUps = comparisonProbes({ repository: "a", path: "b", word: "c", swapped: ["d", "e"] });
  const isComparing = rules.some((rule) => ruleRecord(rule).searches.includes("comparison"));
  const narrowed = 2 * maxTried + 1;
  return isComparing
    ? followUps.length + withNarrowed(everyPath, "", repeatedProbes(followUps)).length + narrowed + otherLast
    : 0;
};
