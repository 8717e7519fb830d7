import { defined } from "@assay/contract";
import type { ConversationRuleId } from "@assay/contract";
import * as access from "../access/index.ts";
import { createIsAccepted, getReturnsTheConversation, successStatusIsListed } from "../answers/index.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { judgeConversations } from "../engine/judge-conversations.ts";
import * as lists from "../lists/index.ts";
import * as operations from "../operations/index.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { CallSketch } from "./recorded-calls.ts";
import type { RuleOutcome } from "../../engine/rule-outcome.ts";
import type { TargetFacts } from "../../engine/rule.ts";

/** The rules about operations, lists and access, and about the responses to creating and reading. */
export const callRules: readonly ConversationRule[] = [
  ...createIsAccepted,
  ...getReturnsTheConversation,
  successStatusIsListed,
  ...Object.values(operations).flat(),
  ...Object.values(lists).flat(),
  ...Object.values(access).flat(),
];

/** Returns the outcomes of these rules for calls that were sent one after another. */
export const judgeCalls = (
  calls: readonly CallSketch[],
  target: Partial<TargetFacts> = {},
): ReturnType<typeof judgeConversations>["outcomes"] =>
  judgeConversations({
    rules: callRules,
    target: { access: "undeclared", sharing: "undeclared", ...target },
    calls: recordedCalls(calls),
  }).outcomes;

/** The outcome of a rule, in the form that tests compare. */
export interface ExpectedOutcome {
  readonly observed: number;
  readonly violations: readonly string[];
  /** Unspecified behaviours that were noted. */
  readonly unspecified: readonly string[];
  readonly blockedBy?: string;
}

/** Returns the outcome of one rule for calls that were sent one after another. */
export function outcomeOfCalls(
  id: ConversationRuleId,
  calls: readonly CallSketch[],
  target: Partial<TargetFacts> = {},
): ExpectedOutcome {
  const outcome: RuleOutcome | undefined = judgeCalls(calls, target).get(id);
  if (outcome === undefined) {
    throw new Error(`${id} is not a rule about calls.`);
  }
  const messages = (kind: string): readonly string[] =>
    outcome.findings.filter((finding) => finding.kind === kind).map(({ message }) => message);
  return {
    observed: outcome.observations,
    violations: messages("violation"),
    unspecified: outcome.findings.flatMap(({ kind, code }) => (kind === "note" ? (code ?? []) : [])),
    ...(outcome.blockedBy === undefined
      ? {}
      : { blockedBy: `${outcome.blockedBy.kind}: ${outcome.blockedBy.missing}` }),
  };
}

const time = "2026-01-01T00:00:00Z";

/** Returns a legacy question in the form returned by a service. */
export const legacyQuestion = (status: string, question = "words", id = 11): object => ({ id, question, status });

/** Returns a legacy conversation in the form returned by a service. `members` replace the defaults. */
export const legacyShown = (id: number, members: Readonly<Record<string, unknown>> = {}): object => ({
  id,
  user_id: 7,
  read_token: `token-of-${id}`,
  created_at: time,
  updated_at: time,
  questions: [legacyQuestion("completed")],
  ...members,
});

/**
 * Returns a conversation of the current interface in the form returned by a service. `members` replace the defaults.
 */
export const currentShown = (
  id: number | string,
  state = "completed",
  members: Readonly<Record<string, unknown>> = {},
): object => ({
  name: `users/7/conversations/${id}`,
  state: { [state]: {} },
  questions: [{ input: [{ question: { text: "words" } }] }],
  ...members,
});

/** Returns the creation of a legacy conversation, with the conversation processing in the response. */
export const legacyCreated = (id: number, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "create",
  answer: legacyShown(id, { questions: [legacyQuestion("processing", sketch.question)] }),
  ...sketch,
});

/** Returns a read of a legacy conversation that returns it completed. */
export const legacyRead = (id: number, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "get",
  conversation: id,
  answer: legacyShown(id),
  ...sketch,
});

/** Returns a legacy list of conversations with these ids, in the member `conversations`. */
export const legacyList = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "list",
  answer: { conversations: ids.map((id) => legacyShown(id)) },
  ...sketch,
});

/**
 * Returns the creation of a conversation of the current interface, with the conversation processing in the response.
 */
export const currentCreated = (id: number | string, sketch: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation: "create",
  answer: currentShown(id, "processing"),
  ...sketch,
});

/** Returns a read of a conversation of the current interface that returns it completed. */
export const currentRead = (id: number | string, sketch: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation: "get",
  conversation: id,
  answer: currentShown(id),
  ...sketch,
});

/** Returns a list of the current interface with these ids. */
export const currentList = (ids: readonly (number | string)[], sketch: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation: "list",
  answer: { conversationSummaries: ids.map((id) => ({ name: `users/7/conversations/${id}` })) },
  ...sketch,
});

/** One row of a table about a rule: calls and the expected outcome [empty]. */
export interface CallCase extends Partial<ExpectedOutcome> {
  readonly name: string;
  readonly calls: readonly CallSketch[];
  readonly target?: Partial<TargetFacts>;
}

/** Returns the expected outcome of a row. */
export const expectedOutcome = ({
  observed = 0,
  violations = [],
  unspecified = [],
  blockedBy,
}: CallCase): ExpectedOutcome => ({
  observed,
  violations,
  unspecified,
  ...defined({ blockedBy }),
});
