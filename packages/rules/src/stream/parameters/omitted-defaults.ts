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

const defaultVersion: DefaultValue = {
  isOmitted: (search) => sentVersion(search) === undefined && sentPatternType(search) === undefined,
  isExplicit: (search) => sentVersion(search) === "V3" && sentPatternType(search) === undefined,
  variation: "with `v=V3`",
};

const keyWithoutVersion = (search: Search): string => searchKey(search, { v: undefined, t: undefined });

/**
 * The default of `v` is `V3`. Compares only queries whose results depend on `v` and that contain no `patternType:`.
 * Source: search-stream, sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupKey: (search) => (mayContainPatternType(search) ? undefined : queryKey(search)),
  hasPair: hasBoth(defaultVersion.isOmitted, defaultVersion.isExplicit),
  resultPreservingParameters: [versionParameter],
  judge(group, reportFor) {
    judgeEmptyWithoutV(group, reportFor);
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
