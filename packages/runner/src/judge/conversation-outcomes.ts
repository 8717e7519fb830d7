import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { judgeConversations } from "@assay/rules";
import type { ConversationRule, RuleOutcome, TargetFacts } from "@assay/rules";
import type { ServedApi } from "./served-api.ts";
import { bodyBytes } from "./body-bytes.ts";
import { crashedOutcome } from "./rule-outcomes.ts";

/** What rules about conversations are shown. */
export interface ShownConversations {
  /** Calls of interfaces that are there. */
  readonly exchanges: readonly RecordedExchange[];
  readonly target: TargetFacts;
  readonly served: Pick<ServedApi, "api" | "reference">;
}

/** What judging conversations came to. */
export interface JudgedConversations {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  /** A sentence for each rule that threw. */
  readonly crashes: readonly string[];
}

/** What every rule says of the conversations. A rule that throws costs the others nothing. */
export function conversationOutcomes(
  rules: readonly ConversationRule[],
  { exchanges, target, served: { api, reference = [] } }: ShownConversations,
): JudgedConversations {
  const calls = exchanges.map((exchange) => ({
    record: exchange.record,
    body: bodyBytes(exchange),
    ...defined({ unreadable: exchange.unreadable }),
  }));
  const judge = (some: readonly ConversationRule[]): ReadonlyMap<RuleId, RuleOutcome> =>
    judgeConversations({ rules: some, target, calls, reference, ...defined({ api }) }).outcomes;
  try {
    return { outcomes: judge(rules), crashes: [] };
  } catch {
    return oneByOne(rules, judge);
  }
}

function oneByOne(
  rules: readonly ConversationRule[],
  judge: (rules: readonly ConversationRule[]) => ReadonlyMap<RuleId, RuleOutcome>,
): JudgedConversations {
  const outcomes = new Map<RuleId, RuleOutcome>();
  const crashes: string[] = [];
  for (const rule of rules) {
    try {
      judge([rule]).forEach((outcome, id) => outcomes.set(id, outcome));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const crash = `the rule ${rule.id} failed: ${visibleText(why, 200)}`;
      outcomes.set(rule.id, crashedOutcome(crash));
      crashes.push(crash);
    }
  }
  return { outcomes, crashes };
}
