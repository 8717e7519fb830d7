import type { Reporter } from "../../engine/reporter.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { haveDifferentResults, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { standardTypeParameter, versionParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { mentionsFilter } from "../../engine/compare/query-filter.ts";
import {
  selectRepeats,
  differsFromOtherInterpretations,
  reasonForSameResults,
} from "../../engine/compare/interpretation.ts";
import { queryKey, searchKey, sentPatternType, sentVersion } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";
import { judgeEmptyWithoutV } from "./empty-without-v.ts";

/** Reports whether the query may contain `patternType:`. */
const mayContainPatternType = ({ parameters }: Search): boolean =>
  mentionsFilter(parameters.get("q") ?? "", "patterntype");

/** Returns the searches with a non-default `t`. */
const nonDefaultTypeSearches = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  toUsableSearches(group.filter(({ search }) => ["keyword", "regexp"].includes(sentPatternType(search) ?? "")));

/** A parameter with a default. Searches without the parameter are compared with those that send its default. */
interface DefaultValue {
  readonly isOmitted: (search: Search) => boolean;
  readonly isExplicit: (search: Search) => boolean;
  readonly variation: string;
}

function judgeDefault(
  { isOmitted, isExplicit, variation }: DefaultValue,
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const omittedSearches = group.filter(({ search }) => isOmitted(search));
  const referenceSearches = nonDefaultTypeSearches(group);
  const usableOmittedSearches = toUsableSearches(omittedSearches);
  const [first] = usableOmittedSearches;
  const explicitSearches = toUsableSearches(group.filter(({ search }) => isExplicit(search)));
  for (const explicitSearch of first === undefined ? [] : explicitSearches) {
    const report = reportFor(first?.id ?? explicitSearch.id);
    const pair = { repeats: omittedSearches, variedSearch: explicitSearch, variation, referenceSearches };
    // The pair is conclusive only if the query returns different results for another pattern type. Otherwise both searches
    // return the same results even if the default is wrong.
    const isConclusive = [explicitSearch, ...selectRepeats(explicitSearch, usableOmittedSearches)].some((search) =>
      differsFromOtherInterpretations(search, referenceSearches),
    );
    if (isConclusive || haveDifferentResults(pair)) {
      judgeSameResults(pair, report);
    } else {
      report.notTested(reasonForSameResults(explicitSearch, referenceSearches));
    }
  }
}

const omitsVersion = (search: Search): boolean => sentVersion(search) === undefined;
const sendsVersion3 = (search: Search): boolean => sentVersion(search) === "V3";

/** Reports whether the version determines the pattern type, because the search sets none. */
const leavesTypeOpen = (search: Search): boolean =>
  sentPatternType(search) === undefined && !mayContainPatternType(search);

const defaultVersion: DefaultValue = {
  isOmitted: (search) => omitsVersion(search) && leavesTypeOpen(search),
  isExplicit: (search) => sendsVersion3(search) && leavesTypeOpen(search),
  variation: "with `v=V3`",
};

const keyWithoutVersion = (search: Search): string => searchKey(search, { v: undefined, t: undefined });

/** Judges searches that set a pattern type. That they find the same shows nothing about the default, but a difference does. */
function judgeDifferences(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  const searches = group.filter(({ search }) => !leavesTypeOpen(search));
  for (const variedSearch of toUsableSearches(searches.filter(({ search }) => sendsVersion3(search)))) {
    const key = searchKey(variedSearch.search, { v: undefined });
    const repeats = searches.filter(({ search }) => searchKey(search) === key);
    const pair = { repeats, variedSearch, variation: defaultVersion.variation };
    if (haveDifferentResults(pair)) {
      judgeSameResults(pair, reportFor(variedSearch.id));
    }
  }
}

/**
 * The default of `v` is `V3`. Equal results count only for queries whose results depend on `v`. Source: search-stream,
 * sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupKey: queryKey,
  hasPair: hasBoth(omitsVersion, sendsVersion3),
  resultPreservingParameters: [versionParameter],
  judge(group, reportFor) {
    judgeEmptyWithoutV(group, reportFor);
    judgeDifferences(group, reportFor);
    for (const key of new Set(group.map(({ search }) => keyWithoutVersion(search)))) {
      const sameOtherParameters = group.filter(({ search }) => keyWithoutVersion(search) === key);
      if (sameOtherParameters.some(({ search }) => defaultVersion.isExplicit(search))) {
        judgeDefault(defaultVersion, sameOtherParameters, reportFor);
      }
    }
  },
});

const isVersion3 = (search: Search): boolean => (sentVersion(search) ?? "V3") === "V3";

const defaultType: DefaultValue = {
  isOmitted: (search) => sentPatternType(search) === undefined,
  isExplicit: (search) => sentPatternType(search) === "standard",
  variation: "with `t=standard`",
};

/** The default of `t` is `standard`. Source: search-stream, section 4. */
export const omittedTIsStandard = defineComparison({
  id: "stream/omitted-t-is-standard",
  groupKey: (search) =>
    isVersion3(search) && !mayContainPatternType(search) ? searchKey(search, { t: undefined }) : undefined,
  hasPair: hasBoth(defaultType.isOmitted, defaultType.isExplicit),
  resultPreservingParameters: [standardTypeParameter],
  judge: (group, reportFor) => judgeDefault(defaultType, group, reportFor),
});
