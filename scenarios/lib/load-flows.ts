import type { LoadPlan } from "@assay/results";
import { conversationRate } from "../src/default-plan.ts";
import type { LoadFlow } from "./arrivals.ts";

/** After a stream is over the extension looks for a moment at what follows; and there is k6's own work. */
const slackMs = 5000;

/** Searches at the rate of the plan. */
export const searchFlow = ({ ratePerSecond, expectedIterationMs, timeoutMs }: LoadPlan): LoadFlow => ({
  name: "search",
  exec: "search",
  suffix: "",
  ratePerSecond,
  expectedIterationMs,
  longestIterationMs: timeoutMs + slackMs,
});

/** Creation, polling until the deadline with a call under way then, one more look, and deletion. */
const longestConversationMs = ({ timeoutMs, conversation }: LoadPlan): number =>
  4 * timeoutMs + (conversation?.deadlineMs ?? 0) + slackMs;

/** Conversations at the rate of the plan. */
export const conversationFlow = (plan: LoadPlan): LoadFlow => ({
  name: "conversation",
  exec: "conversation",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  expectedIterationMs: plan.expectedIterationMs,
  longestIterationMs: longestConversationMs(plan),
});

/** Conversations beside searches: a tenth of their rate. They may all take until the deadline, as the plan says nothing about them. */
export const sideConversationFlow = (plan: LoadPlan): LoadFlow => ({
  ...conversationFlow(plan),
  suffix: "_conversation",
  ratePerSecond: conversationRate(plan.ratePerSecond),
  expectedIterationMs: plan.conversation?.deadlineMs ?? plan.expectedIterationMs,
});
