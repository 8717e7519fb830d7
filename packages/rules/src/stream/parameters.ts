import { endedInError, isSearched, isUsable, mayLackCredential, describeResponse } from "../engine/answer.ts";
import { dataOf } from "../engine/event-place.ts";
import type { Reporter } from "../engine/reporter.ts";
import { defineExchangeRule, defineStreamRule } from "../engine/rule.ts";
import type { JudgedExchange } from "../engine/rule.ts";
import { hasDocumentedParameters, integerParameter, searchQuery } from "../engine/search-query.ts";
import { countedSearch } from "./compare/count-limit.ts";
import { defineComparison, hasBoth } from "./compare/define-comparison.ts";
import type { ComparedSearch } from "./compare/compared-search.ts";
import { byDisplay, displayGroup, displayOf, knownOf, shownSearches } from "./compare/display-pairs.ts";
import { missingResultsOf } from "./compare/found-difference.ts";
import { areOthers, judgeSameResults } from "./compare/judge-same-results.ts";
import { keptStandard, keptVersion } from "./compare/kept-parameters.ts";
import { mentionsFilter } from "./compare/query-filter.ts";
import { hasAllLines, sizeOf } from "./compare/result-size.ts";
import { judgeEmptyWithoutV } from "./parameters/empty-without-v.ts";
import { copiesBeside, isToldApart, whyNotToldApart } from "./compare/reading.ts";
import { foundWithin, isCommitTold, sharedRepositories, whyUnknown } from "./compare/same-state.ts";
import { queryKey, searchKey, searchOf, typeOf, versionOf } from "./compare/search.ts";
import type { Search } from "./compare/search.ts";
import { usableOf } from "./compare/usable.ts";
import type { UsableSearch } from "./compare/usable.ts";

export { chunkLinesAreWhole } from "./parameters/chunk-lines-are-whole.ts";
export { chunkMatchesNeedCm } from "./parameters/chunk-matches-need-cm.ts";
export { clGivesContextLines } from "./parameters/cl-gives-context-lines.ts";
export { clNeedsCm } from "./parameters/cl-needs-cm.ts";
export { cmEnablesChunkMatches } from "./parameters/cm-enables-chunk-matches.ts";
export { countAllFindsEverything, countStopsNoEarlier } from "./parameters/count-finds-everything.ts";
export { countStopsSearch } from "./parameters/count-stops-search.ts";
export { countCutIsNamed, cutResultsAreNamed } from "./parameters/cut-results-are-named.ts";
export { displayIsReached } from "./parameters/display-is-reached.ts";
export { displayKeepsCounting } from "./parameters/display-keeps-counting.ts";
export { limitSuggestionRaisesCount } from "./parameters/limit-suggestion-raises-count.ts";
export { lineParametersKeepFiles } from "./parameters/line-parameters-keep-files.ts";
export { maxLineLenCutsLines } from "./parameters/max-line-len-cuts-lines.ts";
export { maxLineLenKeepsShortLines, maxLineLenLeavesNoLineOut } from "./parameters/max-line-len-keeps-short-lines.ts";
export { maxLineLenNeedsChunks } from "./parameters/max-line-len-needs-chunks.ts";
export { optionalParametersMayBeLeftOut } from "./parameters/optional-parameters-may-be-left-out.ts";
export { patternTypeFilterSelects } from "./parameters/pattern-type-filter-selects.ts";
export { patternTypeFilterWins } from "./parameters/pattern-type-filter-wins.ts";
export { regexpReadsExpressions } from "./parameters/regexp-reads-expressions.ts";
export { suggestedFilterFindsMatches } from "./parameters/suggested-filter-finds-matches.ts";
export { suggestedFilterNarrows } from "./parameters/suggested-filter-narrows.ts";
export { tSelectsPatternType } from "./parameters/t-selects-pattern-type.ts";

