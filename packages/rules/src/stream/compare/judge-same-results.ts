import type { Reporter } from "../../engine/reporter.ts";
import { differenceOf } from "./found-difference.ts";
import { isDuring } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import type { UsableSearch } from "./usable.ts";

/** Two searches that have to find the same. */
export interface SameResults {
  readonly base: StableSearch;
  readonly varied: UsableSearch;
  /** What tells the varied search from the base, such as "with `v=V3`". */
  readonly how: string;
  /** What tells a difference apart that is of a kind of its own [whether less, more, or both was found]. */
  readonly codeOf?: (pair: Pick<SameResults, "base" | "varied">) => string | undefined;
}

/** Whether both searches came to their end while nothing changed, so that they can be held against each other. */
export const areComparable = ({ base, varied }: Pick<SameResults, "base" | "varied">): boolean =>
  base.first.standing === "complete" && varied.standing === "complete" && isDuring(varied, base);

/** A violation where the two differ; not observed where a difference could have gone unnoticed. */
export function judgeSameResults({ base, varied, how, codeOf }: SameResults, report: Reporter): void {
  if (!areComparable({ base, varied })) {
    return;
  }
  const { clause, code, isBlurred } = differenceOf(varied.results, base.first.results);
  report.observe(Number(clause !== undefined || !isBlurred));
  if (clause !== undefined) {
    const message = `search ${varied.id} ${how} finds other things than search ${base.first.id} without it: it ${clause}`;
    report.violation({ message, code: codeOf?.({ base, varied }) ?? code });
  }
}
