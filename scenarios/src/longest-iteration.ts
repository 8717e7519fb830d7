import type { LoadPlan } from "@assay/results";

/** After a stream is over the extension looks for a moment at what follows; and there is k6's own work. */
const slackMs = 5000;

/** Longest that a search can take, whatever the target does, in milliseconds. */
export const longestSearchMs = ({ timeoutMs }: Pick<LoadPlan, "timeoutMs">): number => timeoutMs + slackMs;

/**
 * Longest that a conversation can take, in milliseconds: creation, polling until the deadline with a call under way then, one more
 * look, and deletion.
 */
export const longestConversationMs = ({
  timeoutMs,
  conversation,
}: Pick<LoadPlan, "timeoutMs" | "conversation">): number => 4 * timeoutMs + (conversation?.deadlineMs ?? 0) + slackMs;

/** How long k6 may still wait for what is under way when the last arrival of a plan has come, in milliseconds. */
export const longestIterationMs = (plan: Pick<LoadPlan, "timeoutMs" | "conversation">): number =>
  plan.conversation === undefined ? longestSearchMs(plan) : longestConversationMs(plan);
