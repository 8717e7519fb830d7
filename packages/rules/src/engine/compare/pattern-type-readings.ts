import type { Reporter } from "../reporter.ts";
import type { Comparison } from "./define-comparison.ts";
import { takeFilter } from "./query-filter.ts";
import { haveSameState, isSameReading, isDistinguishable, reasonIndistinguishable } from "./reading.ts";
import { searchKey, typeOf } from "./search.ts";
import type { Search } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** The pattern type filter of a query. */
export const filterOf = ({ parameters }: Search): ReturnType<typeof takeFilter> =>
  takeFilter(parameters.get("q") ?? "", "patterntype");

/** The pattern type in the query; undefined if it has none. */
export const ownType = (search: Search): string | undefined => filterOf(search)?.value?.toLowerCase();

/** Pattern types other than the default. */
export const selectedTypes = ["keyword", "regexp"] as const;

/** Reports whether `t` sets a type, and the query does not. */
export const isAskedByT = (search: Search, type: string): boolean =>
  ownType(search) === undefined && typeOf(search) === type;

/** Reports whether a query has the default type: neither it nor `t` sets another one. */
export const isByDefault = (search: Search): boolean =>
  ownType(search) === undefined && (typeOf(search) ?? "standard") === "standard";

/** Groups searches whose queries only differ in their pattern type, set in any way. */
export const byPatternType: Comparison["groupOf"] = (search) => {
  const taken = filterOf(search);
  return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined, v: undefined });
};

/** Searches that set a type in one way, and those that set it in the other way. */
export interface Readings {
  readonly tried: readonly UsableSearch[];
  readonly others: readonly UsableSearch[];
  /** Describes the two ways: `tried` ends a sentence about a search, `others` is its subject. */
  readonly words: { readonly tried: string; readonly others: string };
}

/**
 * Judges whether a query with a type set in one way is read by it. If the other way finds other results than the
 * default, this one must too; if it finds exactly the default results, it was not read as requested.
 */
export function judgeSelection(
  searches: readonly UsableSearch[],
  { tried, others, words }: Readings,
  reportFor: (exchange: string) => Reporter,
): void {
  const plain = searches.filter(({ search }) => isByDefault(search));
  for (const asked of tried) {
    const report = reportFor(asked.id);
    const telling = plain.filter((one) => haveSameState(asked, one) && isDistinguishable(one, others));
    if (telling.length === 0) {
      report.notTested(reasonIndistinguishable(asked, plain));
      continue;
    }
    report.observation();
    const same = telling.find((one) => isSameReading(asked, one));
    if (same !== undefined) {
      const message = `search ${asked.id} with ${words.tried} finds what search ${same.id} without it finds, and nothing else, although ${words.others} finds other things`;
      report.violation({ message });
    }
  }
}
