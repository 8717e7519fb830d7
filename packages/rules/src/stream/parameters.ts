import { isSearched, isSettled, whatCame } from "../engine/answer.ts";
import { dataOf } from "../engine/event-place.ts";
import type { Reporter } from "../engine/reporter.ts";
import { defineExchangeRule, defineStreamRule } from "../engine/rule.ts";
import type { JudgedExchange } from "../engine/rule.ts";
import { hasDocumentedParameters, integerParameter, searchQuery } from "../engine/search-query.ts";
import { asksForAll, countedSearch, haveNarrow, limitOf } from "./compare/count-limit.ts";
import { defineComparison, hasBoth } from "./compare/define-comparison.ts";
import { byDisplay, displayGroup, displayOf, shownSearches } from "./compare/display-pairs.ts";
import { differenceOf, lackOf, shownLack } from "./compare/found-difference.ts";
import { judgeSameResults } from "./compare/judge-same-results.ts";
import { mentionsFilter } from "./compare/query-filter.ts";
import { hasAllLines, sizeOf } from "./compare/result-size.ts";
import { bindsDisplay, searchKey } from "./compare/search.ts";
import type { Search } from "./compare/search.ts";
import { isDuring, stableSearch } from "./compare/stable-search.ts";
import type { StableSearch } from "./compare/stable-search.ts";
import { usableOf } from "./compare/usable.ts";
import type { UsableSearch } from "./compare/usable.ts";

export { chunkLinesAreWhole } from "./parameters/chunk-lines-are-whole.ts";
export { chunkMatchesNeedCm } from "./parameters/chunk-matches-need-cm.ts";
export { clGivesContextLines } from "./parameters/cl-gives-context-lines.ts";
export { clNeedsCm } from "./parameters/cl-needs-cm.ts";
export { cmEnablesChunkMatches } from "./parameters/cm-enables-chunk-matches.ts";
export { countStopsSearch } from "./parameters/count-stops-search.ts";
export { displayKeepsCounting } from "./parameters/display-keeps-counting.ts";
export { limitSuggestionRaisesCount } from "./parameters/limit-suggestion-raises-count.ts";
export { maxLineLenCutsLines } from "./parameters/max-line-len-cuts-lines.ts";
export { patternTypeFilterWins } from "./parameters/pattern-type-filter-wins.ts";

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

/**
 * A documented parameter with a documented value does not spoil a search that works without it. The search without it has
 * to be among the exchanges: a query that fails anyway proves nothing. Source: search-stream, section 4.
 */
export const documentedParametersAreAccepted = defineExchangeRule({
  id: "stream/documented-parameters-are-accepted",
  check(exchanges, reportFor) {
    const works = new Set(exchanges.filter((exchange) => isPlain(exchange) && isSearched(exchange)).map(askedBy));
    for (const exchange of exchanges) {
      const isAsked = hasQuery(exchange) && hasDocumentedParameters(searchQuery(exchange.record));
      if (!isAsked || !works.has(askedBy(exchange)) || !isSettled(exchange)) {
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observe();
      if (!isSearched(exchange)) {
        const message = `a search that works without \`${parametersOf(exchange)}\` fails with it: ${whatCame(exchange)}`;
        report.violation({ message, code: "fails-with", argument: namesOf(exchange) });
      }
    }
  },
});

/** No more matches than asked for, however many were found; what a number below 1 asks for is left open. Source: search-stream, sections 4 and 8. */
export const displayBoundsMatches = defineStreamRule({
  id: "stream/display-bounds-matches",
  start: ({ exchange }) => ({ limit: integerParameter(searchQuery(exchange), "display") ?? 0, matches: 0 }),
  on: {
    matches(state, event, report) {
      if (state.limit < 1 || !Array.isArray(event.value)) {
        return;
      }
      const before = state.matches;
      state.matches += event.value.length;
      report.observe();
      if (before <= state.limit && state.matches > state.limit) {
        const message = `${state.matches} matches were delivered although \`display\` is ${state.limit}`;
        report.violation({ message, ...dataOf(event, `/${state.limit - before}`) });
      }
    },
  },
});

/**
 * Without `display` everything is delivered. Searches differ from one time to the next, so only less than half of what the
 * same search delivers with it, each time, is a departure. Source: search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = displayGroup(group);
    for (const search of limited) {
      const unit = [search, ...plain].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
      const delivered = sizeOf(search.results)[unit];
      if (plain.length === 0 || delivered < 2) {
        continue;
      }
      const most = Math.max(...plain.map(({ results }) => sizeOf(results)[unit]));
      const report = reportFor(search.id);
      report.observe();
      if (2 * most < delivered) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` delivered ${delivered} matching ${unit}, without it ${shownSearches(plain)} delivered no more than ${most}`;
        report.violation({ message });
      }
    }
  },
});

function judgeOther(all: StableSearch, other: UsableSearch, report: Reporter): void {
  const lack = lackOf(all.first.results, other.results);
  report.observe(Number(lack.lookedFor > 0));
  if (lack.count > 0) {
    const message = `search ${all.first.id} with \`count:all\` lacks what search ${other.id} finds: ${shownLack(lack)}`;
    report.violation({ message });
  }
}

/** `count:all` leaves nothing out that another number finds. Source: search-stream, sections 1 and 4. */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search)?.key),
  hasPair: hasBoth(asksForAll, (search) => !asksForAll(search)),
  judge(group, reportFor) {
    const all = stableSearch(group.filter(({ search }) => asksForAll(search)));
    if (all === undefined) {
      return;
    }
    const others = usableOf(group.filter(({ search }) => !asksForAll(search)));
    for (const other of others.filter((search) => isDuring(search, all))) {
      judgeOther(all, other, reportFor(all.first.id));
    }
  },
});

