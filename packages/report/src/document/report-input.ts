import type { Comparison, LoadResult, RunChange, RunResult, RunTimelines } from "@assay/results";

/** A run of contract tests as a page shows it; without timelines the drawings are left out, without a change nothing is compared. */
export interface ReportedRun {
  /** What somebody called it, such as the name of its folder [made of its target or its id]; told where several runs are shown. */
  readonly name?: string;
  readonly result: RunResult;
  readonly timelines?: RunTimelines;
  readonly change?: RunChange;
}

/** Everything of one page, in the order in which it is shown; any list may be empty. */
export interface ReportInput {
  /** Of the page [made from what it shows]. */
  readonly title?: string;
  readonly runs: readonly ReportedRun[];
  readonly loads: readonly LoadResult[];
  readonly comparisons: readonly Comparison[];
}
