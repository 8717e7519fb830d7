import type { Reporter } from "../../engine/reporter.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import { wasSentBetween } from "../../engine/compare/same-state.ts";
import { searchKey, sentPatternType, sentVersion } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Reports whether `t` is absent or has its default value. Other parameters may have any value. */
const hasDefaultT = (search: Search): boolean => ["standard", undefined].includes(sentPatternType(search));

/**
 * Minimum number of searches that must find nothing, with repeats, and of different ones among them. Fewer may have found nothing because
 * they saw a different index state.
 */
const minEmptySearches = 5;
const minDifferentSearches = 3;

const foundNothing = ({ results, completeness, isFinished }: UsableSearch): boolean =>
  isFinished && completeness === "complete" && results.matchCount === 0 && countResults(results).files === 0;

/**
 * Judges searches without `v` that find nothing. A single search without results does not show its index state. Reports
 * a violation if many different searches for one query find nothing without `v`, although all searches with `v=V3`,
 * sent between them, find something.
 */
export function judgeEmptyWithoutV(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  const searches = toUsableSearches(group.filter(({ search }) => hasDefaultT(search)));
  const searchesWithoutV = searches.filter(({ search }) => sentVersion(search) === undefined);
  const searchesWithV3 = searches.filter(({ search }) => sentVersion(search) === "V3");
  const differentCount = new Set(searchesWithoutV.map(({ search }) => searchKey(search))).size;
  const [first] = searchesWithoutV;
  const [last] = searchesWithoutV.toReversed();
  const wasV3SentBetween = searchesWithV3.filter((search) => wasSentBetween(search, searchesWithoutV)).length > 0;
  const wasOmittedSentBetween = searchesWithoutV.some((search) => wasSentBetween(search, searchesWithV3));
  const haveV3Results =
    new Set(searchesWithV3.map(({ search }) => searchKey(search))).size > 1 && !searchesWithV3.some(foundNothing);
  if (
    first === undefined ||
    last === undefined ||
    searchesWithoutV.length < minEmptySearches ||
    differentCount < minDifferentSearches ||
    !searchesWithoutV.every(foundNothing)
  ) {
    return;
  }
  if (
    haveV3Results &&
    wasV3SentBetween &&
    wasOmittedSentBetween &&
    searchesWithV3.every(({ results }) => countResults(results).files > 0)
  ) {
    const report = reportFor(first.id);
    report.observation();
    const message = `searches ${first.id} to ${last.id}, ${differentCount} different ones without \`v\`, all find nothing, although each of the same with \`v=V3\`, such as search ${searchesWithV3[0]?.id}, finds something`;
    report.violation({ message, code: "finds-less" });
  }
}
