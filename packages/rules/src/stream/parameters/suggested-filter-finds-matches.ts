import { endedInError, isSearched, isUsable, describeResponse } from "../../engine/answer.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { maxCompared } from "../compare/define-comparison.ts";
import type { ComparedSearch } from "../compare/compared-search.ts";
import { isQuiet } from "../compare/quiet.ts";
import { searchKey, searchOf, timesSent } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { stableSearch } from "../compare/stable-search.ts";
import type { StableSearch } from "../compare/stable-search.ts";
import { usable } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

/** Searches of one query, each time it was sent, and of the same query with something added. */
interface Narrowing<Item> {
  readonly base: readonly Item[];
  readonly narrowed: readonly Item[];
  readonly added: string;
}

const queryOf = ({ parameters }: Search): string => parameters.get("q") ?? "";

/** What was added to the query of one search in another one that is else the same. */
export function addedTo(base: Search, narrowed: Search): string | undefined {
  const [q, longer] = [queryOf(base), queryOf(narrowed)];
  // The quick question first: of most pairs it is the last.
  return longer.startsWith(`${q} `) && searchKey(base, { q: undefined }) === searchKey(narrowed, { q: undefined })
    ? longer.slice(q.length + 1)
    : undefined;
}

/** Of searches that were sent more than once so many are looked at, the first ones. */
function narrowingsAmong<Item extends { readonly search: Search }>(items: readonly Item[]): readonly Narrowing<Item>[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = searchKey(item.search);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const repeated = [...groups.values()].filter(({ length }) => length > 1).slice(0, maxCompared);
  return repeated.flatMap((base) =>
    repeated.flatMap((narrowed) => {
      const [one, other] = [base[0], narrowed[0]];
      const added = one === undefined || other === undefined ? undefined : addedTo(one.search, other.search);
      return added === undefined ? [] : [{ base, narrowed, added }];
    }),
  );
}

/** What takes something away says how many it takes, or how many it leaves: it may find nothing. */
const takesAway = /^(?:-|not\s)/iu;

const nameOf = (text: string): string | undefined => /^\w+(?=:)/u.exec(text)?.[0].toLowerCase();

/** Filters that a query may have twice, each of which keeps what it can. */
const repeatable: ReadonlySet<string | undefined> = new Set(["repo", "lang", undefined]);

/** Whether the query has a filter of this name already: nobody says what two of them come to. */
const isTaken = (text: string, query: string): boolean =>
  !repeatable.has(nameOf(text)) && query.split(/\s+/u).some((word) => nameOf(word) === nameOf(text));

/** Whether the text is a filter that counts a match at least; of one file, also two of them one after the other. */
function isSuggested(text: string, { search, results }: UsableSearch): boolean {
  const values = [...results.suggested].flatMap(([value, { count }]) =>
    count > 0 && !takesAway.test(value) && !isTaken(value, queryOf(search)) ? [value] : [],
  );
  const isOneFile = results.files.size === 1;
  return values.some((value) => text === value || (isOneFile && values.some((next) => text === `${value} ${next}`)));
}

const hasWorked = (exchange: JudgedExchange): boolean => isSearched(exchange) && !endedInError(exchange);

/**
 * Whether a search ended well and found nothing, or was not understood. An alert excuses nothing, whatever its level: what is missing
 * from results is told in `skipped`. Source: search-stream, section 7.
 */
function isInVain(compared: ComparedSearch): boolean {
  const { exchange } = compared;
  if (!hasWorked(exchange)) {
    return isUsable(exchange);
  }
  const search = usable(compared);
  const isWhole = search !== undefined && search.isFinished && !isPartOfThem(search, exchange);
  return isWhole && exchange.stream?.matches === 0;
}

/** Whether a search may have found less than there is: by what it skipped, or by an event `error`, which the document does not know. */
const isPartOfThem = ({ results }: UsableSearch, { stream }: JudgedExchange): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason)) || (stream?.eventCounts["error"] ?? 0) > 0;

const sentAt = ({ exchange }: ComparedSearch): number => exchange.record.times.sentAtMicros;

/** What was asked between two searches without the filter that met one state, as far as anybody can tell. */
interface QuietTime {
  readonly steady: StableSearch;
  readonly narrowed: readonly ComparedSearch[];
}

