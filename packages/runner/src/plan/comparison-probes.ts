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

/** A search of one file: its text and what is added to it. Rules compare it with the searches that differ from it in one respect. */
interface FileSearch {
  readonly id: string;
  readonly text: string;
  /** Value of `count:`. Default: all. */
  readonly count?: number;
  /** Value of `patternType:` in the query. Default: none. */
  readonly filter?: string;
  /** Default: none. */
  readonly parameters?: Parameters;
  /** Whether one connection carries it and others, one after the other, so that a target that mixes up its responses shows. Default: false. */
  readonly isKept?: boolean;
}

/** Makes a search of the files that `file` selects. */
const createProbe = (file: string, { id, text, count, filter, parameters = {}, isKept = false }: FileSearch): Probe => {
  const pairs = Object.entries(parameters).map((pair) => pair.join("="));
  const query = [text, `count:${count ?? "all"}`, ...(filter === undefined ? [] : [`patternType:${filter}`])].join(" ");
  const probe: Probe = {
    id,
    title: `one file: ${pairs.length === 0 ? query : pairs.join("&")}`,
    credential: "main",
    parameters: { q: `${file} ${query}`, ...parameters },
    purpose: "comparison",
  };
  return isKept ? keepConnection(probe) : probe;
};

/** Parameters of a search whose lines are whole. They have no effect on how a query is read, but a target may mix them up. */
const wholeLines: Parameters = { v: "V3", cm: "true", cl: "2", display: "1000" };

/** Returns the searches for a word. They set few parameters, in case a target ignores one unless another one is set. */
const wordSearches = (word: string): readonly FileSearch[] =>
  [
    { id: "pivot" },
    { id: "pivot-cl-0", parameters: { cm: "true", cl: "0" } },
    { id: "pivot-cl-6", parameters: { cm: "true", cl: "6", "max-line-len": "-1" }, isKept: true },
    { id: "pivot-count-1", count: 1, isKept: true },
    { id: "pivot-count-1000", count: 1000, isKept: true },
  ].map((search) => ({ text: word, ...search }));

/**
 * Returns a search with many parameters, and the same search with one or two of them left out or changed. So each parameter is compared
 * while the others are set, and a target that ignores one only together with another one shows. `t` is the pattern type under which the
 * text finds most.
 */
const togetherSearches = (text: string, t: "standard" | "regexp"): readonly FileSearch[] => {
  const all: Parameters = { ...wholeLines, t };
  const without = (...names: readonly string[]): Parameters =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
  const otherType = t === "standard" ? "regexp" : "standard";
  const filter = "regexp";
  return [
    { id: "together", parameters: all },
    { id: "together-without-t", parameters: without("t") },
    { id: "together-without-v-t", parameters: without("v", "t") },
    { id: "together-without-cl", parameters: without("cl") },
    { id: "together-without-cm-cl", parameters: without("cm", "cl") },
    { id: "together-without-cm", parameters: without("cm") },
    { id: "together-max-line-len", parameters: { ...all, "max-line-len": "20" } },
    { id: "together-max-line-len-without-cl", parameters: { ...without("cl"), "max-line-len": "20" } },
    { id: "together-max-line-len-none", parameters: { ...without("cl"), "max-line-len": "-1" } },
    { id: "together-max-line-len-alone", parameters: { ...without("cm"), "max-line-len": "20" } },
    { id: "together-other-type", parameters: { ...all, t: otherType } },
    { id: "together-filter-of-standard", filter: "standard", parameters: { ...all, t: "regexp" } },
    { id: "together-filter", filter, parameters: without("t") },
    { id: "together-filter-without-cl", filter, parameters: without("t", "cl") },
    { id: "together-filter-without-cm-cl", filter, parameters: without("t", "cm", "cl") },
    { id: "together-filter-max-line-len", filter, parameters: { ...without("t"), "max-line-len": "20" } },
  ].map((search) => ({ text, isKept: true, ...search }));
};

/** Returns the searches for a text that pattern types read differently, with each type as a parameter and in the query. */
const dottedSearches = (text: string): readonly FileSearch[] =>
  [
    { id: "dotted" },
    { id: "dotted-v", parameters: { v: "V3" } },
    { id: "dotted-regexp", parameters: { t: "regexp" }, isKept: true },
    { id: "filter", filter: "regexp" },
  ].map((search) => ({ text, ...search }));