/** Whether the search came as far as its number lets it, in whatever unit that is meant: there is nothing more of than highlights. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

/** What the wide search has besides all that the narrow one has; `undefined` unless that is the only difference. */
function cutOff(narrow: UsableSearch, wide: UsableSearch): string | undefined {
  const lack = lackOf(narrow.results, wide.results);
  const isWithin = lackOf(wide.results, narrow.results).count === 0;
  return isWithin && lack.count > 0 ? shownLack(lack) : undefined;
}

/** A search that stops at its number and leaves results out tells of it. Source: search-stream, sections 7 and 8. */
export const cutResultsAreNamed = defineComparison({
  id: "stream/cut-results-are-named",
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search)?.key),
  hasPair: haveNarrow,
  judge(group, reportFor) {
    const searches = usableOf(group);
    for (const narrow of searches.filter(isFull)) {
      const wider = searches.filter(({ search }) => limitOf(search) > limitOf(narrow.search));
      const wide = wider.find((search) => cutOff(narrow, search) !== undefined);
      // A problem that was told of explains what is missing as well.
      const isExplained = narrow.standing === "hampered" && !narrow.results.hasSkipped;
      if (wide === undefined || isExplained) {
        continue;
      }
      const report = reportFor(narrow.id);
      report.observe();
      if (!narrow.results.hasSkipped) {
        const message = `search ${narrow.id} with \`count:${limitOf(narrow.search)}\` has no skipped entry although it left out what search ${wide.id} finds: ${cutOff(narrow, wide)}`;
        report.violation({ message });
      }
    }
  },
});

const isSilent = ({ parameters }: Search): boolean => !parameters.has("v");

const isExplicit = ({ parameters }: Search): boolean => parameters.get("v") === "V3";

/**
 * Left out, `v` is `V3`. The version decides how a query is read, so searches that say so themselves, by `t` or by a filter,
 * are not asked. Source: search-stream, sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupOf(search) {
    const { parameters } = search;
    const isAsked = !parameters.has("t") && !mentionsFilter(parameters.get("q") ?? "", "patterntype");
    return isAsked ? searchKey(search, { v: undefined }) : undefined;
  },
  hasPair: hasBoth(isSilent, isExplicit),
  judge(group, reportFor) {
    const base = stableSearch(group.filter(({ search }) => isSilent(search)));
    const explicit = usableOf(group.filter(({ search }) => isExplicit(search)));
    if (base === undefined) {
      return;
    }
    for (const varied of explicit) {
      judgeSameResults({ base, varied, how: "with `v=V3`" }, reportFor(base.first.id));
    }
  },
});

const typeOf = ({ parameters }: Search): string | undefined => parameters.get("t");

const isVersion3 = ({ parameters }: Search): boolean => (parameters.get("v") ?? "V3") === "V3";

/** Whether another pattern type finds other things: only then could anybody tell which one a search without `t` has. */
const tellsApart = (standard: UsableSearch, others: readonly UsableSearch[]): boolean =>
  others.some(
    ({ standing, results }) => standing === "complete" && differenceOf(results, standard.results).clause !== undefined,
  );

/** Left out, `t` is `standard`. Source: search-stream, section 4. */
export const omittedTIsStandard = defineComparison({
  id: "stream/omitted-t-is-standard",
  groupOf(search) {
    const isAsked = isVersion3(search) && !mentionsFilter(search.parameters.get("q") ?? "", "patterntype");
    return isAsked ? searchKey(search, { t: undefined }) : undefined;
  },
  hasPair: hasBoth(
    (search) => typeOf(search) === undefined,
    (search) => typeOf(search) === "standard",
  ),
  judge(group, reportFor) {
    const base = stableSearch(group.filter(({ search }) => typeOf(search) === undefined));
    const others = usableOf(group.filter(({ search }) => ["keyword", "regexp"].includes(typeOf(search) ?? "")));
    const standard = usableOf(group.filter(({ search }) => typeOf(search) === "standard"));
    if (base === undefined) {
      return;
    }
    for (const varied of standard.filter((search) => tellsApart(search, others))) {
      judgeSameResults({ base, varied, how: "with `t=standard`" }, reportFor(base.first.id));
    }
  },
});
