import type { Reporter } from "../../engine/reporter.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import { haveDifferentResults, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { standardTypeParameter, versionParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { mentionsFilter } from "../../engine/compare/query-filter.ts";
import { copiesWithSameState, isDistinguishable, reasonForIndistinguishable } from "../../engine/compare/reading.ts";
import { queryKey, searchKey, sentPatternType, sentVersion } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";
import { judgeEmptyWithoutV } from "./empty-without-v.ts";

/** Reports whether the query sets its own pattern type. */
const hasOwnType = ({ parameters }: Search): boolean => mentionsFilter(parameters.get("q") ?? "", "patterntype");

/** Searches whose `t` is not the default type. */
const searchesByOtherType = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  usableSearches(group.filter(({ search }) => ["keyword", "regexp"].includes(sentPatternType(search) ?? "")));

/** A parameter with a default. Searches without it are compared with those that set it. */
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
  const copies = group.filter(({ search }) => isOmitted(search));
  const referenceSearches = searchesByOtherType(group);
  const bases = usableSearches(copies);
  const [first] = bases;
  for (const varied of first === undefined ? [] : usableSearches(group.filter(({ search }) => isExplicit(search)))) {
    const report = reportFor(first?.id ?? varied.id);
    const pair = { copies, varied, variation, referenceSearches };
    // At least one of the two is interpreted correctly. If reference searches differ from either of them, a difference
    // between the two would be visible.
    const isConclusive = [varied, ...copiesWithSameState(varied, bases)].some((search) =>
      isDistinguishable(search, referenceSearches),
    );
    if (isConclusive || haveDifferentResults(pair)) {
      judgeSameResults(pair, report);
    } else {
      report.notTested(reasonForIndistinguishable(varied, referenceSearches));
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
 * The default of `v` is `V3`. `v` changes how a query is interpreted. Only queries whose results depend on it, and that
 * contain no `patternType:`, are compared. Source: search-stream, sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupKey: (search) => (hasOwnType(search) ? undefined : queryKey(search)),
  hasPair: hasBoth(defaultVersion.isOmitted, defaultVersion.isExplicit),
  resultPreservingParameters: [versionParameter],
  judge(group, reportFor) {
    judgeEmptyWithoutV(group, reportFor);
    for (const key of new Set(group.map(({ search }) => keyWithoutVersion(search)))) {
      const alike = group.filter(({ search }) => keyWithoutVersion(search) === key);
      if (alike.some(({ search }) => defaultVersion.isExplicit(search))) {
        judgeDefault(defaultVersion, alike, reportFor);
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
  groupKey: (search) => (isVersion3(search) && !hasOwnType(search) ? searchKey(search, { t: undefined }) : undefined),
  hasPair: hasBoth(defaultType.isOmitted, defaultType.isExplicit),
  resultPreservingParameters: [standardTypeParameter],
  judge: (group, reportFor) => judgeDefault(defaultType, group, reportFor),
});
