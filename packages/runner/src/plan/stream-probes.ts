import { ruleRecord } from "@assay/contract";
import { elementsOf, member } from "@assay/reading";
import type { RuleId, SearchParameter } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { again, comparisonProbes, repeatedProbes, withNarrowed } from "./comparison-probes.ts";
import { pivotOf } from "./pivot/pivot-of.ts";
import type { Probe } from "./probe.ts";
import { readEvents } from "./answer-events.ts";
import { matchedLines } from "./pivot/matched-line.ts";
import { fragmentOf, hasExhaustiveChoice, maxTried, triedFilters } from "./suggested-filters.ts";

/**
 * Whether a search came to its end with fewer than so many matches, by what it delivered and by what it counts, and without a
 * limit: then it is not too much to ask for everything. Decides nothing else.
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

/** What the probes search for when nothing else was said: a word that most code holds. */
export const defaultQuery = "test count:200";

type Parameters = Readonly<Partial<Record<Exclude<SearchParameter, "q">, string>>>;

/** Id of the probe whose query cannot be understood. */
export const invalidQueryProbe = "problem";

/** Id of the search that is sent first. */
export const plainSearchProbe = "search";

/** Id of the search for the same words without a number. */
export const unlimitedSearchProbe = "not-cut-off";

/**
 * Whether a probe is the plain search, only limits it, or asks for another form of what it finds. Then it finds something where
 * another one of these finds enough. What the pattern types find in the query of a user is left open.
 */
export const plainlyFinding = (id: string): boolean =>
  id === plainSearchProbe ||
  /^(?:not-)?cut-off/u.test(id) ||
  (id.startsWith("parameter-") && !id.startsWith("parameter-t-"));

/**
 * True for a probe that searches a file of the plain search for a word that it showed there, in whatever form and number. The other
 * probes of this file have patterns that need not match.
 */
export const isOfFoundFile = (id: string): boolean => /^pivot(?!-narrowed)/u.test(id);

/** Ids of the probes whose answers lead to others. */
const allPaths = "all-paths-limit";
const onePivot = "pivot";
const allWords = "cut-off-late";

/** Ids of the probes of which one is narrowed by what it suggests, the best one first. */
const narrowable: ReadonlySet<string> = new Set([unlimitedSearchProbe, allWords, plainSearchProbe]);

/**
 * A text that no repository holds, this one included: it is put together only here. What texts are spoilt by on their way is in it,
 * but nothing that has a meaning in a query.
 */
const unknownText = ["qzxv", "no", "such", "text", "8f1c2a", "größe", "日本語", "🔍", `it's<b>"&%20+\u0301`].join("-");

/** Every parameter at once: what one of them does must not depend on the others. */
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
  // A target that keeps a parameter of an earlier search delivers too little now.
  "parameter-none-after-display": {},
  "parameter-v-cm": { v: "V3", cm: "true" },
  // Where no commits are told, it is known of no search what state it met unless the plain one was sent before and after it.
  "parameter-none": {},
};

