import type { FoundFile } from "../../engine/found-file.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { defineComparison } from "../compare/define-comparison.ts";
import type { ComparedSearch } from "../compare/compared-search.ts";
import { byDisplay, displayGroup, displayOf, knownOf } from "../compare/display-pairs.ts";
import { missingResultsOf, shownMissing } from "../compare/found-difference.ts";
import type { MissingResults } from "../compare/found-difference.ts";
import { hasAllLines, sizeOf } from "../compare/result-size.ts";
import { comparablePart, isCommitTold, whyUnknown } from "../compare/same-state.ts";
import { isWithoutChunks } from "../compare/search.ts";
import { stableAmong } from "../compare/stable-search.ts";
import type { UsableSearch } from "../compare/usable.ts";

/** Whether nothing but `display` ended the delivery: a limit of the search was reached later, if as many were counted. */
function isOnlyHeldBack({ search, standing, isFinished, results }: UsableSearch): boolean {
  const { matchCount = 0, skippedReasons } = results;
  const isCut = [...skippedReasons].some((reason) => reason !== "display" && isCutReason(reason));
  return isFinished && standing !== "incomplete" && (!isCut || matchCount >= displayOf(search));
}

/** Whether it is clear how many lines and places were delivered: all in content matches, each of whose lines marks something. */
const isClear = (results: ResultFacts): boolean =>
  hasAllLines(results) &&
  results.others.size + results.unidentified.size === 0 &&
  [...results.files.values()].every(({ unmarked }) => unmarked.size === 0);

/**
 * How much was delivered in the smallest unit that `display` can be meant in, since more than it says is never delivered; `undefined`
 * where it may be none of these.
 */
function deliveredOf(
  search: UsableSearch,
  elements: number,
): { readonly count: number; readonly isWhole: boolean } | undefined {
  const most = displayOf(search.search);
  const { lines } = sizeOf(search.results);
  const units = [Math.max(search.results.highlights, lines), lines, elements];
  const count = units.find((size) => size <= most);
  return count === undefined ? undefined : { count, isWhole: units.indexOf(count) === 2 };
}

const isPartOf = (part: FoundFile, whole: FoundFile | undefined): boolean =>
  whole !== undefined && part.lines.size < whole.lines.size;

/** Whether a match is delivered in parts, so that what is left of the number is no smaller than the next match. */
const hasParts = ({ results }: UsableSearch, whole: ResultFacts): boolean =>
  [...results.files].some(([key, file]) => isPartOf(file, whole.files.get(key)));

/** What is there, by a search without `display`, of the repositories in which this one found all that it did. */
interface Whole {
  readonly plain: UsableSearch;
  readonly results: ResultFacts;
  /** What the search with `display` did not deliver of it. */
  readonly lack: MissingResults;
}

/** Where no commits are told, the searches before and after have to have found the same. */
function wholeOf(search: UsableSearch, plain: readonly UsableSearch[]): Whole | undefined {
  const isTold = isCommitTold([search, ...plain]);
  const known = knownOf(search, plain, isTold);
  const found = isTold ? known[0] : stableAmong(known)?.first;
  if (found === undefined) {
    return undefined;
  }
  const isWithin = missingResultsOf(comparablePart(search, found, isTold), search.results).count === 0;
  const results = comparablePart(found, search, isTold);
  return isWithin ? { plain: found, results, lack: missingResultsOf(search.results, results) } : undefined;
}

const notHeldBack =
  "no search with `display` held anything back that is known to be there; choose a `--query` that finds many lines";

/**
 * `display` is the number of matches after which no more are returned, so that as many come where there are more; plausible, but it is
 * called a maximum. In what unit it is meant is left open, and whether a match is delivered in parts: too few are those that are too few
 * in each unit that fits. Source: search-stream, sections 4 and 8.
 */
export const displayIsReached = defineComparison({
  id: "stream/display-is-reached",
  groupOf: (search) => (isWithoutChunks(search) ? byDisplay.groupOf(search) : undefined),
  hasPair: byDisplay.hasPair,
  judge(group: readonly ComparedSearch[], reportFor) {
    const { limited, plain } = displayGroup(group);
    const elementsOf = new Map(group.map(({ exchange }) => [exchange.record.id, exchange.stream?.matches ?? 0]));
    for (const search of limited.filter((one) => isOnlyHeldBack(one) && isClear(one.results))) {
      const report = reportFor(search.id);
      const whole = wholeOf(search, plain);
      const delivered = deliveredOf(search, elementsOf.get(search.id) ?? 0);
      if (whole === undefined || delivered === undefined || whole.lack.count === 0) {
        report.notTested(whole === undefined ? whyUnknown(search, plain) : notHeldBack);
        continue;
      }
      const isPossible = delivered.isWhole || hasParts(search, whole.results);
      const isFewer = delivered.count < displayOf(search.search);
      report.observation(Number(!isFewer || isPossible));
      if (isFewer && isPossible) {
        const message = `search ${search.id} with \`display=${displayOf(search.search)}\` delivered ${delivered.count} matches, and not what search ${whole.plain.id} without it finds besides: ${shownMissing(whole.lack)}`;
        report.violation({ message });
      }
    }
  },
});
