import type { RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { cachePerObject } from "../cache-per-object.ts";
import type { Reporter } from "../reporter.ts";
import { defineExchangeRule } from "../rule.ts";
import type { ExchangeRule, JudgedExchange } from "../rule.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { hasCounterpart, judgeEmptiedResults } from "./emptied-results.ts";
import type { ResultPreservingParameter } from "./emptied-results.ts";
import { parseSearch } from "./search.ts";
import type { Search } from "./search.ts";

/** A rule that compares searches that differ in one respect. */
export interface Comparison {
  readonly id: RuleId;
  /** The key shared by comparable searches. Undefined if the rule does not apply to the search. */
  readonly groupKey: (search: Search) => string | undefined;
  /** Reports whether a group contains searches to compare. The results of other groups are not collected. */
  readonly hasPair: (searches: readonly Search[]) => boolean;
  /**
   * Whether to include searches with an unknown credential, as in a HAR file. For rules that a single search can fail.
   * Default: false.
   */
  readonly allowUnknownCredential?: boolean;
  /** Parameters that must not empty the results. They are judged across all groups. Default: none. */
  readonly resultPreservingParameters?: readonly ResultPreservingParameter[];
  /** Whether `judge` reads all searches, so that all results are collected. Default: false. */
  readonly needsAllSearches?: boolean;
  /** Judges the searches of one group, or of a part of it, in the order of the evidence. */
  readonly judge: (
    group: readonly ComparedSearch[],
    reportFor: (exchange: string) => Reporter,
    context: ComparisonContext,
  ) => void;
}

/** The searches around those that are judged. */
interface ComparisonContext {
  /** The whole group. Searches of another part of it can show that the index changed. */
  readonly wholeGroup: readonly ComparedSearch[];
  /** The searches of every group. */
  readonly allSearches: readonly ComparedSearch[];
}

/**
 * Maximum number of searches compared in one group. Later searches are ignored: more repeats add nothing and cost time.
 */
export const maxGroupSize = 80;

/** Creates `hasPair` for a rule that compares two kinds of searches. A group must include both kinds. */
export const hasBoth =
  (isFirst: (search: Search) => boolean, isSecond: (search: Search) => boolean): Comparison["hasPair"] =>
  (searches) =>
    searches.some(isFirst) && searches.some(isSecond);

/** Groups items by key, in order of first appearance. Each group contains at most `maxGroupSize` items. */
export function groupBy<Item>(
  items: readonly Item[],
  groupKey: (item: Item) => string | undefined,
): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = groupKey(item);
    const group = key === undefined ? [] : (groups.get(key) ?? []);
    if (key !== undefined && group.length < maxGroupSize) {
      group.push(item);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/**
 * Defines a rule that compares searches. Results are collected only for searches of groups that contain searches to
 * compare.
 */
export function defineComparison(comparison: Comparison): ExchangeRule {
  const {
    id,
    groupKey,
    hasPair,
    allowUnknownCredential = false,
    resultPreservingParameters = [],
    needsAllSearches = false,
    judge,
  } = comparison;
  const keyOf = cachePerObject(groupKey);
  const cachedParameters = resultPreservingParameters.map((parameter) => ({
    describeIn: cachePerObject(parameter.describeIn),
    groupKey: cachePerObject(parameter.groupKey),
  }));
  const groupSearches = <Item extends { readonly search: Search }>(
    items: readonly Item[],
  ): readonly (readonly Item[])[] =>
    groupBy(items, ({ search }) => keyOf(search)).filter((group) => hasPair(group.map(({ search }) => search)));
  return defineExchangeRule({
    id,
    comparedExchangeIds(records) {
      const recordedSearches = records.flatMap((record) => toRecordedSearches(record, allowUnknownCredential));
      const searchesToCompare = groupSearches(recordedSearches).flat();
      const searches = recordedSearches.map(({ search }) => search);
      const collectsAll =
        (needsAllSearches && searchesToCompare.length > 0) ||
        cachedParameters.some((parameter) => hasCounterpart(parameter, searches));
      return new Set((collectsAll ? recordedSearches : searchesToCompare).map(idOf));
    },
    check(exchanges, reportFor) {
      const searches = exchanges.flatMap((exchange) => toComparedSearches(exchange, allowUnknownCredential));
      for (const group of groupSearches(searches)) {
        judgeWithParts(group, reportFor, (members, report) => {
          if (hasPair(members.map(({ search }) => search))) {
            judge(members, report, { wholeGroup: group, allSearches: searches });
          }
        });
      }
      for (const parameter of cachedParameters) {
        judgeWithParts(searches, reportFor, (members, report) => {
          judgeEmptiedResults({ id, parameter }, members, report);
        });
      }
    },
  });
}

type ReportFor = (exchange: string) => Reporter;
type JudgeSearches = (searches: readonly ComparedSearch[], reportFor: ReportFor) => void;

/**
 * Judges searches together. If there is no violation, judges those on reused connections by themselves, and the others. If a target treats
 * them differently, the repeats of a search differ, and only each part is conclusive.
 */
function judgeWithParts(searches: readonly ComparedSearch[], reportFor: ReportFor, judge: JudgeSearches): void {
  let hasViolation = false;
  judge(searches, (exchange) => {
    const report = reportFor(exchange);
    return {
      ...report,
      violation(finding) {
        hasViolation = true;
        report.violation(finding);
      },
    };
  });
  for (const part of hasViolation ? [] : splitByConnection(searches)) {
    judge(part, violationsOnly(reportFor));
  }
}

const isReused = ({ exchange }: ComparedSearch): boolean => exchange.record.reusesConnection === true;

/** Splits searches into those on reused connections and the others. Returns nothing if all are of one kind. */
function splitByConnection(group: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] {
  const parts = [group.filter(isReused), group.filter((search) => !isReused(search))];
  return parts.every((part) => part.length > 0) ? parts : [];
}

/** Passes violations on, each as an observation of its own, and nothing else. */
const violationsOnly =
  (reportFor: ReportFor): ReportFor =>
  (exchange) => ({
    observation() {},
    note() {},
    blocked() {},
    notTested() {},
    violation(finding) {
      const report = reportFor(exchange);
      report.observation();
      report.violation(finding);
    },
  });

interface RecordedSearch {
  readonly search: Search;
  readonly id: string;
}

const idOf = ({ id }: RecordedSearch): string => id;

function toRecordedSearches(record: ExchangeRecord, allowUnknownCredential: boolean): readonly RecordedSearch[] {
  const search = parseSearch(record, allowUnknownCredential);
  return search === undefined ? [] : [{ search, id: record.id }];
}

function toComparedSearches(exchange: JudgedExchange, allowUnknownCredential: boolean): readonly ComparedSearch[] {
  const search = parseSearch(exchange.record, allowUnknownCredential);
  return search === undefined ? [] : [{ search, exchange }];
}
