import type { RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import type { Reporter } from "../reporter.ts";
import { defineExchangeRule } from "../rule.ts";
import type { ExchangeRule, JudgedExchange } from "../rule.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { hasBase, judgeEmptied } from "./emptied.ts";
import type { KeptParameter } from "./emptied.ts";
import { searchOf } from "./search.ts";
import type { Search } from "./search.ts";

/** A rule that compares searches that differ in one thing. */
export interface Comparison {
  readonly id: RuleId;
  /** Key of comparable searches; undefined if the rule is not about the search. */
  readonly groupOf: (search: Search) => string | undefined;
  /** Reports whether a group has anything to compare. Only then its results are collected. */
  readonly hasPair: (searches: readonly Search[]) => boolean;
  /** Whether a single search can fail the rule, so that the sender need not be known, as in a recording [false]. */
  readonly byAnybody?: boolean;
  /** Parameters that must not empty the results, judged over all groups [none]. */
  readonly kept?: readonly KeptParameter[];
  /** Whether `judge` reads all searches, so that all results are kept [false]. */
  readonly readsAll?: boolean;
  /** Judges the searches of one group, in the order of the evidence; `all` has those of every group. */
  readonly judge: (
    group: readonly ComparedSearch[],
    reportFor: (exchange: string) => Reporter,
    all: readonly ComparedSearch[],
  ) => void;
}

/** Maximum number of searches compared in one group, the first ones: more copies add nothing, and each has its cost. */
export const maxCompared = 80;

/** Returns whether the searches include both kinds. */
export const hasBoth =
  (isOne: (search: Search) => boolean, isOther: (search: Search) => boolean): Comparison["hasPair"] =>
  (searches) =>
    searches.some(isOne) && searches.some(isOther);

/** Items grouped by key, in order of first appearance; each group has at most the number of items that are compared. */
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

/** Defines such a rule. Results are collected for searches of groups with something to compare. */
export function defineComparison(comparison: Comparison): ExchangeRule {
  const { id, groupOf, hasPair, byAnybody = false, kept = [], readsAll = false, judge } = comparison;
  const groups = <Item extends { readonly search: Search }>(items: readonly Item[]): readonly (readonly Item[])[] =>
    groupsOf(items, ({ search }) => groupOf(search)).filter((group) => hasPair(group.map(({ search }) => search)));
  return defineExchangeRule({
    id,
    compares(records) {
      const all = records.flatMap((record) => recordedSearch(record, byAnybody));
      const compared = groups(all).flat();
      const searches = all.map(({ search }) => search);
      const isAll = (readsAll && compared.length > 0) || kept.some((parameter) => hasBase(parameter, searches));
      return new Set((isAll ? all : compared).map(idOf));
    },
    check(exchanges, reportFor) {
      const all = exchanges.flatMap((exchange) => comparedSearch(exchange, byAnybody));
      for (const group of groups(all)) {
        judge(group, reportFor, all);
      }
      for (const parameter of kept) {
        judgeEmptied({ id, parameter }, all, reportFor);
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
