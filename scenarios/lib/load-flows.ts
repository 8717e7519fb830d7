import type { LoadPlan } from "@assay/results";
import { conversationRate } from "../src/default-plan.ts";
import { longestConversationMs, longestSearchMs } from "../src/longest-iteration.ts";
import type { LoadFlow } from "./arrivals.ts";

/** Searches at the rate of the plan. */
export const searchFlow = (plan: LoadPlan): LoadFlow => ({
  name: "search",
  exec: "search",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  longestIterationMs: longestSearchMs(plan),
});

/** Conversations at the rate of the plan. */
export const conversationFlow = (plan: LoadPlan): LoadFlow => ({
  name: "conversation",
  exec: "conversation",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  longestIterationMs: longestConversationMs(plan),
});

/** Conversations beside searches: a tenth of their rate. */
export const sideConversationFlow = (plan: LoadPlan): LoadFlow => ({
  ...conversationFlow(plan),
  suffix: "_conversation",
  ratePerSecond: conversationRate(plan.ratePerSecond),
});
