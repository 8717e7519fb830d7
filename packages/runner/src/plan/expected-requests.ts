import { isConversationRuleId, neededProbes } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ConversationLimits } from "../converse/conversation-limits.ts";
import { conversationInterfaces } from "../converse/dialect.ts";
import { spacingMicrosAt } from "../converse/rate-limit.ts";
import { probesFor, searchesLedTo } from "./stream-probes.ts";

/** The settings that determine how many requests a run sends. */
export interface ExpectedRun {
  readonly rules: readonly RuleId[];
  readonly query: string;
  readonly limits: Pick<ConversationLimits, "questions" | "requestsPerSecond">;
  /** Without a token no conversations are held. */
  readonly hasToken: boolean;
}

/** Create, a few polls, one more read, delete. */
const requestsOfQuestion = 8;

/** Requests after the first one, of probes that send several. */
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
 * Estimated number of requests of a run. The target's answers decide which searches are compared and how often questions are polled,
 * so the exact number is not known in advance.
 */
export function expectedRequests(run: ExpectedRun): number {
  return probesFor(run.rules, run.query).probes.length + searchesLedTo(run.rules) + expectedCalls(run);
}

/** Estimated number of probes of a run. Fewer are sent if the answers lead to fewer searches. */
export function expectedProbes({ rules, query, hasToken }: Omit<ExpectedRun, "limits">): number {
  const isAsking = hasToken && rules.some((id) => isConversationRuleId(id));
  const calls = isAsking ? sum(conversationInterfaces.map((name) => neededProbes(rules, name).size)) : 0;
  return probesFor(rules, query).probes.length + searchesLedTo(rules) + calls;
}

/** Estimated seconds of a run at its request rate; 0 if the rate is not limited. */
export const expectedSeconds = (run: ExpectedRun): number =>
  Math.ceil((expectedRequests(run) * spacingMicrosAt(run.limits.requestsPerSecond)) / 1_000_000);