/** The same of these copies, where all of these searches were sent between them, and nobody met another state. */
function quietTimeOf({ base, narrowed }: Copies, exchanges: readonly JudgedExchange[]): QuietTime | undefined {
  const steady = stableSearch(base);
  if (steady === undefined || !isQuiet(steady.first.results, exchanges)) {
    return undefined;
  }
  const isBetween = narrowed.every((one) => steady.fromMicros <= sentAt(one) && sentAt(one) <= steady.toMicros);
  return isBetween ? { steady, narrowed } : undefined;
}

type Copies = Pick<Narrowing<ComparedSearch>, "base" | "narrowed">;

/** The longest time up to the end in which the index was quiet: where it moved before, searches were asked again. */
function quietTime({ base, narrowed }: Copies, exchanges: readonly JudgedExchange[]): QuietTime | undefined {
  const copies = base.toSorted((one, other) => sentAt(one) - sentAt(other));
  const starts = copies.slice(1, -1).map((copy) => sentAt(copy));
  return starts.reduce<QuietTime | undefined>(
    (found, start) => found ?? quietTimeSince(start, { base: copies, narrowed }, exchanges),
    quietTimeOf({ base, narrowed }, exchanges),
  );
}

function quietTimeSince(
  start: number,
  { base, narrowed }: Copies,
  exchanges: readonly JudgedExchange[],
): QuietTime | undefined {
  const [later, laterNarrowed] = [base, narrowed].map((all) => all.filter((one) => sentAt(one) >= start));
  const met = exchanges.filter(({ record }) => record.times.sentAtMicros >= start);
  return later !== undefined && laterNarrowed !== undefined && laterNarrowed.length > 1
    ? quietTimeOf({ base: later, narrowed: laterNarrowed }, met)
    : undefined;
}

function judgeNarrowing(
  narrowing: Narrowing<ComparedSearch>,
  exchanges: readonly JudgedExchange[],
  report: Reporter,
): void {
  const quiet = quietTime(narrowing, exchanges);
  if (quiet === undefined) {
    report.notTested(otherStateOf(timesSent(narrowing.narrowed)));
    return;
  }
  const { added, narrowed } = narrowing;
  const { first } = quiet.steady;
  const [one] = quiet.narrowed;
  if (one === undefined || !isSuggested(added, first)) {
    return;
  }
  report.observation();
  // Whatever state those met that were sent before: one that found something shows that the filter can.
  if (narrowed.every((search) => isInVain(search))) {
    const came = hasWorked(one.exchange) ? "it finds nothing" : describeResponse(one.exchange);
    const message = `search ${one.exchange.record.id} has \`${formatValue(added)}\` added to its query, which search ${
      first.id
    } suggests and counts matches for: ${came}`;
    report.violation({ message });
  }
}

const otherStateOf = (times: number): string =>
  `no search is known to have met the same state of the index each time, although it was sent ${times} times; run again while the index is quiet, or choose a \`--query\` that finds content`;

/**
 * What a filter suggests can be added to the query, and finds some of the matches that the filter counts. Who finds nothing tells no
 * commit, so this is judged only of a search that was repeated, while everybody else met the same state of its repositories. Of one
 * file, a language and a repository are those of all its matches; of several, one filter is tried at a time. Source: search-stream, sections 2.1 and 6.
 */
export const suggestedFilterFindsMatches = defineExchangeRule({
  id: "stream/suggested-filter-finds-matches",
  compares(records) {
    const searches = records.flatMap((record) => {
      const search = searchOf(record);
      return search === undefined ? [] : [{ search }];
    });
    return new Set(narrowingsAmong(searches).length === 0 ? [] : records.map(({ id }) => id));
  },
  check(exchanges, reportFor) {
    const searches = exchanges.flatMap((exchange) => {
      const search = searchOf(exchange.record);
      return search === undefined ? [] : [{ search, exchange }];
    });
    for (const narrowing of narrowingsAmong(searches)) {
      judgeNarrowing(narrowing, exchanges, reportFor(narrowing.narrowed[0]?.exchange.record.id ?? ""));
    }
  },
});
