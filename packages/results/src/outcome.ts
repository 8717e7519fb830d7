/** The outcome of a run or of a check of recordings. */
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
