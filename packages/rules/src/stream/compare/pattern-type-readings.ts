import type { Reporter } from "../../engine/reporter.ts";
import type { Comparison } from "./define-comparison.ts";
import { takeFilter } from "./query-filter.ts";
import { haveSameState, isSameReading, isToldApart, whyNotToldApart } from "./reading.ts";
import { searchKey, typeOf } from "./search.ts";
import type { Search } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** The filter for the pattern type in a query. */
export const filterOf = ({ parameters }: Search): ReturnType<typeof takeFilter> =>
  takeFilter(parameters.get("q") ?? "", "patterntype");

/** The pattern type that the query itself asks for; `undefined` when it asks for none. */
export const ownType = (search: Search): string | undefined => filterOf(search)?.value?.toLowerCase();

/** Pattern types other than the one that is used without `t`. */
export const selectedTypes = ["keyword", "regexp"] as const;

/** Whether `t` asks for a type, and the query for none. */
export const isAskedByT = (search: Search, type: string): boolean =>
  ownType(search) === undefined && typeOf(search) === type;

/** Whether a query is read by default: neither it nor `t` asks for another type. */
export const isByDefault = (search: Search): boolean =>
  ownType(search) === undefined && (typeOf(search) ?? "standard") === "standard";

/** Groups searches whose queries differ in nothing but their pattern type, however it is asked for. */
export const byPatternType: Comparison["groupOf"] = (search) => {
  const taken = filterOf(search);
  return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined, v: undefined });
};

/** Searches that ask for a type in one way, and those that ask for it in the other one. */
export interface Readings {
  readonly tried: readonly UsableSearch[];
  readonly others: readonly UsableSearch[];
  /** The two ways, in words: `tried` ends a sentence about a search, `others` is the subject of one. */
  readonly words: { readonly tried: string; readonly others: string };
}

/**
 * Judges whether a query that asks for a type in one way is read by it. Where the other way finds other things than the query by
 * default, so has this one to; what finds exactly what the query finds by default was not read as asked.
 */
export function judgeSelection(
  searches: readonly UsableSearch[],
  { tried, others, words }: Readings,
  reportFor: (exchange: string) => Reporter,
): void {
  const plain = searches.filter(({ search }) => isByDefault(search));
  for (const asked of tried) {
    const report = reportFor(asked.id);
    const telling = plain.filter((one) => haveSameState(asked, one) && isToldApart(one, others));
    if (telling.length === 0) {
      report.notTested(whyNotToldApart(asked, plain));
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
