import { endedInError, didSearchRun, isUsable, describeResponse } from "../../engine/answer.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { maxGroupSize } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { isIndexUnchanged } from "../../engine/compare/same-commits.ts";
import { searchKey, parseSearch, maxTimesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { stableSearch } from "../../engine/compare/stable-search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import { toUsableSearch } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** All copies of a search, and of the same query with an addition. */
interface Narrowing<Item> {
  readonly base: readonly Item[];
  readonly narrowed: readonly Item[];
  readonly added: string;
}

const queryOf = ({ parameters }: Search): string => parameters.get("q") ?? "";

/** Returns the text added to the query of one search in another one that is otherwise equal. */
export function addedTo(base: Search, narrowed: Search): string | undefined {
  const [q, longer] = [queryOf(base), queryOf(narrowed)];
  // The cheap check is first, because it decides most pairs.
  return longer.startsWith(`${q} `) && searchKey(base, { q: undefined }) === searchKey(narrowed, { q: undefined })
    ? longer.slice(q.length + 1)
    : undefined;
}

/** Pairs repeated searches with those that add to their query. Considers at most `maxCompared` repeated searches. */
function findNarrowings<Item extends { readonly search: Search }>(items: readonly Item[]): readonly Narrowing<Item>[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = searchKey(item.search);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const repeated = [...groups.values()].filter(({ length }) => length > 1).slice(0, maxGroupSize);
  return repeated.flatMap((base) =>
    repeated.flatMap((narrowed) => {
      const [first, second] = [base[0], narrowed[0]];
      const added = first === undefined || second === undefined ? undefined : addedTo(first.search, second.search);
      return added === undefined ? [] : [{ base, narrowed, added }];
    }),
  );
}

/**
 * Matches an excluding filter. Its count may be the matches that it removes or those that remain, so it may find
 * nothing.
 */
const isExcluding = /^(?:-|not\s)/iu;

const nameOf = (text: string): string | undefined => /^\w+(?=:)/u.exec(text)?.[0].toLowerCase();

/** Filters that a query may contain twice. */
const repeatable: ReadonlySet<string | undefined> = new Set(["repo", "lang", undefined]);

/** Reports whether the query already has a filter with this name. The meaning of two is unspecified. */
const hasFilterNamed = (text: string, query: string): boolean =>
  !repeatable.has(nameOf(text)) && query.split(/\s+/u).some((word) => nameOf(word) === nameOf(text));

/**
 * Reports whether `text` is a suggested filter with a count of at least one. For a search of one file, it may also be
 * two filters in a row.
 */
function isSuggested(text: string, { search, results }: UsableSearch): boolean {
  const values = [...results.suggestedFilters].flatMap(([value, { count }]) =>
    count > 0 && !isExcluding.test(value) && !hasFilterNamed(value, queryOf(search)) ? [value] : [],
  );
  const isOneFile = results.files.size === 1;
  return values.some((value) => text === value || (isOneFile && values.some((next) => text === `${value} ${next}`)));
}

const succeeded = (exchange: JudgedExchange): boolean => didSearchRun(exchange) && !endedInError(exchange);

/**
 * Reports whether a search ended properly without results, or was not understood. Alerts of any level do not excuse
 * this, because missing results are reported in `skipped`. Source: search-stream, section 7.
 */
function foundNothing(compared: ComparedSearch): boolean {
  const { exchange } = compared;
  if (!succeeded(exchange)) {
    return isUsable(exchange);
  }
  const search = toUsableSearch(compared);
  const isWhole = search !== undefined && search.isFinished && !mayBePartial(search, exchange);
  return isWhole && exchange.stream?.matches === 0;
}

/**
 * Reports whether a search may have found less than there is, because of a skipped entry or an `error` event, which is
 * not specified.
 */
const mayBePartial = ({ results }: UsableSearch, { stream }: JudgedExchange): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason)) || (stream?.eventCounts["error"] ?? 0) > 0;

const sentAt = ({ exchange }: ComparedSearch): number => exchange.record.times.sentAtMicros;

/** The searches between two searches without the filter that saw one state, as far as is known. */
interface StableTime {
  readonly steady: StableSearch;
  readonly narrowed: readonly ComparedSearch[];
}

