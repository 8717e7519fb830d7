import { isConversationRuleId, neededProbes } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ConversationLimits } from "../converse/conversation-limits.ts";
import { conversationInterfaces } from "../converse/dialect.ts";
import { spacingMicrosAt } from "../converse/rate-limit.ts";
import { probesFor, searchesLedTo } from "./stream-probes.ts";

/** What a run with these settings sends. */
export interface ExpectedRun {
  readonly rules: readonly RuleId[];
  readonly query: string;
  readonly limits: Pick<ConversationLimits, "questions" | "requestsPerSecond">;
  /** Whether there is a token to ask with. */
  readonly hasToken: boolean;
}

/** A question is asked, polled some times, read again and deleted with its conversation. */
const requestsOfQuestion = 8;

/** Probes of more than one request, and how many more. */
const furtherRequests: Readonly<Record<string, number>> = { "list-pages": 2, "list-sort": 5 };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function expectedCalls({ rules, limits, hasToken }: ExpectedRun): number {
  if (!hasToken || !rules.some((id) => isConversationRuleId(id))) {
    return 0;
  }
  const probes = conversationInterfaces.flatMap((name) => [...neededProbes(rules, name)]);
  const questions = Math.min(limits.questions, probes.length);
  return sum(probes.map((id) => 1 + (furtherRequests[id] ?? 0))) + questions * requestsOfQuestion;
}

/**
 * About how many requests a run sends. Nobody knows it beforehand: what a target answers decides which searches are compared,
 * and how often a question is polled.
 */
export function expectedRequests(run: ExpectedRun): number {
  return probesFor(run.rules, run.query).probes.length + searchesLedTo(run.rules) + expectedCalls(run);
}

/** About how many probes a run sends, whatever number of requests each has: fewer where answers lead to fewer searches. */
export function expectedProbes({ rules, query, hasToken }: Omit<ExpectedRun, "limits">): number {
  const isAsking = hasToken && rules.some((id) => isConversationRuleId(id));
  const calls = isAsking ? sum(conversationInterfaces.map((name) => neededProbes(rules, name).size)) : 0;
  return probesFor(rules, query).probes.length + searchesLedTo(rules) + calls;
}

/** About how many seconds a run takes at the rate of its limits; 0 where there is none. */
export const expectedSeconds = (run: ExpectedRun): number =>
  Math.ceil((expectedRequests(run) * spacingMicrosAt(run.limits.requestsPerSecond)) / 1_000_000);
