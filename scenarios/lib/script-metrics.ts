import type { LoadOutcome } from "@assay/results";
import { Counter, Rate, Trend } from "k6/metrics";

/** Iterations that ended with an exception, of which k6 itself takes no notice. */
export const scriptErrors = new Counter("script_errors");

/** From the planned to the real start of an iteration. */
export const startLag = new Trend("start_lag", true);

const conversationsFine = new Rate("conversation_fine");

/** Outcomes of what was not sent: they say nothing about the target. */
const unsent: ReadonlySet<LoadOutcome> = new Set(["held-back", "not-begun", "over-budget", "canceled"]);

/** Counts a conversation, if it was begun. */
export function countConversation(outcome: LoadOutcome): void {
  if (!unsent.has(outcome)) {
    conversationsFine.add(outcome === "ok");
  }
}
