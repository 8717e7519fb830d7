import { listNames, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { Reporter } from "../reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { isIndexUnchanged } from "./same-commits.ts";
import { countResults } from "./result-size.ts";
import { searchKey } from "./search.ts";
import type { Search } from "./search.ts";
import { toUsableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A parameter or filter that must not empty the results of a search. */
export interface ResultPreservingParameter {
  /** Returns the parameter as shown in messages, such as `cm=true`. It returns undefined for a search without the parameter. */
  readonly describeIn: (search: Search) => string | undefined;
  /**
   * Returns the key shared by searches that differ only in the parameter. It returns undefined for searches that are
   * not compared.
   */
  readonly groupKey: (search: Search) => string | undefined;
}

/**
 * Reports whether a search returned and counted no results. Matches that are counted but not returned are checked by
 * other rules.
 */
const hasNoResults = ({ results, completeness, isFinished }: UsableSearch): boolean =>
  isFinished && completeness === "complete" && countResults(results).files === 0 && (results.matchCount ?? 0) === 0;

const hasResults = ({ results }: UsableSearch): boolean => countResults(results).files > 0;

function groupItems<Item>(items: readonly Item[], groupKey: (item: Item) => string | undefined): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = groupKey(item);
    if (key !== undefined) {
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, [item]);
      } else {
        group.push(item);
      }
    }
  }
  return groups;
}

/** Reports whether the searches include one with the parameter and the same search without it. */
export const hasCounterpart = (
  { groupKey, describeIn }: ResultPreservingParameter,
  searches: readonly Search[],
): boolean =>
  [...groupItems(searches, groupKey).values()].some(
    (group) =>
      group.some((search) => describeIn(search) !== undefined) &&
      group.some((search) => describeIn(search) === undefined),
  );

/**
 * Minimum number of searches that must return no results. A single search may have reached a replica without the
 * repository.
 */
const minEmptySearches = 2;

/** With this many different searches without results, one search that names the commit is enough. */
const manyEmptySearches = 5;

interface EmptiedSearches {
  readonly searches: readonly UsableSearch[];
  /** One of the same searches without the parameter. */
  readonly counterpart: UsableSearch;
}

/**
 * Finds the searches with a value of the parameter that return no results, although the same searches without it return
 * some. It returns undefined if any search with the value returns results, or if fewer than `minEmptySearches` remain.
 * Skips searches whose counterparts return none.
 */
function findEmptied(
  { groupKey, describeIn }: ResultPreservingParameter,
  usableGroup: readonly UsableSearch[],
  isCompared: (search: Search) => boolean,
): EmptiedSearches | undefined {
  const hasParameter = ({ search }: UsableSearch): boolean => describeIn(search) !== undefined && isCompared(search);
  const comparisons = [...groupItems(usableGroup, ({ search }) => groupKey(search)).values()].flatMap((group) => {
    const searches = group.filter(hasParameter);
    // The same search with another value is a counterpart if it finds something. If it does not, the parameter may be the reason.
    const searchesWithout = group.filter(
      (search) => !hasParameter(search) && (describeIn(search.search) === undefined || hasResults(search)),
    );
    const [counterpart] = searchesWithout;
    return counterpart !== undefined && searchesWithout.every(hasResults) && searches.length > 0
      ? [{ searches, counterpart }]
      : [];
  });
  const [first] = comparisons;
  const searches = comparisons.flatMap((comparison) => comparison.searches);
  return first !== undefined && searches.length >= minEmptySearches && searches.every(hasNoResults)
    ? { searches, counterpart: first.counterpart }
    : undefined;
}

/**
 * Reports whether each repeated search either always or never returns results. If so, no search reached an empty
 * replica.
 */
const isConsistent = (usableGroup: readonly UsableSearch[]): boolean =>
  [...groupItems(usableGroup, ({ search }) => searchKey(search)).values()].every(
    (repeats) => !(repeats.some(hasNoResults) && repeats.some(hasResults)),
  );

const listIds = (searches: readonly UsableSearch[]): string =>
  listNames(
    searches.map(({ id }) => id),
    3,
  );

/**
 * Reports a violation if no search with the parameter returns results, although the same searches without it do. A
 * search without results names no commit. This is therefore judged only if all other searches name the same commit and
 * repeats of a search agree.
 */
export function judgeEmptiedResults(
  { id, parameter }: { readonly id: RuleId; readonly parameter: ResultPreservingParameter },
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const usableGroup = toUsableSearches(group);
  const emptySearches = usableGroup.filter(
    (search) => hasNoResults(search) && parameter.describeIn(search.search) !== undefined,
  );
  // The parameter may empty the results always, with one value, or only together with the other parameters of one search.
  const filters = [(): string => "", parameter.describeIn, searchKey].flatMap((keyOf) =>
    [...groupItems(emptySearches, ({ search }) => keyOf(search))]
      .filter(([, searches]) => searches.length >= minEmptySearches)
      .map(
        ([key]) =>
          (candidate: Search) =>
            keyOf(candidate) === key,
      ),
  );
  const candidates = filters.flatMap((isCompared) => findEmptied(parameter, usableGroup, isCompared) ?? []);
  const emptiedSearches = candidates.find(({ counterpart, searches }) => {
    const hasManySearches = new Set(searches.map(({ search }) => searchKey(search))).size >= manyEmptySearches;
    return isIndexUnchanged(counterpart.results, usableGroup, hasManySearches ? 1 : undefined);
  });
  const [first] = emptiedSearches?.searches ?? [];
  if (emptiedSearches === undefined || first === undefined || !isConsistent(usableGroup)) {
    return;
  }
  const { counterpart, searches } = emptiedSearches;
  const shownValues = [...new Set(searches.map(({ search }) => parameter.describeIn(search) ?? ""))].slice(0, 3);
  const report = reportFor(first.id);
  report.observation();
  report.violation({
    message: `searches ${listIds(searches)} with ${shownValues
      .map((value) => `\`${value}\``)
      .join(", ")} find nothing, but search ${counterpart.id} without it finds matches in ${
      countResults(counterpart.results).files
    } files of the same commit`,
    // Rules with several codes use this one for a search that finds less.
    ...(ruleRecord(id).codes.includes("finds-less") ? { code: "finds-less" } : {}),
  });
}
