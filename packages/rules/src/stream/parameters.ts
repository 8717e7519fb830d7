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
import { copiesInStateOf, isDistinguishable, reasonIndistinguishable } from "./compare/reading.ts";
import { foundWithin, hasCommits, sharedRepositories, reasonUnknown } from "./compare/same-state.ts";
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

/** Key of comparable searches: the sender and the query. */
const askedBy = ({ record }: JudgedExchange): string => `${record.credential} ${String(searchQuery(record).get("q"))}`;

/** Without the required `q`, a search may fail for any parameters. */
const hasQuery = ({ record }: JudgedExchange): boolean => searchQuery(record).has("q");

const isPlain = ({ record }: JudgedExchange): boolean => [...searchQuery(record).keys()].every((name) => name === "q");

/** The parameters besides `q` as sent. */
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

/** Characters whose meaning depends on the pattern type. */
const patternSyntax = /[()[\]{}*+?\\|^$"]/u;

/** Whether the query may be invalid in the pattern type of `t`. */
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
  /** Key of searches that only differ in `count:`. */
  readonly key: string;
  /** The filter in messages; undefined in a query without one. */
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

/** A search for more matches takes longer, so one of its copies may have failed for that reason. */
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
 * A documented parameter with a documented value does not break a search that works without it, nor does `count:`
 * with a number or `all` in its query. The search without it must be among the exchanges: a query that fails anyway
 * proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    judgeParameters(exchanges, reportFor);
    judgeCounts(exchanges, reportFor);
  },
});

/**
 * At most the requested number of matches is returned, however many were found; numbers below 1 are unspecified.
 * Source: search-stream, sections 4 and 8.
 */
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
        const message = `${state.matches} matches were returned although \`display\` is ${state.limit}`;
        report.violation({
          message,
          ...dataOf(event, `/${state.limit - before}`),
        });
      }
    },
  },
});

/** Whether `plain` returned less than half in the repositories that both know at the same commit. */
function hasLess(plain: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const shared = sharedRepositories(plain.results, search.results);
  const [less, more] = [plain, search].map(({ results }) => sizeOf(foundWithin(results, shared))[unit]);
  return 2 * (less ?? 0) < (more ?? 0);
}

/** Searches without a limit by `display`, grouped by the way they say so: each way must return everything. */
interface Unlimited {
  /** Whether any search, in any group, names commits. */
  readonly hasCommit: boolean;
  readonly searches: readonly UsableSearch[];
  readonly how: string;
}

const isSpelled = ({ search }: UsableSearch): boolean => search.parameters.has("display");

function unlimitedOf(plain: readonly UsableSearch[], hasCommit: boolean): readonly Unlimited[] {
  return [
    {
      searches: plain.filter((search) => !isSpelled(search)),
      how: "without it",
      hasCommit,
    },
    { searches: plain.filter(isSpelled), how: "with `display=-1`", hasCommit },
  ].filter(({ searches }) => searches.length > 0);
}

/** Whether a search counted matches and returned none: another state of the index does not explain that. */
const isHeldBack = ({ results, isFinished }: UsableSearch): boolean =>
  isFinished && sizeOf(results).files === 0 && (results.matchCount ?? 0) > 0;

/**
 * Whether a search counted at least as many matches as this one, which returned everything that the other returned
 * and more, in the same state: in any unit, it counted more than it returned, whatever the state of the rest of the
 * index.
 */
function isWithheld(plain: UsableSearch, search: UsableSearch): boolean {
  const [less, more] = [plain.results, search.results];
  const shared = sharedRepositories(less, more);
  const isSame = less.unidentified.size === 0 && sizeOf(foundWithin(less, shared)).files === sizeOf(less).files;
  const isCounted = less.matchCount !== undefined && less.matchCount === more.matchCount;
  return isSame && isCounted && plain.isFinished && missingResultsOf(more, less).count === 0;
}

function judgeUnlimited(search: UsableSearch, { searches, how, hasCommit }: Unlimited, report: Reporter): void {
  const unit = [search, ...searches].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
  const delivered = sizeOf(search.results)[unit];
  const empty = searches.find(isHeldBack);
  if (empty !== undefined && delivered > 0) {
    report.observation();
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` returned ${delivered} matching ${unit}; ${how}, search ${
      empty.id
    } counted ${empty.results.matchCount} matches and returned none`;
    report.violation({ message });
    return;
  }
  const known = knownOf(search, searches, hasCommit);
  if (known.length === 0 || delivered < 2) {
    report.notTested(delivered < 2 ? foundTooLittle : reasonUnknown(search, searches));
    return;
  }
  const max = Math.max(...searches.map(({ results }) => sizeOf(results)[unit]));
  report.observation();
  const isHeld = (one: UsableSearch): boolean => isWithheld(one, search) && sizeOf(one.results)[unit] < delivered;
  const isLess = (one: UsableSearch): boolean => hasLess(one, search, unit) || isWithheld(one, search);
  if (known.every(isHeld) || (2 * max < delivered && (!hasCommit || known.every(isLess)))) {
    const message = `search ${search.id} with \`display=${displayOf(
      search.search,
    )}\` returned ${delivered} matching ${unit}; ${how}, ${shownSearches(searches)} returned at most ${max}`;
    report.violation({ message });
  }
}

/**
 * Without `display`, and with -1, everything is returned. Searches differ from time to time, so the rule only fails
 * for less than half of what the same search returns with it, every time, and only in repositories in the same state;
 * or for anything less if the same number of matches was counted each time. Source: search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    const hasCommit = hasCommits([...limited, ...plain]);
    for (const search of limited) {
      for (const unlimited of unlimitedOf(plain, hasCommit)) {
        judgeUnlimited(search, unlimited, reportFor(search.id));
      }
    }
  },
});

const foundTooLittle = "the search finds less than two lines; choose a `--query` that finds more";

/** Whether the query sets its own pattern type. */
const hasOwnType = ({ parameters }: Search): boolean => mentionsFilter(parameters.get("q") ?? "", "patterntype");

/** Searches whose `t` sets another type than the default. */
const otherReadings = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  usableOf(group.filter(({ search }) => ["keyword", "regexp"].includes(typeOf(search) ?? "")));

/** A parameter with a default: searches without it are compared with those that set it. */
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
    // One of the two is read correctly; if only the other one is distinguishable, they differ.
    const isTelling = [varied, ...copiesInStateOf(varied, bases)].some((one) => isDistinguishable(one, witnesses));
    if (isTelling || areOthers(pair)) {
      judgeSameResults(pair, report);
    } else {
      report.notTested(reasonIndistinguishable(varied, witnesses));
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
 * The default of `v` is `V3`. The version decides how a query is read, so only queries count that find other results
 * if read differently, and that do not set their own type. Source: search-stream, sections 4 and 9.
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

/** The default of `t` is `standard`. Source: search-stream, section 4. */
export const omittedTIsStandard = defineComparison({
  id: "stream/omitted-t-is-standard",
  groupOf: (search) => (isVersion3(search) && !hasOwnType(search) ? searchKey(search, { t: undefined }) : undefined),
  hasPair: hasBoth(defaultType.isOmitted, defaultType.isExplicit),
  kept: [keptStandard],
  judge: (group, reportFor) => judgeDefault(defaultType, group, reportFor),
});
