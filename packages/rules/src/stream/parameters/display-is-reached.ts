import type { FoundFile } from "../../engine/found-file.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { byDisplay, displayGroup, displayOf, findKnown } from "../../engine/compare/display-pairs.ts";
import { findMissing, describeMissing } from "../../engine/compare/found-difference.ts";
import type { MissingResults } from "../../engine/compare/found-difference.ts";
import { hasAllLines, countResults } from "../../engine/compare/result-size.ts";
import { comparablePart, hasCommits, reasonUnknown } from "../../engine/compare/same-state.ts";
import { isWithoutChunks } from "../../engine/compare/search.ts";
import { stableSearchFrom } from "../../engine/compare/stable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/**
 * Reports whether only `display` limited the returned matches. A limit of the search was reached later if at least that
 * number was counted.
 */
function isOnlyLimitedByDisplay({ search, standing, isFinished, results }: UsableSearch): boolean {
  const { matchCount = 0, skippedReasons } = results;
  const isCut = [...skippedReasons].some((reason) => reason !== "display" && isCutReason(reason));
  return isFinished && standing !== "incomplete" && (!isCut || matchCount >= displayOf(search));
}

/**
 * Reports whether the number of returned lines and ranges is certain: all are in content matches with marks in each
 * line.
 */
const isClear = (results: ResultFacts): boolean =>
  hasAllLines(results) &&
  results.others.size + results.unidentified.size === 0 &&
  [...results.files.values()].every(({ unmarked }) => unmarked.size === 0);

/**
 * Number of returned matches in the smallest possible unit of `display`. Undefined if no unit fits, because more than
 * `display` is never returned.
 */
function countReturned(
  search: UsableSearch,
  elements: number,
): { readonly count: number; readonly isWhole: boolean } | undefined {
  const max = displayOf(search.search);
  const { lines } = countResults(search.results);
  const units = [Math.max(search.results.highlights, lines), lines, elements];
  const count = units.find((size) => size <= max);
  return count === undefined ? undefined : { count, isWhole: units.indexOf(count) === 2 };
}

const isPartOf = (part: FoundFile, whole: FoundFile | undefined): boolean =>
  whole !== undefined && part.lines.size < whole.lines.size;

/**
 * Reports whether a match is returned in parts. If it is not, the remaining number may be smaller than the next match.
 */
const hasParts = ({ results }: UsableSearch, whole: ResultFacts): boolean =>
  [...results.files].some(([key, file]) => isPartOf(file, whole.files.get(key)));

/** Results of a search without `display`, in the repositories whose results this search returned completely. */
interface Whole {
  readonly plain: UsableSearch;
  readonly results: ResultFacts;
  /** Results that the search with `display` lacks. */
  readonly missing: MissingResults;
}

/** If no commits are named, the searches before and after must have returned the same results. */
function findWhole(search: UsableSearch, plain: readonly UsableSearch[]): Whole | undefined {
  const hasCommit = hasCommits([search, ...plain]);
  const known = findKnown(search, plain, hasCommit);
  const reference = hasCommit ? known[0] : stableSearchFrom(known)?.first;
  if (reference === undefined) {
    return undefined;
  }
  const isWithin = findMissing(comparablePart(search, reference, hasCommit), search.results).count === 0;
  const results = comparablePart(reference, search, hasCommit);
  return isWithin ? { plain: reference, results, missing: findMissing(search.results, results) } : undefined;
}

const noCutResults =
  "no search with `display` omitted results that are known to exist; choose a `--query` that finds many lines";

/**
 * `display` is the number of matches after which no more are returned, so that number is returned if there are enough.
 * This is plausible, but the specification calls it a maximum. Its unit, and whether a match is returned in parts, are
 * unspecified. The rule therefore fails only if there are too few in each possible unit. Source: search-stream,
 * sections 4 and 8.
 */
export const displayIsReached = defineComparison({
  id: "stream/display-is-reached",
  groupOf: (search) => (isWithoutChunks(search) ? byDisplay.groupOf(search) : undefined),
  hasPair: byDisplay.hasPair,
  judge(group: readonly ComparedSearch[], reportFor) {
    const { limited, plain } = displayGroup(group);
    const elementsOf = new Map(group.map(({ exchange }) => [exchange.record.id, exchange.stream?.matches ?? 0]));
    for (const search of limited.filter((search) => isOnlyLimitedByDisplay(search) && isClear(search.results))) {
      const report = reportFor(search.id);
      const whole = findWhole(search, plain);
      const returnedCount = countReturned(search, elementsOf.get(search.id) ?? 0);
      if (whole === undefined || returnedCount === undefined || whole.missing.count === 0) {
        report.notTested(whole === undefined ? reasonUnknown(search, plain) : noCutResults);
        continue;
      }
      const isPossible = returnedCount.isWhole || hasParts(search, whole.results);
      const isFewer = returnedCount.count < displayOf(search.search);
      report.observation(Number(!isFewer || isPossible));
      if (isFewer && isPossible) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` returned ${returnedCount.count} matches, but lacks results of search ${whole.plain.id} without it: ${describeMissing(whole.missing)}`;
        report.violation({ message });
      }
    }
  },
});
