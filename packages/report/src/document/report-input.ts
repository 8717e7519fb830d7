import type { Comparison, LoadResult, RunChange, RunResult, RunTimelines } from "@assay/results";

/** A contract run for a report; without timelines it has no figures, without a change no comparison. */
export interface ReportedRun {
  /** A name given by the user, such as its folder, shown if there are several runs [made from its target or its id]. */
  readonly name?: string;
  readonly result: RunResult;
  readonly timelines?: RunTimelines;
  readonly change?: RunChange;
}

/** The content of one report, in its order; any list may be empty. */
export interface ReportInput {
  /** Title of the page [made from its runs]. */
  readonly title?: string;
  readonly runs: readonly ReportedRun[];
  readonly loads: readonly LoadResult[];
  readonly comparisons: readonly Comparison[];
}