/** Returns the search that shows which of two pattern types applies, for a target on which no words can be swapped. */
const contradictorySearch = (text: string): FileSearch => ({
  id: "filter-standard",
  text,
  filter: "regexp",
  parameters: { t: "standard" },
  isKept: true,
});

/** Returns the searches for two words in an order that only the type `keyword` finds. */
const swappedSearches = (text: string): readonly FileSearch[] => {
  const many: Parameters = { ...wholeLines, "max-line-len": "1000" };
  const { v: _v, ...withoutV } = many;
  return [
    { id: "swapped" },
    { id: "swapped-without-v", parameters: withoutV },
    { id: "swapped-standard", parameters: { ...many, t: "standard" } },
    { id: "swapped-keyword", parameters: { ...many, t: "keyword" } },
    { id: "swapped-filter", filter: "keyword" },
    { id: "swapped-filter-standard", filter: "keyword", parameters: { ...many, t: "standard" } },
  ].map((search) => ({ text, isKept: true, parameters: many, ...search }));
};

/** Replaces the middle letter of a word with its code in a URL. Only a target that decodes a query twice reads the word. */
const encodeMiddle = (word: string): string => {
  const middle = Math.floor(word.length / 2);
  const code = word.charCodeAt(middle).toString(16);
  return `${word.slice(0, middle)}%${code}${word.slice(middle + 1)}`;
};

/** Returns searches for texts that faulty encoding corrupts, and one for a word on the same lines. */
export const specialTextProbes = ({ repository, path, word, expressions }: SpecialFile): readonly Probe[] =>
  [
    { id: "text", text: word, parameters: { v: "V3", display: "1000" } },
    ...expressions.map((text, index) => ({
      id: `text-${index + 1}`,
      text,
      // Without `cm`, `cl` has no effect, but a target may decode a query wrongly only together with it.
      parameters: { v: "V3", t: "regexp", cl: "3", display: "1000" },
      isKept: true,
    })),
  ].map((search) => {
    const probe = createProbe(createFileFilters(repository, path), search);
    return { ...probe, title: `a file with special characters: ${probe.title}` };
  });

/** Ids of all probes that others are compared with. */
const comparedIds: ReadonlySet<string> = new Set([
  "pivot",
  "pivot-cl-0",
  "text",
  "together",
  ...["t", "v-t", "cl", "cm-cl"].map((names) => `together-without-${names}`),
  "together-filter",
  "dotted",
  "filter",
  "swapped",
  "swapped-filter",
]);

/**
 * Repeats the searches that others are compared with. They are sent as late as possible, to detect index changes. If matches name their
 * commits, these show the state of the index. But a search that finds nothing names no commit: the one that most others are compared with
 * is sent before and after them.
 */
export const repeatComparedProbes = (probes: readonly Probe[], namesCommits: boolean): readonly Probe[] =>
  probes
    .filter(({ id }) => (namesCommits ? ["together", "pivot"].includes(id) : comparedIds.has(id)))
    .toSorted((a, b) => Number(a.id === "pivot") - Number(b.id === "pivot"))
    .map((probe) => repeatProbe(probe));

/** Sends a search on the connection that others share, so that a target that mixes up the responses of a connection shows. */
export const keepConnection = (probe: Probe): Probe => ({ ...probe, connection: "kept" });

export const repeatProbe = (probe: Probe): Probe => ({
  ...probe,
  id: `${probe.id}-again`,
  title: `${probe.title} (again)`,
});

/** Returns the search of one file with a suggested filter. */
export const narrowPivot = (pivot: Probe, fragment: string): Probe => ({
  ...pivot,
  id: "pivot-narrowed",
  title: "one file, and a filter that was suggested for it",
  parameters: { ...pivot.parameters, q: `${pivot.parameters.q} ${fragment}` },
});

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
  const text = dottedText ?? replaceMiddleWithDot(word);
  const searches: readonly FileSearch[] = [
    ...wordSearches(word),
    ...togetherSearches(text, dottedText === undefined ? "regexp" : "standard"),
    ...dottedSearches(text),
    ...(phraseWords === undefined ? [contradictorySearch(text)] : swappedSearches(phraseWords.join(" "))),
    { id: "encoded-twice", text: encodeMiddle(word), parameters: { t: "regexp" }, isKept: true },
  ];
  return searches.map((search) => createProbe(file, search));
}
