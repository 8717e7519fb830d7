import * as Type from "typebox";
import type { Static } from "typebox";

/** The outcome of a run or of a check of recordings. */
export const OutcomeShape = Type.Enum(
  [
    "passed",
    "failed",
    "usage-error",
    "incomplete",
    "performance-failed",
    "performance-inconclusive",
    "cleanup-incomplete",
    "harness-error",
    "interrupted",
  ],
  { description: "Outcome of the run." },
);
export type RunOutcome = Static<typeof OutcomeShape>;
