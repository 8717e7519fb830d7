import type { Selection } from "../query/search-query.ts";
import { matchNames } from "../ripgrep/match-names.ts";
import type { SearchContext } from "./search-context.ts";

/** Names that every included pattern matches and no excluded one. Throws RipgrepError for an invalid pattern. */
export const selectNames = async (
  names: readonly string[],
  selection: Selection,
  options: SearchContext & { readonly caseSensitive: boolean },
): Promise<ReadonlySet<string>> => {
  let left = names;
  for (const [patterns, keep] of [
    [selection.include, true],
    [selection.exclude, false],
  ] as const) {
    for (const pattern of patterns) {
      const matched = await matchNames({ ...options, pattern, names: left });
      left = left.filter((name) => matched.has(name) === keep);
    }
  }
  return new Set(left);
};

/** Reports whether a file of this language, or of none, passes the `lang:` filters. */
export const isLanguageSelected = (language: string | undefined, { exclude, include }: Selection): boolean =>
  (include.length === 0 || (language !== undefined && include.includes(language))) &&
  (language === undefined || !exclude.includes(language));
