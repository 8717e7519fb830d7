import type { Reporter } from "../reporter.ts";
import type { Comparison } from "./define-comparison.ts";
import { extractFilter } from "./query-filter.ts";
import { haveSameState, isSameReading, isDistinguishable, reasonIndistinguishable } from "./reading.ts";
import { searchKey, typeOf } from "./search.ts";
import type { Search } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** The pattern type filter of a query. */
export const patternTypeFilter = ({ parameters }: Search): ReturnType<typeof extractFilter> =>
  extractFilter(parameters.get("q") ?? "", "patterntype");

/** The pattern type in the query, or undefined. */
export const ownType = (search: Search): string | undefined => patternTypeFilter(search)?.value?.toLowerCase();

/** Pattern types other than the default. */
export const selectedTypes = ["keyword", "regexp"] as const;

/** Reports whether `t` sets the type and the query does not. */
export const isSetByT = (search: Search, type: string): boolean =>
  ownType(search) === undefined && typeOf(search) === type;

/** Reports whether a query has the default type, which neither the query nor `t` changes. */
export const isByDefault = (search: Search): boolean =>
  ownType(search) === undefined && (typeOf(search) ?? "standard") === "standard";

/** Groups searches whose queries differ only in their pattern type, set by `t` or by a filter. */
export const byPatternType: Comparison["groupOf"] = (search) => {
  const filter = patternTypeFilter(search);
  return filter === undefined ? undefined : searchKey(search, { q: filter.rest, t: undefined, v: undefined });
};

/** Searches that set a type by one method (`t` or filter), and those that set it by the other. */
export interface Readings {
  readonly tried: readonly UsableSearch[];
  readonly others: readonly UsableSearch[];
  /** Describes the two methods. `tried` ends a sentence about a search, `others` is its subject. */
  readonly words: { readonly tried: string; readonly others: string };
}

/**
 * Judges whether a query whose type is set by one method is interpreted with that type. If the other method finds
 * different results from the default, this one must too. If it finds exactly the default results, the type had no
 * effect.
 */
export function judgeSelection(
  searches: readonly UsableSearch[],
  { tried, others, words }: Readings,
  reportFor: (exchange: string) => Reporter,
): void {
  const plain = searches.filter(({ search }) => isByDefault(search));
  for (const search of tried) {
    const report = reportFor(search.id);
    const conclusive = plain.filter((base) => haveSameState(search, base) && isDistinguishable(base, others));
    if (conclusive.length === 0) {
      report.notTested(reasonIndistinguishable(search, plain));
      continue;
    }
    report.observation();
    const unaffected = conclusive.find((base) => isSameReading(search, base));
    if (unaffected !== undefined) {
      const message = `search ${search.id} with ${words.tried} finds exactly what search ${unaffected.id} without it finds, although ${words.others} finds different results`;
      report.violation({ message });
    }
  }
}