/** What two searches must share to be compared: who asks and what for. */
const askedBy = ({ record }: JudgedExchange): string => `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Without `q`, which is required, a search may fail whatever else it has. */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

const isPlain = ({ record }: JudgedExchange): boolean => [...searchQuery(record).keys()].every((name) => name === "q");

/** The parameters besides `q` as they were sent. */
const parametersOf = ({ record }: JudgedExchange): string =>
  [...searchQuery(record)]
    .filter(([name]) => name !== "q")
    .map((pair) => pair.join("="))
    .join("&");

/** The names of the parameters besides `q`, sorted, with `+` between. */
const namesOf = ({ record }: JudgedExchange): string =>
  [...new Set(searchQuery(record).keys())]
    .filter((name) => name !== "q")
    .toSorted()
    .join("+");

/** What means one thing in a pattern of one type and another, or nothing, in one of another type. */
const patternSyntax = /[()[\]{}*+?\\|^$"]/u;

/** Whether the query may be none in the pattern type that `t` asks for. */
function mayBeNoPattern({ record }: JudgedExchange): boolean {
  const query = searchQuery(record);
  return (query.get("t") ?? "standard") !== "standard" && patternSyntax.test(query.get("q") ?? "");
}

const hasWorked = (exchange: JudgedExchange): boolean => isSearched(exchange) && !endedInError(exchange);

function judgeParameters(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const works = new Set(exchanges.filter((exchange) => isPlain(exchange) && hasWorked(exchange)).map(askedBy));
  for (const exchange of exchanges.filter((one) => !mayLackCredential(one))) {
    const isAsked = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
    if (!isAsked || !works.has(askedBy(exchange)) || !isUsable(exchange) || mayBeNoPattern(exchange)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!hasWorked(exchange)) {
      const message = `a search that works without \`${parametersOf(exchange)}\` fails with it: ${describeResponse(exchange)}`;
      report.violation({
        message,
        code: "fails-with",
        argument: namesOf(exchange),
      });
    }
  }
}

interface CountedExchange {
  readonly exchange: JudgedExchange;
  /** Equal for searches that differ in their `count:` alone. */
  readonly key: string;
  /** The filter, as it is shown; `undefined` in a query without one. */
  readonly filter: string | undefined;
}

function countedExchange(exchange: JudgedExchange): readonly CountedExchange[] {
  const search = searchOf(exchange.record, true);
  const counted = search === undefined ? undefined : countedSearch(search);
  if (counted === undefined) {
    return [];
  }
  const { isAll, key, limit } = counted;
  return [
    {
      exchange,
      key,
      filter: isAll ? "count:all" : limit === Infinity ? undefined : `count:${limit}`,
    },
  ];
}

/** A search for more matches takes more time, so that one of its copies may have failed for that. */
function judgeCounts(exchanges: readonly JudgedExchange[], reportFor: (exchange: string) => Reporter): void {
  const counted = exchanges.flatMap((exchange) => countedExchange(exchange));
  const working = counted.filter(({ exchange }) => hasWorked(exchange));
  const judged = counted.filter((one) => !mayLackCredential(one.exchange) && isUsable(one.exchange));
  for (const { exchange, key, filter } of judged.filter((one) => one.filter !== undefined)) {
    const accepted = new Set(working.flatMap((one) => (one.key === key ? [one.filter] : [])));
    if ([...accepted].every((other) => other === filter)) {
      continue;
    }
    const report = reportFor(exchange.record.id);
    report.observation();
    if (!accepted.has(filter)) {
      const message = `a search that works with another number of matches, or without one, fails with \`${filter}\`: ${describeResponse(
        exchange,
      )}`;
      report.violation({ message, code: "fails-with", argument: "count" });
    }
  }
}