/** The query without the filters that a probe sets itself. */
const words = (query: string): string =>
  query
    .replace(/(?:^|\s)-?(?:type|count):\S+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();

/** Whether a query says itself how many matches are wanted. */
const hasNumber = (query: string): boolean => /(?:^|\s)count:/u.test(query);

const streamProbe = (id: string, title: string, q: string): Probe => ({
  id,
  title,
  credential: "main",
  parameters: { q },
  purpose: "stream",
});

const parameterProbe = ([id, parameters]: readonly [string, Parameters], q: string): Probe => {
  const shown = Object.entries(parameters).map((pair) => pair.join("="));
  const title = shown.length === 0 ? "a plain search (again)" : shown.join("&");
  return { id, title, credential: "main", parameters: { q, ...parameters }, purpose: "parameters" };
};

const accessProbe = (credential: Exclude<Probe["credential"], "main">, title: string, q: string): Probe => ({
  id: credential === "none" ? "no-token" : credential,
  title,
  credential,
  parameters: { q },
  purpose: "access",
});

/** Every probe of the streaming interface, the plain search first: what it shows decides whether others make sense. */
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
    // Where the query has no number of its own, the plain search is this one.
    ...(hasNumber(query) ? [streamProbe(unlimitedSearchProbe, "the same search without a number", bare)] : []),
    streamProbe("nothing-found", "a search that finds nothing", unknownText),
    streamProbe(invalidQueryProbe, "a query that cannot be understood", "patternType:regexp ("),
    ...["symbol", "commit", "diff"].map((type) =>
      streamProbe(`type-${type}`, `a search for type:${type}`, `${bare} type:${type} count:20`.trim()),
    ),
    // Every code has more than ten files, so that it can be told whether a number of matches ends the search.
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

/** Ids of the probes without parameters and without a number: what is wrong with these searches is told in a stream. */
const plainSearches: ReadonlySet<string> = new Set([
  "nothing-found",
  invalidQueryProbe,
  "all-paths",
  unlimitedSearchProbe,
]);

/** Those of these searches that met a server error, once more: it may have been one of the moment. */
const afterServerErrors = (query: string, answerTo: AnswerTo): readonly Probe[] =>
  streamProbes(query)
    .filter(({ id }) => plainSearches.has(id) && Number(answerTo(id)?.record.response?.status) >= 500)
    .map((probe) => again(probe));

/** What came back for a probe, if it was sent and answered. */
export type AnswerTo = (id: string) => RecordedExchange | undefined;

/** What a run sends: the probes that are known beforehand, and those that answers lead to. */
export interface ProbePlan {
  readonly probes: readonly Probe[];
  /** The searches of one file that `first`, the answer to the plain search, shows to be good for comparing. */
  readonly followUps: (first: RecordedExchange) => readonly Probe[];
  /** What is sent when all these are answered [nothing]. */
  readonly last?: LastProbes;
  /** Whether searches that are compared are sent again where the target was not the same all the time [false]. */
  readonly isRepeated?: boolean;
}

/** The last searches: some once more, and what the answers to others show to be worth asking and not too much. */
export interface LastProbes {
  /** Ids of the probes whose answers are wanted. */
  readonly leading: ReadonlySet<string>;
  readonly probes: (followUps: readonly Probe[], answerTo: AnswerTo) => readonly Probe[];
}

/** Beyond the longest line so much stays for what ends it. */
const lineEndBytes = 2;

/**
 * The search of one file again, cut to its longest matched line: with these lines alone nothing has to be cut. Asked before and
 * after without the limit, since not every target tells of commits. None where no line can be read.
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
    again(linesAlone),
  ];
}

/** Everything there is, of which a search for 1,000 matches has shown that it is less. */
const everything = (id: string, found: string): Probe => ({
  ...streamProbe(id, "the same search for everything", `${found} count:all`.trim()),
  purpose: "comparison",
});
const everyPath = everything("all-paths-all", "type:path");

/** Matches of paths need not tell commits: that nothing changed meanwhile is seen by asking before and after. */
const pathsAgain: Probe = {
  ...streamProbe(`${allPaths}-again`, "the same search that stops at 1,000 matches (again)", "type:path count:1000"),
  purpose: "comparison",
};

/** A search with each of the filters that it suggests and that are worth trying, twice, before it is sent again itself. */
function narrowedProbes(base: Probe, answer: RecordedExchange): readonly Probe[] {
  const narrowed = triedFilters(answer, base.parameters.q).map((value, index): Probe => {
    const title = `the same search, and a filter that was suggested for it (${index + 1})`;
    const parameters = { ...base.parameters, q: `${base.parameters.q} ${value}` };
    return { ...base, id: `narrowed-${index + 1}`, title, parameters, purpose: "comparison" };
  });
  return narrowed.length === 0 ? [] : [...narrowed, ...narrowed.map((one) => again(one)), again(base)];
}

/** The search that is narrowed: a search says of its filters that they count everything where no limit stopped it. */
function narrowed(query: string, answerTo: AnswerTo): readonly Probe[] {
  const answered = streamProbes(query).flatMap((probe) => {
    const answer = narrowable.has(probe.id) ? answerTo(probe.id) : undefined;
    return answer === undefined ? [] : [{ probe, answer }];
  });
  const inOrder = [...narrowable].flatMap((id) => answered.find(({ probe }) => probe.id === id) ?? []);
  const base = inOrder.find(({ answer }) => hasExhaustiveChoice(answer)) ?? inOrder.at(-1);
  return base === undefined ? [] : narrowedProbes(base.probe, base.answer);
}

function lastProbes(query: string, followUps: readonly Probe[], answerTo: AnswerTo): readonly Probe[] {
  const [paths, one, found] = [answerTo(allPaths), answerTo(onePivot), answerTo(allWords)];
  const pivot = followUps.find(({ id }) => id === onePivot);
  const fragment = one === undefined ? undefined : fragmentOf(one);
  const repeated = repeatedProbes(followUps);
  return [
    ...(paths !== undefined && foundAll(paths, 1000) ? [everyPath, pathsAgain] : []),
    ...(found !== undefined && foundAll(found, 1000) ? [everything("find-all", words(query))] : []),
    ...narrowed(query, answerTo),
    ...(one === undefined ? [] : lineLengthProbes(one, followUps)),
    ...(pivot === undefined || fragment === undefined ? repeated : withNarrowed(pivot, fragment, repeated)),
  ];
}

/**
 * The probes that the selected rules need, in the order of sending. The plain search is always among them; without a rule
 * about streams there are none.
 */
export function probesFor(rules: readonly RuleId[], query: string): ProbePlan {
  const purposes = new Set(rules.flatMap((rule) => ruleRecord(rule).searches));
  const isComparing = purposes.has("comparison");
  return {
    probes: streamProbes(query).filter(
      ({ id, purpose }) => purposes.size > 0 && (id === plainSearchProbe || purposes.has(purpose)),
    ),
    followUps(first) {
      const pivot = isComparing ? pivotOf(first) : undefined;
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

/** Of the last searches so many are neither repetitions nor narrowed: everything, what fits the longest line, and after errors. */
const otherLast = 5;

/** About how many searches the answers lead to, at most. */
export const searchesLedTo = (rules: readonly RuleId[]): number => {
  const followUps = comparisonProbes({ repository: "a", path: "b", word: "c", swapped: ["d", "e"] });
  const isComparing = rules.some((rule) => ruleRecord(rule).searches.includes("comparison"));
  const narrowed = 2 * maxTried + 1;
  return isComparing
    ? followUps.length + withNarrowed(everyPath, "", repeatedProbes(followUps)).length + narrowed + otherLast
    : 0;
};
