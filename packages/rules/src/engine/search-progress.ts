import { member } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";

/** A number in the final `progress` event. */
export interface FinalCount {
  readonly count: number;
  readonly event: StreamEvent;
}

/** What the earlier events of a stream reported about its search. */
export interface SearchProgress {
  /** Whether there was an event that only a search sends. Alerts, errors and undocumented events do not count. */
  hasSearchEvent: boolean;
  /** Whether there was a `progress` event with `done: true`. */
  isFinished: boolean;
  /** From the first final `progress` event that contains the number. */
  matchCount: FinalCount | undefined;
  repositoriesCount: FinalCount | undefined;
}

/** Returns the progress before the first event. */
export const noProgress = (): SearchProgress => ({
  hasSearchEvent: false,
  isFinished: false,
  matchCount: undefined,
  repositoriesCount: undefined,
});

/** Adds an event. Called after the rules have received it. */
export function addProgress(progress: SearchProgress, event: StreamEvent): void {
  const { name, value } = event;
  progress.hasSearchEvent ||= name === "matches" || name === "filters" || name === "progress";
  if (name === "progress" && member(value, "done") === true) {
    progress.isFinished = true;
    progress.matchCount ??= finalCount(event, "matchCount");
    progress.repositoriesCount ??= finalCount(event, "repositoriesCount");
  }
}

function finalCount(event: StreamEvent, key: "matchCount" | "repositoriesCount"): FinalCount | undefined {
  const count = member(event.value, key);
  return typeof count === "number" ? { count, event } : undefined;
}
