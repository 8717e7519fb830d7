import type { LoadOutcome } from "@assay/results";
import { Counter, Rate, Trend } from "k6/metrics";

/** Iterations that ended with an exception. k6 itself does not count them. */
export const scriptErrors = new Counter("script_errors");

/** Time from the planned to the actual start of an iteration. */
export const startLag = new Trend("start_lag", true);

const successRate = new Rate("conversation_fine");

/** Outcomes of unsent conversations. They prove nothing about the target. */
const unsentOutcomes: ReadonlySet<LoadOutcome> = new Set(["held-back", "not-begun", "over-budget", "canceled"]);

/** Counts a conversation that began. */
export function countConversation(outcome: LoadOutcome): void {
  if (!unsentOutcomes.has(outcome)) {
    successRate.add(outcome === "ok");
  }
}
