import type { TrackedFile } from "../repositories/repository.ts";
import type { FoundSymbol } from "../symbols/find-symbols.ts";
import { itemCount, type SearchResult } from "../search/search-result.ts";

/** Element of a `filters` event. Source: search-stream, section 2.1. */
interface FilterSuggestion {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly exhaustive: boolean;
  readonly kind: string;
}

interface Suggestion {
  readonly value: string;
  readonly label: string;
  readonly kind: "type" | "lang" | "repo" | "file" | "symbol type";
}

/** Counts results by the filters that would select them. */
export interface FilterTally {
  readonly add: (result: SearchResult) => void;
  /** Returns suggestions in wire order: types first, then by count, then by value. Empty if nothing was counted. */
  readonly list: (exhaustive: boolean) => readonly FilterSuggestion[];
}

const typeSuggestions = {
  content: { value: "type:file", label: "Code", kind: "type" },
  path: { value: "type:path", label: "Paths", kind: "type" },
  repo: { value: "type:repo", label: "Repositories", kind: "type" },
  symbol: { value: "type:symbol", label: "Symbols", kind: "type" },
  commit: { value: "type:commit", label: "Commits", kind: "type" },
  diff: { value: "type:diff", label: "Diffs", kind: "type" },
} as const satisfies Record<SearchResult["kind"], Suggestion>;

const exclusions: readonly { readonly source: string; readonly label: string }[] = [
  { source: String.raw`_test\.\w+$`, label: "Exclude _test.*" },
  { source: String.raw`\.test\.\w+$`, label: "Exclude .test.*" },
  { source: String.raw`_spec\.rb$`, label: "Exclude Ruby tests" },
  { source: String.raw`(^|/)vendor/`, label: "Exclude vendor" },
  { source: String.raw`(^|/)third[_\-]?party/`, label: "Exclude third party" },
  { source: String.raw`(^|/)node_modules/`, label: "Exclude node_modules" },
  { source: String.raw`\.min\.js$`, label: "Exclude minified JavaScript" },
  { source: String.raw`\.js\.map$`, label: "Exclude JavaScript maps" },
];

const exclusionPatterns = exclusions.map(({ source, label }) => ({
  pattern: new RegExp(source, "u"),
  suggestion: { value: `-file:${source}`, label, kind: "file" } as const,
}));

const quotedPattern = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/gu, String.raw`\$&`);

const languageSuggestion = (language: string): Suggestion => {
  const value = language.toLowerCase();
  return { value: `lang:${value.includes(" ") ? JSON.stringify(value) : value}`, label: language, kind: "lang" };
};

const symbolSuggestion = ({ kind }: FoundSymbol): Suggestion => {
  const words = kind === "TYPEPARAMETER" ? ["type", "parameter"] : [kind.toLowerCase()];
  const label = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return { value: `select:symbol.${words.join("-")}`, label, kind: "symbol type" };
};

/** A suggestion and its number of items in a result. */
type SuggestionCount = readonly [suggestion: Suggestion, items: number];

const fileSuggestions = ({ language, path }: TrackedFile): readonly Suggestion[] => [
  ...(language === undefined ? [] : [languageSuggestion(language)]),
  ...exclusionPatterns.filter(({ pattern }) => pattern.test(path)).map(({ suggestion }) => suggestion),
];

const countSuggestions = (result: SearchResult): readonly SuggestionCount[] => {
  const { name } = result.repository;
  const general: readonly Suggestion[] = [
    typeSuggestions[result.kind],
    { value: `repo:^${quotedPattern(name)}$`, label: name, kind: "repo" },
    ...("file" in result ? fileSuggestions(result.file) : []),
  ];
  const items = itemCount(result);
  return [
    ...general.map((suggestion): SuggestionCount => [suggestion, items]),
    ...(result.kind === "symbol" ? result.symbols.map((symbol): SuggestionCount => [symbolSuggestion(symbol), 1]) : []),
  ];
};

const compareText = (a: string, b: string): number => Number(a > b) - Number(a < b);

const compareSuggestions = (a: FilterSuggestion, b: FilterSuggestion): number =>
  Number(b.kind === "type") - Number(a.kind === "type") || b.count - a.count || compareText(a.value, b.value);

const maxPerGroup = 1000;

/** Creates an empty tally. It lists at most 1,000 repository filters and 1,000 others, and no unwanted kinds. */
export const createFilterTally = (wantsKind: (kind: string) => boolean): FilterTally => {
  const counts = new Map<string, { readonly suggestion: Suggestion; count: number }>();
  return {
    add: (result) => {
      for (const [suggestion, items] of countSuggestions(result).filter(([{ kind }]) => wantsKind(kind))) {
        const entry = counts.get(suggestion.value) ?? { suggestion, count: 0 };
        entry.count += items;
        counts.set(suggestion.value, entry);
      }
    },
    list: (exhaustive) => {
      const suggestions = [...counts.values()]
        .map(({ count, suggestion: { value, label, kind } }) => ({ value, label, count, exhaustive, kind }))
        .toSorted(compareSuggestions);
      const repositories = suggestions.filter(({ kind }) => kind === "repo").slice(0, maxPerGroup);
      const otherSuggestions = suggestions.filter(({ kind }) => kind !== "repo").slice(0, maxPerGroup);
      return [...repositories, ...otherSuggestions].toSorted(compareSuggestions);
    },
  };
};
