import type { RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { ExchangeRule, JudgedExchange } from "../../engine/rule.ts";
import { searchOf } from "./search.ts";
import type { Search } from "./search.ts";

/** A search that is compared with others, and what it came to. */
export interface ComparedSearch {
  readonly search: Search;
  readonly exchange: JudgedExchange;
}

/** A rule that compares searches which differ in one thing. */
export interface Comparison {
  readonly id: RuleId;
  /** Equal for searches that may be compared with each other; `undefined` for a search that the rule is not about. */
  readonly groupOf: (search: Search) => string | undefined;
  /** Whether there is anything to compare among the searches of a group: only then is kept what they find. */
  readonly hasPair: (searches: readonly Search[]) => boolean;
  /** Whether one search alone can break the rule, so that it need not be known who asked, as in a recording [false]. */
  readonly byAnybody?: boolean;
  /** Judges the searches of one group, in the order of the evidence. */
  readonly judge: (group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter) => void;
}

/** Of one group so many searches are compared, the first ones: more copies say nothing new, and each has its cost. */
export const maxCompared = 80;

/** Tells whether some of the searches are of the one kind and some of the other. */
export const hasBoth =
  (isOne: (search: Search) => boolean, isOther: (search: Search) => boolean): Comparison["hasPair"] =>
  (searches) =>
    searches.some(isOne) && searches.some(isOther);

/** Items that share a key, in the order in which keys first appear; of each group at most so many as are compared. */
export function groupsOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = key === undefined ? [] : (groups.get(key) ?? []);
    if (key !== undefined && group.length < maxCompared) {
      groups.set(key, [...group, item]);
    }
  }
  return [...groups.values()];
}

/** A rule of this kind. Results are collected for the searches of groups in which there is something to compare. */
export function defineComparison(comparison: Comparison): ExchangeRule {
  const { id, groupOf, hasPair, byAnybody = false, judge } = comparison;
  const groups = <Item extends { readonly search: Search }>(items: readonly Item[]): readonly (readonly Item[])[] =>
    groupsOf(items, ({ search }) => groupOf(search)).filter((group) => hasPair(group.map(({ search }) => search)));
  return defineExchangeRule({
    id,
    compares: (records) =>
      new Set(
        groups(records.flatMap((record) => recordedSearch(record, byAnybody))).flatMap((group) => group.map(idOf)),
      ),
    check(exchanges, reportFor) {
      for (const group of groups(exchanges.flatMap((exchange) => comparedSearch(exchange, byAnybody)))) {
        judge(group, reportFor);
      }
    },
  });
}

interface RecordedSearch {
  readonly search: Search;
  readonly id: string;
}

const idOf = ({ id }: RecordedSearch): string => id;

function recordedSearch(record: ExchangeRecord, byAnybody: boolean): readonly RecordedSearch[] {
  const search = searchOf(record, byAnybody);
  return search === undefined ? [] : [{ search, id: record.id }];
}

function comparedSearch(exchange: JudgedExchange, byAnybody: boolean): readonly ComparedSearch[] {
  const search = searchOf(exchange.record, byAnybody);
  return search === undefined ? [] : [{ search, exchange }];
}
