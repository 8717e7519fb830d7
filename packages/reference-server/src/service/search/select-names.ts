import type { Selection } from "../query/search-query.ts";
import { matchNames } from "../ripgrep/match-names.ts";
import type { SearchContext } from "./search-context.ts";

/** Selects names that match every included pattern and no excluded one. Throws RipgrepError for an invalid pattern. */
export const selectNames = async (
  names: readonly string[],
  selection: Selection,
  options: SearchContext & { readonly caseSensitive: boolean },
): Promise<ReadonlySet<string>> => {
  let remainingNames = names;
  for (const [patterns, keep] of [
    [selection.include, true],
    [selection.exclude, false],
  ] as const) {
    for (const pattern of patterns) {
      const matchedNames = await matchNames({ ...options, pattern, names: remainingNames });
      remainingNames = remainingNames.filter((name) => matchedNames.has(name) === keep);
    }
  }
  return new Set(remainingNames);
};

/** Reports whether a file passes the `lang:` filters. `language` is undefined if it is unknown. */
export const isLanguageSelected = (language: string | undefined, { exclude, include }: Selection): boolean =>
  (include.length === 0 || (language !== undefined && include.includes(language))) &&
  (language === undefined || !exclude.includes(language));
