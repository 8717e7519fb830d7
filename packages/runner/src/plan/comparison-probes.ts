import type { Pivot, SpecialFile } from "./pivot/pivot.ts";
import type { Probe } from "./probe.ts";

type Parameters = Omit<Probe["parameters"], "q">;

/**
 * Returns a regular expression that matches exactly `name`. Spaces are written as `\s`, because a space would end the filter and
 * quoting is not documented.
 */
const exactPattern = (name: string): string =>
  `^${name.replace(/[.+]/gu, String.raw`\$&`).replaceAll(" ", String.raw`\s`)}$`;

const createFileFilters = (repository: string, path: string): string =>
  `repo:${exactPattern(repository)} file:${exactPattern(path)}`;

/** Replaces the middle letter of a word with a dot. The result matches the word as a regular expression but not as literal text. */
const replaceMiddleWithDot = (word: string): string => {
  const middle = Math.floor(word.length / 2);
  return `${word.slice(0, middle)}.${word.slice(middle + 1)}`;
};

const createProbe = (id: string, q: string, parameters: Parameters = {}): Probe => {
  const pairs = Object.entries(parameters).map((pair) => pair.join("="));
  return {
    id,
    title: pairs.length === 0 ? `one file: ${q.replace(/^repo:\S+ file:\S+ /u, "")}` : `one file: ${pairs.join("&")}`,
    credential: "main",
    parameters: { q, ...parameters },
    purpose: "comparison",
  };
};

/** Returns the same search with different chunk-match parameters and `count:` filters. */
const chunkAndCountProbes = (query: string): readonly Probe[] => {
  const exhaustiveQuery = `${query} count:all`;
  return [
    createProbe("pivot", exhaustiveQuery),
    // A word whose lines differ in case: the default of `v` must not change whether case matters.
    createProbe("pivot-v", exhaustiveQuery, { v: "V3" }),
    createProbe("pivot-cm", exhaustiveQuery, { cm: "true" }),
    createProbe("pivot-cl-0", exhaustiveQuery, { cm: "true", cl: "0" }),
    createProbe("pivot-cl-6", exhaustiveQuery, { cm: "true", cl: "6" }),
    createProbe("pivot-cl-alone", exhaustiveQuery, { cl: "3" }),
    createProbe("pivot-max-line-len", exhaustiveQuery, { cm: "true", "max-line-len": "20" }),
    createProbe("pivot-max-line-len-alone", exhaustiveQuery, { "max-line-len": "20" }),
    createProbe("pivot-count-1", `${query} count:1`),
    createProbe("pivot-count-1000", `${query} count:1000`),
  ];
};

/**
 * Returns a search with many parameters, and the same search with one or two of them left out or changed. So each parameter is compared
 * while the others are set, and a target that ignores one only together with another one shows. `t` is the pattern type under which the
 * query finds most.
 */
const togetherProbes = (query: string, t: "standard" | "regexp"): readonly Probe[] => {
  const parameters = { v: "V3", t, cm: "true", cl: "2", display: "1000" } as const;
  const without = (...names: readonly string[]): Parameters =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));
  const otherType = t === "standard" ? "regexp" : "standard";
  return [
    createProbe("together", query, parameters),
    createProbe("together-without-v", query, without("v")),
    createProbe("together-without-t", query, without("t")),
    createProbe("together-without-v-t", query, without("v", "t")),
    createProbe("together-without-cl", query, without("cl")),
    createProbe("together-without-cm-cl", query, without("cm", "cl")),
    createProbe("together-without-cm", query, without("cm")),
    createProbe("together-max-line-len", query, { ...parameters, "max-line-len": "20" }),
    createProbe("together-max-line-len-none", query, { ...parameters, "max-line-len": "-1" }),
    createProbe("together-max-line-len-alone", query, { ...without("cm"), "max-line-len": "20" }),
    createProbe("together-display-none", query, { ...parameters, display: "-1" }),
    createProbe("together-other-type", query, { ...parameters, t: otherType }),
    createProbe("together-filter", `${query} patternType:regexp`, without("t")),
    createProbe("together-filter-and-type", `${query} patternType:regexp`, { ...parameters, t: "standard" }),
  ];
};

/** Parameters that have no effect on how a query is read. */
const chunks: Parameters = { cm: "true", cl: "2" };

/**
 * Returns two queries with each pattern type, since each interprets them differently. One query is sent with other parameters too, because
 * a target may ignore the type only together with them.
 */
const patternProbes = (dottedQuery: string, swappedQuery: string | undefined): readonly Probe[] => [
  createProbe("dotted", dottedQuery),
  createProbe("dotted-v", dottedQuery, { v: "V3" }),
  createProbe("dotted-regexp", dottedQuery, { t: "regexp" }),
  createProbe("filter", `${dottedQuery} patternType:regexp`),
  createProbe("filter-standard", `${dottedQuery} patternType:regexp`, { t: "standard" }),
  createProbe("filter-of-standard", `${dottedQuery} patternType:standard`),
  createProbe("filter-of-standard-regexp", `${dottedQuery} patternType:standard`, { t: "regexp" }),
  ...(swappedQuery === undefined
    ? []
    : [
        createProbe("swapped", swappedQuery, chunks),
        createProbe("swapped-standard", swappedQuery, { ...chunks, t: "standard" }),
        createProbe("swapped-keyword", swappedQuery, { ...chunks, t: "keyword" }),
        createProbe("swapped-filter", `${swappedQuery} patternType:keyword`, chunks),
        createProbe("swapped-filter-standard", `${swappedQuery} patternType:keyword`, { ...chunks, t: "standard" }),
        createProbe("swapped-filter-of-standard", `${swappedQuery} patternType:standard`, chunks),
        createProbe("swapped-filter-of-standard-keyword", `${swappedQuery} patternType:standard`, {
          ...chunks,
          t: "keyword",
        }),
      ]),
];

