/** How a run, or a check of recordings, ends as a whole. */
export type RunOutcome =
  | "passed"
  | "failed"
  | "usage-error"
  | "incomplete"
  | "performance-failed"
  | "performance-inconclusive"
  | "cleanup-incomplete"
  | "harness-error"
  | "interrupted";
