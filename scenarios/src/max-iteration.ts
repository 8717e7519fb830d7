import type { LoadPlan } from "@assay/results";

/** Allows for k6's own work, and for `k6/x/assay`, which briefly watches for more bytes after a stream has ended. */
const slackMs = 5000;

/** Returns an upper bound on the duration of a search, in milliseconds. */
export const computeMaxSearchMs = ({ timeoutMs }: Pick<LoadPlan, "timeoutMs">): number => timeoutMs + slackMs;

/**
 * Returns an upper bound on the duration of a conversation, in milliseconds: creation, polling until the deadline with
 * one call in flight, a final read, and deletion.
 */
export const computeMaxConversationMs = ({
  timeoutMs,
  conversation,
}: Pick<LoadPlan, "timeoutMs" | "conversation">): number => 4 * timeoutMs + (conversation?.deadlineMs ?? 0) + slackMs;

/** Returns an upper bound on the time from the last arrival of a plan to the end of k6, in milliseconds. */
export const computeMaxIterationMs = (plan: Pick<LoadPlan, "timeoutMs" | "conversation">): number =>
  plan.conversation === undefined ? computeMaxSearchMs(plan) : computeMaxConversationMs(plan);