/**
 * A documented parameter with a documented value does not spoil a search that works without it, nor does `count:` in its query with a
 * number or `all`. The search without it has to be among the exchanges: a query that fails anyway proves nothing. Source: search-stream,
 * section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    judgeParameters(exchanges, reportFor);
    judgeCounts(exchanges, reportFor);
  },
});

/** No more matches than asked for, however many were found; what a number below 1 asks for is left open. Source: search-stream, sections 4 and 8. */
export const displayBoundsMatches = defineStreamRule({
  id: "stream/display-bounds-matches",
  start: ({ exchange }) => ({
    limit: integerParameter(searchQuery(exchange), "display") ?? 0,
    matches: 0,
  }),
  on: {
    matches(state, event, report) {
      if (state.limit < 1 || !Array.isArray(event.value)) {
        return;
      }
      const before = state.matches;
      state.matches += event.value.length;
      report.observation();
      if (before <= state.limit && state.matches > state.limit) {
        const message = `${state.matches} matches were delivered although \`display\` is ${state.limit}`;
        report.violation({
          message,
          ...dataOf(event, `/${state.limit - before}`),
        });
      }
    },
  },
});

/** Whether, of the repositories that both found something in at the same commit, `plain` delivered less than half. */
function hasLess(plain: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const shared = sharedRepositories(plain.results, search.results);
  const [less, more] = [plain, search].map(({ results }) => sizeOf(foundWithin(results, shared))[unit]);
  return 2 * (less ?? 0) < (more ?? 0);
}

/** Searches that bind nothing by `display`, apart by how they say so: each way has to deliver everything. */
interface Unlimited {
  /** Whether any search, also of another way, tells commits. */
  readonly isTold: boolean;
  readonly searches: readonly UsableSearch[];
  readonly how: string;
}

const isSpelled = ({ search }: UsableSearch): boolean => search.parameters.has("display");

function unlimitedOf(plain: readonly UsableSearch[], isTold: boolean): readonly Unlimited[] {
  return [
    {
      searches: plain.filter((search) => !isSpelled(search)),
      how: "without it",
      isTold,
    },
    { searches: plain.filter(isSpelled), how: "with `display=-1`", isTold },
  ].filter(({ searches }) => searches.length > 0);
}

/** Whether a search counted matches and delivered none of them: then no other state of the index explains it. */
const isHeldBack = ({ results, isFinished }: UsableSearch): boolean =>
  isFinished && sizeOf(results).files === 0 && (results.matchCount ?? 0) > 0;

/**
 * Whether a search counted as many matches as this one, which delivered all that the other delivered and more, out of the same
 * state: whatever is counted, it counted more than it delivered, in whatever state the rest of the index was.
 */
function isWithheld(plain: UsableSearch, search: UsableSearch): boolean {
  const [less, more] = [plain.results, search.results];
  const shared = sharedRepositories(less, more);
  const isSame = less.unidentified.size === 0 && sizeOf(foundWithin(less, shared)).files === sizeOf(less).files;
  const isCounted = less.matchCount !== undefined && less.matchCount === more.matchCount;
  return isSame && isCounted && plain.isFinished && missingResultsOf(more, less).count === 0;
}

function judgeUnlimited(search: UsableSearch, { searches, how, isTold }: Unlimited, report: Reporter): void {
  const unit = [search, ...searches].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
  const delivered = sizeOf(search.results)[unit];
  const empty = searches.find(isHeldBack);
  if (empty !== undefined && delivered > 0) {
    report.observation();
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` delivered ${delivered} matching ${unit}, ${how} search ${
      empty.id
    } counted ${empty.results.matchCount} matches and delivered none`;
    report.violation({ message });
    return;
  }
  const known = knownOf(search, searches, isTold);
  if (known.length === 0 || delivered < 2) {
    report.notTested(delivered < 2 ? foundTooLittle : whyUnknown(search, searches));
    return;
  }
  const most = Math.max(...searches.map(({ results }) => sizeOf(results)[unit]));
  report.observation();
  const isHeld = (one: UsableSearch): boolean => isWithheld(one, search) && sizeOf(one.results)[unit] < delivered;
  const isLess = (one: UsableSearch): boolean => hasLess(one, search, unit) || isWithheld(one, search);
  if (known.every(isHeld) || (2 * most < delivered && (!isTold || known.every(isLess)))) {
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` delivered ${delivered} matching ${unit}, ${how} ${shownSearches(searches)} delivered no more than ${most}`;
    report.violation({ message });
  }
}

