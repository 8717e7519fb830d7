import type { Reporter } from "../../engine/reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { differenceOf } from "./found-difference.ts";
import { sizeOf } from "./result-size.ts";
import { notCompared } from "./same-state.ts";
import { yardstickFor } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import type { UsableSearch } from "./usable.ts";

/** Two searches that have to find the same. */
export interface SameResults {
  /** The search without what varies, each time it was sent. */
  readonly copies: readonly ComparedSearch[];
  readonly varied: UsableSearch;
  /** What tells the varied search from the base, such as "with `v=V3`". */
  readonly how: string;
  /** What tells a difference apart that is of a kind of its own [whether less, more, or both was found]. */
  readonly codeOf?: (pair: { readonly base: StableSearch; readonly varied: UsableSearch }) => string | undefined;
  /** Further searches that show whether the target tells commits. */
  readonly witnesses?: readonly UsableSearch[];
}

/** The base that the varied search is held against; says why not where it cannot be. */
export function comparableBase({ copies, varied, witnesses }: SameResults, report: Reporter): StableSearch | undefined {
  const baseline = yardstickFor(varied, copies, witnesses);
  if (baseline.kind === "none") {
    report.notTested(baseline.why);
    return undefined;
  }
  return baseline.base;
}

/**
 * Whether the two are known to find other things: that says something also where nobody could tell from equal results how they
 * were read. A search that finds nothing may have met a state of its own.
 */
export function areOthers({ copies, varied, witnesses }: SameResults): boolean {
  const baseline = yardstickFor(varied, copies, witnesses);
  if (baseline.kind === "none") {
    return false;
  }
  const { results } = baseline.base.first;
  const isFound = [results, varied.results].every((one) => sizeOf(one).files > 0);
  return isFound && differenceOf(varied.results, results).clause !== undefined;
}

/** A violation where the two differ; not observed where a difference could have gone unnoticed. */
export function judgeSameResults(pair: SameResults, report: Reporter): void {
  const base = comparableBase(pair, report);
  if (base === undefined) {
    return;
  }
  const { varied, how, codeOf } = pair;
  const { clause, code, isInconclusive } = differenceOf(varied.results, base.first.results);
  report.observation(Number(clause !== undefined || !isInconclusive));
  if (clause !== undefined) {
    const message = `search ${varied.id} ${how} finds other things than search ${base.first.id} without it: it ${clause}`;
    report.violation({ message, code: codeOf?.({ base, varied }) ?? code });
  } else if (isInconclusive) {
    report.notTested(notCompared.unidentified);
  }
}
