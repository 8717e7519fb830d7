import { isConversationRuleId, findNeededProbes } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ConversationLimits } from "../converse/conversation-limits.ts";
import { conversationInterfaces } from "../converse/dialect.ts";
import { computeSpacingMicros } from "../converse/rate-limit.ts";
import { planProbes, estimateDerivedSearches } from "./stream-probes.ts";

/** The settings that determine how many requests a run sends. */
export interface ExpectedRun {
  readonly rules: readonly RuleId[];
  readonly query: string;
  readonly limits: Pick<ConversationLimits, "questions" | "requestsPerSecond" | "sequences">;
  /** Whether a token is configured. Conversations require one. */
  readonly hasToken: boolean;
}

/** One creation, a few polls, another read and a deletion. */
const requestsPerQuestion = 8;

/** Twelve commands at most, some of which are polls, another read and a deletion. */
const requestsPerSequence = 16;

/** Additional requests of probes that send several. */
const extraRequests: Readonly<Record<string, number>> = { "list-pages": 2, "list-sort": 5 };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function estimateCalls({ rules, limits, hasToken }: ExpectedRun): number {
  if (!hasToken || !rules.some((id) => isConversationRuleId(id))) {
    return 0;
  }
  const probes = conversationInterfaces.flatMap((name) => [...findNeededProbes(rules, name)]);
  const questions = Math.min(limits.questions, probes.length);
  return (
    sum(probes.map((id) => 1 + (extraRequests[id] ?? 0))) +
    questions * requestsPerQuestion +
    limits.sequences * requestsPerSequence
  );
}

/**
 * Estimates the number of requests of a run. The exact number is unknown in advance, because the target's responses determine which
 * searches are compared and how often questions are polled.
 */
export function estimateRequests(run: ExpectedRun): number {
  return planProbes(run.rules, run.query).probes.length + estimateDerivedSearches(run.rules) + estimateCalls(run);
}

/** Estimates the number of probes of a run. The actual number is lower if fewer searches can be derived from responses. */
export function estimateProbeCount({ rules, query, limits, hasToken }: ExpectedRun): number {
  const hasConversations = hasToken && rules.some((id) => isConversationRuleId(id));
  const calls = hasConversations
    ? sum(conversationInterfaces.map((name) => findNeededProbes(rules, name).size)) + limits.sequences
    : 0;
  return planProbes(rules, query).probes.length + estimateDerivedSearches(rules) + calls;
}

/** Estimates the duration of a run in seconds at its request rate. Returns 0 if the rate is unlimited. */
export const estimateSeconds = (run: ExpectedRun): number =>
  Math.ceil((estimateRequests(run) * computeSpacingMicros(run.limits.requestsPerSecond)) / 1_000_000);