/**
 * Without `display`, and with -1 for it, everything is delivered. Searches differ from one time to the next, so less than half of what the
 * same search delivers with it, each time, is a departure, and only in repositories that are known to have been the same; so is less than all
 * of it where each time as many matches were counted.
 * Source: search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const isTold = isCommitTold([...limited, ...plain]);
    for (const search of limited) {
      for (const unlimited of unlimitedOf(plain, isTold)) {
        judgeUnlimited(search, unlimited, reportFor(search.id));
      }
    }
  },
});

const foundTooLittle = "the search finds less than two lines; choose a `--query` that finds more";

/** Whether the query says itself how it is to be read. */
const hasOwnType = ({ parameters }: Search): boolean => mentionsFilter(parameters.get("q") ?? "", "patterntype");

/** Searches that say by `t` how the query is to be read, in another way than by default. */
const otherReadings = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  usableOf(group.filter(({ search }) => ["keyword", "regexp"].includes(typeOf(search) ?? "")));

/** A parameter that has a default: searches without it are held against those that say the same. */
interface DefaultValue {
  readonly isOmitted: (search: Search) => boolean;
  readonly isExplicit: (search: Search) => boolean;
  readonly how: string;
}

function judgeDefault(
  { isOmitted, isExplicit, how }: DefaultValue,
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const copies = group.filter(({ search }) => isOmitted(search));
  const witnesses = otherReadings(group);
  const bases = usableOf(copies);
  const [first] = bases;
  for (const varied of first === undefined ? [] : usableOf(group.filter(({ search }) => isExplicit(search)))) {
    const report = reportFor(first?.id ?? varied.id);
    const pair = { copies, varied, how, witnesses };
    // One of the two is read as it should be; if only the other one is told apart, they differ.
    const isTelling = [varied, ...copiesBeside(varied, bases)].some((one) => isToldApart(one, witnesses));
    if (isTelling || areOthers(pair)) {
      judgeSameResults(pair, report);
    } else {
      report.notTested(whyNotToldApart(varied, witnesses));
    }
  }
}

const defaultVersion: DefaultValue = {
  isOmitted: (search) => versionOf(search) === undefined && typeOf(search) === undefined,
  isExplicit: (search) => versionOf(search) === "V3" && typeOf(search) === undefined,
  how: "with `v=V3`",
};

const versionless = (search: Search): string => searchKey(search, { v: undefined, t: undefined });

/**
 * Left out, `v` is `V3`. The version decides how a query is read, so a query counts that finds other things when it is read
 * in another way, and that does not say itself how it is to be read. Source: search-stream, sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupOf: (search) => (hasOwnType(search) ? undefined : queryKey(search)),
  hasPair: hasBoth(defaultVersion.isOmitted, defaultVersion.isExplicit),
  kept: [keptVersion],
  judge(group, reportFor) {
    judgeEmptyWithoutV(group, reportFor);
    for (const key of new Set(group.map(({ search }) => versionless(search)))) {
      const alike = group.filter(({ search }) => versionless(search) === key);
      if (alike.some(({ search }) => defaultVersion.isExplicit(search))) {
        judgeDefault(defaultVersion, alike, reportFor);
      }
    }
  },
});

const isVersion3 = (search: Search): boolean => (versionOf(search) ?? "V3") === "V3";

const defaultType: DefaultValue = {
  isOmitted: (search) => typeOf(search) === undefined,
  isExplicit: (search) => typeOf(search) === "standard",
  how: "with `t=standard`",
};

/** Left out, `t` is `standard`. Source: search-stream, section 4. */
export const omittedTIsStandard = defineComparison({
  id: "stream/omitted-t-is-standard",
  groupOf: (search) => (isVersion3(search) && !hasOwnType(search) ? searchKey(search, { t: undefined }) : undefined),
  hasPair: hasBoth(defaultType.isOmitted, defaultType.isExplicit),
  kept: [keptStandard],
  judge: (group, reportFor) => judgeDefault(defaultType, group, reportFor),
});
