import type { LoadPlan } from "@assay/results";
import { computeConversationRate } from "../src/default-plan.ts";
import { computeMaxConversationMs, computeMaxSearchMs } from "../src/max-iteration.ts";
import type { LoadFlow } from "./arrivals.ts";

/** Returns the flow of searches, at the rate of the plan. */
export const searchFlow = (plan: LoadPlan): LoadFlow => ({
  name: "search",
  exec: "search",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  maxIterationMs: computeMaxSearchMs(plan),
});

/** Returns the flow of conversations, at the rate of the plan. */
export const conversationFlow = (plan: LoadPlan): LoadFlow => ({
  name: "conversation",
  exec: "conversation",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  maxIterationMs: computeMaxConversationMs(plan),
});

/** Returns the conversation flow of a mixed load, at a tenth of the rate of searches. */
export const sideConversationFlow = (plan: LoadPlan): LoadFlow => ({
  ...conversationFlow(plan),
  suffix: "_conversation",
  ratePerSecond: computeConversationRate(plan.ratePerSecond),
});