/** Replaces the middle letter of a word with its code in a URL. Only a target that decodes a query twice reads the word. */
const encodeMiddle = (word: string): string => {
  const middle = Math.floor(word.length / 2);
  const code = word.charCodeAt(middle).toString(16);
  return `${word.slice(0, middle)}%${code}${word.slice(middle + 1)}`;
};

/** Has no effect without `cm`, but a target may decode a query wrongly only together with it. */
const contextAlone: Parameters = { cl: "3" };

/** Returns searches for texts that faulty encoding corrupts, and one for a word on the same lines. */
export const specialTextProbes = ({ repository, path, word, expressions }: SpecialFile): readonly Probe[] => {
  const file = createFileFilters(repository, path);
  return [
    createProbe("text", `${file} ${word} count:all`),
    ...expressions.map((expression, index) =>
      keepConnection(
        createProbe(`text-${index + 1}`, `${file} ${expression} count:all`, { ...contextAlone, t: "regexp" }),
      ),
    ),
  ].map((probe) => ({ ...probe, title: `a file with special characters: ${probe.title}` }));
};

/** Ids of the probes for a word or text that is there. A search that finds nothing names no commit, so it is sent between two of these. */
const wordIds: ReadonlySet<string> = new Set(["text", "together", "pivot"]);

/** Ids of all probes that others are compared with. */
const comparedIds: ReadonlySet<string> = new Set([
  ...wordIds,
  "pivot-cl-0",
  "together-filter",
  ...["v", "t", "v-t", "cl", "cm-cl"].map((names) => `together-without-${names}`),
  "dotted",
  "filter",
  "filter-of-standard",
  "swapped",
  "swapped-filter",
  "swapped-filter-of-standard",
]);

/**
 * Repeats the searches that others are compared with. They are sent as late as possible, to detect index changes. If matches name their
 * commits, these show the state of the index, and only searches for a word are repeated.
 */
export const repeatComparedProbes = (probes: readonly Probe[], namesCommits: boolean): readonly Probe[] =>
  probes
    .filter(({ id }) => (namesCommits ? wordIds : comparedIds).has(id))
    .toSorted((a, b) => Number(a.id === "pivot") - Number(b.id === "pivot"))
    .map((probe) => repeatProbe(probe));

/** Ids of the probes that one connection carries, one after the other. The searches that they are compared with have connections of their own. */
const keptConnectionIds: ReadonlySet<string> = new Set([
  "pivot-v",
  "pivot-cl-6",
  "pivot-max-line-len",
  "pivot-count-1",
  "dotted-regexp",
  "filter-standard",
  "encoded-twice",
]);

/** Sends a search on the connection that others share, so that a target that mixes up the responses of a connection shows. */
export const keepConnection = (probe: Probe): Probe => ({ ...probe, connection: "kept" });

const sharesConnection = ({ id }: Probe): boolean => keptConnectionIds.has(id) || /^(?:together|swapped)\b/u.test(id);

export const repeatProbe = (probe: Probe): Probe => ({
  ...probe,
  id: `${probe.id}-again`,
  title: `${probe.title} (again)`,
});

/** Adds the search of one file with a suggested filter, first at the start and then before the last repetition. */
export function addNarrowedProbe(pivot: Probe, fragment: string, repetitions: readonly Probe[]): readonly Probe[] {
  const narrowedProbe: Probe = {
    ...createProbe("pivot-narrowed", `${pivot.parameters.q} ${fragment}`),
    title: "one file, and a filter that was suggested for it",
  };
  const repeatedProbe = keepConnection(repeatProbe(narrowedProbe));
  return [narrowedProbe, ...repetitions.slice(0, -1), repeatedProbe, ...repetitions.slice(-1)];
}

/** Returns the searches of one file that are compared with each other. They differ in one parameter or filter. */
export function comparisonProbes({
  repository,
  path,
  word,
  dottedText,
  phrase,
  swappedWords,
}: Pivot): readonly Probe[] {
  const file = createFileFilters(repository, path);
  const phraseWords = phrase ?? swappedWords;
  const wordsQuery = phraseWords === undefined ? undefined : `${file} ${phraseWords.join(" ")} count:all`;
  const dottedQuery = `${file} ${dottedText ?? replaceMiddleWithDot(word)} count:all`;
  const probes: readonly Probe[] = [
    ...chunkAndCountProbes(`${file} ${word}`),
    ...togetherProbes(dottedQuery, dottedText === undefined ? "regexp" : "standard"),
    ...patternProbes(dottedQuery, wordsQuery),
    createProbe("encoded-twice", `${file} ${encodeMiddle(word)} count:all`, { ...contextAlone, t: "regexp" }),
  ];
  return probes.map((probe) => (sharesConnection(probe) ? keepConnection(probe) : probe));
}
