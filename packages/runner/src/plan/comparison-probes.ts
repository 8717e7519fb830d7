import type { Pivot } from "./pivot/pivot.ts";
import type { Probe } from "./probe.ts";

type Parameters = Omit<Probe["parameters"], "q">;

/**
 * Returns a regular expression that matches exactly `name`. Spaces are written as `\s`, because a space would end the filter and
 * quoting is not documented.
 */
const exactPattern = (name: string): string =>
  `^${name.replace(/[.+]/gu, String.raw`\$&`).replaceAll(" ", String.raw`\s`)}$`;

/** Replaces the middle letter of a word with a dot. The result matches the word as a regular expression but not as literal text. */
const withDot = (word: string): string => {
  const middle = Math.floor(word.length / 2);
  return `${word.slice(0, middle)}.${word.slice(middle + 1)}`;
};

const inOtherCase = (word: string): string => (word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase());

const probe = (id: string, q: string, parameters: Parameters = {}): Probe => {
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
const partProbes = (word: string, otherCase: string): readonly Probe[] => {
  const exhaustiveQuery = `${word} count:all`;
  return [
    probe("pivot", exhaustiveQuery),
    probe("pivot-v", exhaustiveQuery, { v: "V3" }),
    probe("pivot-cm", exhaustiveQuery, { cm: "true" }),
    probe("pivot-cl-0", exhaustiveQuery, { cm: "true", cl: "0" }),
    probe("pivot-cl-2", exhaustiveQuery, { cm: "true", cl: "2" }),
    probe("pivot-cl-6", exhaustiveQuery, { cm: "true", cl: "6" }),
    probe("pivot-cl-alone", exhaustiveQuery, { cl: "3" }),
    probe("pivot-max-line-len", exhaustiveQuery, { cm: "true", "max-line-len": "20" }),
    probe("pivot-max-line-len-none", exhaustiveQuery, { cm: "true", "max-line-len": "-1" }),
    probe("pivot-max-line-len-alone", exhaustiveQuery, { "max-line-len": "20" }),
    probe("pivot-count-1", `${word} count:1`),
    probe("pivot-count-1000", `${word} count:1000`),
    // Case sensitivity is unspecified, but setting the default pattern type explicitly must not change it.
    probe("other-case", `${otherCase} count:all`),
    probe("other-case-v", `${otherCase} count:all`, { v: "V3" }),
  ];
};

/** Returns one query with each pattern type, since each interprets it differently. */
const patternProbes = (dots: string, swapped: string | undefined): readonly Probe[] => [
  probe("dotted", dots),
  probe("dotted-v", dots, { v: "V3" }),
  probe("dotted-standard", dots, { t: "standard" }),
  probe("dotted-regexp", dots, { t: "regexp" }),
  probe("filter", `${dots} patternType:regexp`),
  probe("filter-standard", `${dots} patternType:regexp`, { t: "standard" }),
  probe("filter-of-standard", `${dots} patternType:standard`),
  probe("filter-of-standard-regexp", `${dots} patternType:standard`, { t: "regexp" }),
  ...(swapped === undefined
    ? []
    : [
        probe("swapped", swapped),
        probe("swapped-standard", swapped, { t: "standard" }),
        probe("swapped-keyword", swapped, { t: "keyword" }),
        probe("swapped-filter", `${swapped} patternType:keyword`),
        probe("swapped-filter-standard", `${swapped} patternType:keyword`, { t: "standard" }),
        probe("swapped-filter-of-standard", `${swapped} patternType:standard`),
        probe("swapped-filter-of-standard-keyword", `${swapped} patternType:standard`, { t: "keyword" }),
      ]),
];

/** Ids of the probes that others are compared with. */
const compared: ReadonlySet<string> = new Set([
  "pivot",
  "other-case",
  "dotted",
  "filter",
  "filter-of-standard",
  "swapped",
  "swapped-filter",
  "swapped-filter-of-standard",
]);

/** Repeats the searches that others are compared with. They are sent as late as possible, to detect index changes. */
export const repeatedProbes = (probes: readonly Probe[]): readonly Probe[] =>
  probes
    .filter(({ id }) => compared.has(id))
    .toSorted((a, b) => Number(a.id === "pivot") - Number(b.id === "pivot"))
    .map((first) => repeatProbe(first));

export const repeatProbe = (first: Probe): Probe => ({
  ...first,
  id: `${first.id}-again`,
  title: `${first.title} (again)`,
});

/** Adds the search of one file with a suggested filter, first at the start and then before the last repetition. */
export function withNarrowed(pivot: Probe, fragment: string, repeated: readonly Probe[]): readonly Probe[] {
  const narrowed: Probe = {
    ...probe("pivot-narrowed", `${pivot.parameters.q} ${fragment}`),
    title: "one file, and a filter that was suggested for it",
  };
  return [narrowed, ...repeated.slice(0, -1), repeatProbe(narrowed), ...repeated.slice(-1)];
}

/** Returns the searches of one file that are compared with each other. They differ in one parameter or filter. */
export function comparisonProbes({ repository, path, word, dotted, phrase, swapped }: Pivot): readonly Probe[] {
  const file = `repo:${exactPattern(repository)} file:${exactPattern(path)}`;
  const words = phrase ?? swapped;
  const wordsQuery = words === undefined ? undefined : `${file} ${words.join(" ")} count:all`;
  return [
    ...partProbes(`${file} ${word}`, `${file} ${inOtherCase(word)}`),
    ...patternProbes(`${file} ${dotted ?? withDot(word)} count:all`, wordsQuery),
  ];
}
