import type { LoadPlan } from "@assay/results";

/** After a stream has ended, `k6/x/assay` watches briefly for more bytes. k6's own work is included. */
const slackMs = 5000;

/** Upper bound on the duration of a search, in milliseconds. */
export const maxSearchMs = ({ timeoutMs }: Pick<LoadPlan, "timeoutMs">): number => timeoutMs + slackMs;

/**
 * Upper bound on the duration of a conversation, in milliseconds: creation, polling until the deadline with one call in
 * flight, one more read, and deletion.
 */
export const maxConversationMs = ({ timeoutMs, conversation }: Pick<LoadPlan, "timeoutMs" | "conversation">): number =>
  4 * timeoutMs + (conversation?.deadlineMs ?? 0) + slackMs;

/** Upper bound on the time from the last arrival of a plan to the end of k6, in milliseconds. */
export const maxIterationMs = (plan: Pick<LoadPlan, "timeoutMs" | "conversation">): number =>
  plan.conversation === undefined ? maxSearchMs(plan) : maxConversationMs(plan);
