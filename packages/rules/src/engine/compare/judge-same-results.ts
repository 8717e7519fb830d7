import type { Reporter } from "../reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { differenceOf } from "./found-difference.ts";
import { sizeOf } from "./result-size.ts";
import { notCompared } from "./same-state.ts";
import { baselineFor } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import type { UsableSearch } from "./usable.ts";

/** Two searches that must find the same. */
export interface SameResults {
  /** All copies of the search without the variation. */
  readonly copies: readonly ComparedSearch[];
  readonly varied: UsableSearch;
  /** Describes the variation, such as "with `v=V3`". */
  readonly how: string;
  /** Code of a special difference [less, more, or both]. */
  readonly codeOf?: (pair: { readonly base: StableSearch; readonly varied: UsableSearch }) => string | undefined;
  /** Further searches that show whether the target names commits. */
  readonly witnesses?: readonly UsableSearch[];
}

/** The baseline of the varied search; reports why there is none. */
export function comparableBase({ copies, varied, witnesses }: SameResults, report: Reporter): StableSearch | undefined {
  const baseline = baselineFor(varied, copies, witnesses);
  if (baseline.kind === "none") {
    report.notTested(baseline.why);
    return undefined;
  }
  return baseline.base;
}

/**
 * Reports whether the two certainly find different results. This counts even if equal results would not show how they
 * were read. A search without results may have met another state.
 */
export function areOthers({ copies, varied, witnesses }: SameResults): boolean {
  const baseline = baselineFor(varied, copies, witnesses);
  if (baseline.kind === "none") {
    return false;
  }
  const { results } = baseline.base.first;
  const isFound = [results, varied.results].every((one) => sizeOf(one).files > 0);
  return isFound && differenceOf(varied.results, results).clause !== undefined;
}

/** Reports a violation if the two differ; not tested if a difference could have gone unnoticed. */
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
