import { didSearchRun, isUsable } from "../answer.ts";
import type { FoundFile } from "../found-file.ts";
import type { ResultFacts } from "../result-facts.ts";
import { isCutReason, mayDifferNextTime } from "../skipped-entry.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Search } from "./search.ts";

/** A search that ran and whose results are completely known. */
export interface UsableSearch {
  readonly id: string;
  readonly search: Search;
  readonly results: ResultFacts;
  readonly sentAtMicros: number;
  /** Whether it has a final `progress` event. */
  readonly isFinished: boolean;
  /** Whether results are missing. */
  readonly completeness: "complete" | "limited" | "incomplete";
}

/**
 * Determines how a search ended from its own reports: complete, at a limit, or incomplete because of a problem or a
 * skipped entry with a temporary reason, such as a timeout. An informational alert is ignored, because cut results are
 * reported in `skipped`. Source: search-stream, section 7.
 */
function determineCompleteness(
  { exchange }: ComparedSearch,
  { hasSevereAlert, skippedReasons }: ResultFacts,
): UsableSearch["completeness"] {
  const { error = 0 } = exchange.stream?.eventCounts ?? {};
  const reasons = [...skippedReasons];
  if (hasSevereAlert || error > 0 || reasons.some((reason) => mayDifferNextTime(reason))) {
    return "incomplete";
  }
  return reasons.some((reason) => isCutReason(reason)) ? "limited" : "complete";
}

/** Returns the search if its results allow conclusions. */
export function toUsableSearch(compared: ComparedSearch): UsableSearch | undefined {
  const { search, exchange } = compared;
  const { record, stream, results } = exchange;
  if (stream === undefined || results === undefined || results.isPartial) {
    return undefined;
  }
  return isUsable(exchange) && didSearchRun(exchange)
    ? {
        id: record.id,
        search,
        results,
        sentAtMicros: record.times.sentAtMicros,
        isFinished: stream.isFinished,
        completeness: determineCompleteness(compared, results),
      }
    : undefined;
}

/** Returns the searches whose results allow conclusions. */
export const usableSearches = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  group.flatMap((compared) => toUsableSearch(compared) ?? []);

/** Returns the files that two searches both found, with their key. */
export function sharedFiles(
  left: ResultFacts,
  right: ResultFacts,
): readonly (readonly [FoundFile, FoundFile, string])[] {
  return [...left.files].flatMap(([key, file]) => {
    const rightFile = right.files.get(key);
    return rightFile === undefined ? [] : [[file, rightFile, key] as const];
  });
}
