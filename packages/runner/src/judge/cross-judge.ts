import type { RuleId } from "@assay/contract";
import type { MutationTrial, Edit, RuleOutcome } from "@assay/rules";
import { judgeEditedConversations, hasViolation, createStreamJudge } from "./prove-rules.ts";
import type { JudgedForProof } from "./prove-rules.ts";

/** The outcomes of all rules for one counterexample. */
export interface CrossRow {
  readonly rule: RuleId;
  /** A clause in the present tense that describes a target that ignores the requirement. */
  readonly mutation: string;
  /** A clause in the past tense that describes the alteration and names its exchange. */
  readonly effect: string;
  readonly exchange: string;
  /** Rules that fail on the altered evidence. */
  readonly failedRules: readonly RuleId[];
}

/**
 * Computes the kill matrix without a server. Judges every edit that confirmed a rule with all rules of its API. If a second rule fails
 * too, the same requirement implies it, or it reports more than its own requirements. Rows are meaningful only if no rule failed before.
 */
export function crossJudge(
  judged: JudgedForProof,
  proofs: ReadonlyMap<RuleId, readonly MutationTrial[]>,
): readonly CrossRow[] {
  const { streams, conversations } = judged;
  const judgeStreams = createStreamJudge(judged);
  const streamIds = new Set<string>(streams.rules.map(({ id }) => id));
  const judgeEdit = (rule: RuleId, edit: Edit): ReadonlyMap<RuleId, RuleOutcome> =>
    streamIds.has(rule)
      ? judgeStreams(streams.rules, edit)
      : judgeEditedConversations(judged, conversations.rules, edit);
  return [...proofs].flatMap(([rule, mutations]) =>
    mutations.flatMap(({ mutation, confirmed }) => {
      if (confirmed === undefined) {
        return [];
      }
      const { effect, replacements } = confirmed.edit;
      const failedRules = [...judgeEdit(rule, confirmed.edit)].flatMap(([id, outcome]) =>
        hasViolation(outcome) ? [id] : [],
      );
      return [{ rule, mutation, effect, exchange: replacements[0].record.id, failedRules }];
    }),
  );
}
