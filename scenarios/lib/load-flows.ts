import type { LoadPlan } from "@assay/results";
import { conversationRate } from "../src/default-plan.ts";
import { maxConversationMs, maxSearchMs } from "../src/max-iteration.ts";
import type { LoadFlow } from "./arrivals.ts";

/** Searches at the rate of the plan. */
export const searchFlow = (plan: LoadPlan): LoadFlow => ({
  name: "search",
  exec: "search",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  maxIterationMs: maxSearchMs(plan),
});

/** Conversations at the rate of the plan. */
export const conversationFlow = (plan: LoadPlan): LoadFlow => ({
  name: "conversation",
  exec: "conversation",
  suffix: "",
  ratePerSecond: plan.ratePerSecond,
  maxIterationMs: maxConversationMs(plan),
});

/** Conversations of a mixed load: a tenth of the rate of searches. */
export const sideConversationFlow = (plan: LoadPlan): LoadFlow => ({
  ...conversationFlow(plan),
  suffix: "_conversation",
  ratePerSecond: conversationRate(plan.ratePerSecond),
});
