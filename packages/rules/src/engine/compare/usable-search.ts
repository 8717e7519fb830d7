import { didSearchRun, isUsable } from "../answer.ts";
import type { FoundFile } from "../found-file.ts";
import type { ResultFacts } from "../result-facts.ts";
import { isCutReason, mayDifferNextTime } from "../skipped-entry.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { countLimit } from "./count-limit.ts";
import { countResults } from "./result-size.ts";
import { displayLimit, hasAmpleDisplay } from "./search.ts";
import type { Search } from "./search.ts";

/** A search that ran and whose results are completely known. */
export interface UsableSearch {
  readonly id: string;
  readonly search: Search;
  readonly results: ResultFacts;
  readonly sentAtMicros: number;
  /** Whether the stream contains the final `progress` event. */
  readonly isFinished: boolean;
  /** Whether results are missing. */
  readonly completeness: "complete" | "limited" | "incomplete";
}

/** Reports whether an ample `display` may have limited the matches, in any unit. */
const reachedAmpleDisplay = (search: Search, results: ResultFacts): boolean =>
  hasAmpleDisplay(search) && Math.max(...Object.values(countResults(results))) >= displayLimit(search);

/**
 * Determines from the events of a search whether its results are complete. `limited`: it stopped at a limit.
 * `incomplete`: it reported a problem, or skipped results for a temporary reason, such as a timeout. Informational
 * alerts are ignored, because omitted results are reported in `skipped`. Source: search-stream, section 7.
 */
function determineCompleteness(
  { exchange, search }: ComparedSearch,
  results: ResultFacts,
): UsableSearch["completeness"] {
  const { hasSevereAlert, skippedReasons } = results;
  const { error = 0 } = exchange.stream?.eventCounts ?? {};
  const reasons = [...skippedReasons];
  if (hasSevereAlert || error > 0 || reasons.some((reason) => mayDifferNextTime(reason))) {
    return "incomplete";
  }
  const isCut = reasons.some((reason) => isCutReason(reason)) || reachedAmpleDisplay(search, results);
  return isCut ? "limited" : "complete";
}

/** Returns the search with its results, or undefined if the results are unknown or prove nothing. */
export function toUsableSearch(comparedSearch: ComparedSearch): UsableSearch | undefined {
  const { search, exchange } = comparedSearch;
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
        completeness: determineCompleteness(comparedSearch, results),
      }
    : undefined;
}

/** Returns the searches of a group that are usable. */
export const toUsableSearches = (group: readonly ComparedSearch[]): readonly UsableSearch[] =>
  group.flatMap((compared) => toUsableSearch(compared) ?? []);

/**
 * Reports whether a search may have reached its `count:` in some unit. Counts in other units never exceed the
 * highlights.
 */
export const mayHaveReachedCount = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= countLimit(search);

/** Returns the files that both searches found, as `[left, right, key]`. */
export function findSharedFiles(
  left: ResultFacts,
  right: ResultFacts,
): readonly (readonly [FoundFile, FoundFile, string])[] {
  return [...left.files].flatMap(([key, file]) => {
    const rightFile = right.files.get(key);
    return rightFile === undefined ? [] : [[file, rightFile, key] as const];
  });
}
