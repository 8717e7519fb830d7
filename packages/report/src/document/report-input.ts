import type { Comparison, LoadResult, RunChange, RunResult, RunTimelines } from "@assay/results";

/** A contract run for a report. Without timelines the report has no figures, and without a change no comparison. */
export interface ReportedRun {
  /** Name from the user, such as its folder. Shown if there are several runs. Default: derived from its target or id. */
  readonly name?: string;
  readonly result: RunResult;
  readonly timelines?: RunTimelines;
  readonly change?: RunChange;
}

/** The content of one report, in order. Any list may be empty. */
export interface ReportInput {
  /** Title of the page. Default: derived from its runs. */
  readonly title?: string;
  readonly runs: readonly ReportedRun[];
  readonly loads: readonly LoadResult[];
  readonly comparisons: readonly Comparison[];
}