/** Returns the stable time of these copies, if all of these searches were sent between them and none saw a different state. */
function stableTimeAmong({ base, narrowed }: Copies, exchanges: readonly JudgedExchange[]): StableTime | undefined {
  const steady = stableSearch(base);
  if (steady === undefined || !isIndexUnchanged(steady.first.results, exchanges)) {
    return undefined;
  }
  const isBetween = narrowed.every(
    (search) => steady.fromMicros <= sentAt(search) && sentAt(search) <= steady.toMicros,
  );
  return isBetween ? { steady, narrowed } : undefined;
}

type Copies = Pick<Narrowing<ComparedSearch>, "base" | "narrowed">;

/** Returns the longest period until the end in which the index did not change. Searches are repeated after a change. */
function stableTime({ base, narrowed }: Copies, exchanges: readonly JudgedExchange[]): StableTime | undefined {
  const copies = base.toSorted((left, right) => sentAt(left) - sentAt(right));
  const starts = copies.slice(1, -1).map((copy) => sentAt(copy));
  return starts.reduce<StableTime | undefined>(
    (found, start) => found ?? stableTimeSince(start, { base: copies, narrowed }, exchanges),
    stableTimeAmong({ base, narrowed }, exchanges),
  );
}

function stableTimeSince(
  start: number,
  { base, narrowed }: Copies,
  exchanges: readonly JudgedExchange[],
): StableTime | undefined {
  const [later, laterNarrowed] = [base, narrowed].map((all) => all.filter((search) => sentAt(search) >= start));
  const laterExchanges = exchanges.filter(({ record }) => record.times.sentAtMicros >= start);
  return later !== undefined && laterNarrowed !== undefined && laterNarrowed.length > 1
    ? stableTimeAmong({ base: later, narrowed: laterNarrowed }, laterExchanges)
    : undefined;
}

function judgeNarrowing(
  narrowing: Narrowing<ComparedSearch>,
  exchanges: readonly JudgedExchange[],
  report: Reporter,
): void {
  const quiet = stableTime(narrowing, exchanges);
  if (quiet === undefined) {
    report.notTested(otherStateOf(maxTimesSent(narrowing.narrowed)));
    return;
  }
  const { added, narrowed } = narrowing;
  const { first } = quiet.steady;
  const [example] = quiet.narrowed;
  if (example === undefined || !isSuggested(added, first)) {
    return;
  }
  report.observation();
  // Earlier searches may have seen any state. A single one with results shows that the filter can find something.
  if (narrowed.every((search) => foundNothing(search))) {
    const result = succeeded(example.exchange) ? "it finds nothing" : describeResponse(example.exchange);
    const message = `search ${example.exchange.record.id} has \`${formatValue(added)}\` added to its query, which search ${
      first.id
    } suggests and counts matches for: ${result}`;
    report.violation({ message });
  }
}

const otherStateOf = (times: number): string =>
  `the responses do not show the same state of the index each time, although a search was sent ${times} times; run again while the index does not change, or choose a \`--query\` that finds content`;

/**
 * A suggested filter can be added to the query, and finds some of the matches that it counts. A search without results
 * names no commit, so only a repeated search is judged, while all others saw the same state of its repositories. For
 * one file, its language and repository apply to all its matches. For several files, one filter is tried at a time.
 * Source: search-stream, sections 2.1 and 6.
 */
export const suggestedFilterFindsMatches = defineExchangeRule({
  id: "stream/suggested-filter-finds-matches",
  comparedExchangeIds(records) {
    const searches = records.flatMap((record) => {
      const search = parseSearch(record);
      return search === undefined ? [] : [{ search }];
    });
    return new Set(findNarrowings(searches).length === 0 ? [] : records.map(({ id }) => id));
  },
  check(exchanges, reportFor) {
    const searches = exchanges.flatMap((exchange) => {
      const search = parseSearch(exchange.record);
      return search === undefined ? [] : [{ search, exchange }];
    });
    for (const narrowing of findNarrowings(searches)) {
      judgeNarrowing(narrowing, exchanges, reportFor(narrowing.narrowed[0]?.exchange.record.id ?? ""));
    }
  },
});
