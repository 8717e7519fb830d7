import { isSearched, isUsable } from "../../engine/answer.ts";
import type { FoundFile } from "../../engine/found-file.ts";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { isCutReason, mayDifferNextTime } from "../../engine/skipped-entry.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Search } from "./search.ts";

/** A search that was carried out and of which all is known that was found. */
export interface UsableSearch {
  readonly id: string;
  readonly search: Search;
  readonly results: ResultFacts;
  readonly sentAtMicros: number;
  /** Whether a final progress came. */
  readonly isFinished: boolean;
  /** Why it may have found less than there is. */
  readonly standing: "complete" | "limited" | "incomplete";
}

/**
 * How far a search came, by what it says itself: to its end; to a limit; or nobody knows, because it told of a problem or
 * skipped something for a reason that may be another one next time, such as the time it took. An alert that only informs
 * says nothing of the sort: what was cut off is told in `skipped`. Source: search-stream, section 7.
 */
function standingOf(
  { exchange }: ComparedSearch,
  { hasSevereAlert, skippedReasons }: ResultFacts,
): UsableSearch["standing"] {
  const { error = 0 } = exchange.stream?.eventCounts ?? {};
  const reasons = [...skippedReasons];
  if (hasSevereAlert || error > 0 || reasons.some((reason) => mayDifferNextTime(reason))) {
    return "incomplete";
  }
  return reasons.some((reason) => isCutReason(reason)) ? "limited" : "complete";
}

/** The search if something can be concluded from what it found. */
export function usable(compared: ComparedSearch): UsableSearch | undefined {
  const { search, exchange } = compared;
  const { record, stream, results } = exchange;
  if (stream === undefined || results === undefined || results.isPartial) {
    return undefined;
  }
  return isUsable(exchange) && isSearched(exchange)
    ? {
        id: record.id,
        search,
        results,
        sentAtMicros: record.times.sentAtMicros,
        isFinished: stream.isFinished,
        standing: standingOf(compared, results),
      }
    : undefined;
}

/** Those of the searches that are usable. */
export const usableOf = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  group.flatMap((compared) => usable(compared) ?? []);

/** The files that two searches both found something in, each as the one and the other saw it, with its key. */
export function sharedFiles(
  one: ResultFacts,
  other: ResultFacts,
): readonly (readonly [FoundFile, FoundFile, string])[] {
  return [...one.files].flatMap(([key, file]) => {
    const same = other.files.get(key);
    return same === undefined ? [] : [[file, same, key] as const];
  });
}
