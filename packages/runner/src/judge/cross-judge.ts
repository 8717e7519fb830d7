import type { RuleId } from "@assay/contract";
import type { MutationTrial, Edit, RuleOutcome } from "@assay/rules";
import { conversationOutcomes, isBroken, streamJudge } from "./prove-rules.ts";
import type { JudgedForProof } from "./prove-rules.ts";

/** What all rules say of one counterexample. */
export interface CrossRow {
  readonly rule: RuleId;
  /** What a target that ignores the sentence does, one clause in the present. */
  readonly mutation: string;
  /** What it would have done here, one clause in the past, and to which exchange. */
  readonly what: string;
  readonly exchange: string;
  /** Rules that are broken then. */
  readonly broken: readonly RuleId[];
}

/**
 * The kill matrix without a server: every edit that proved a rule is judged by all rules of its API. What else it breaks
 * is either implied by the same sentence, or a rule that speaks of what it does not know. Only where no rule was broken
 * before does a row tell anything.
 */
export function crossJudge(
  judged: JudgedForProof,
  proofs: ReadonlyMap<RuleId, readonly MutationTrial[]>,
): readonly CrossRow[] {
  const { streams, conversations } = judged;
  const ofStreams = streamJudge(judged);
  const streamIds = new Set<string>(streams.rules.map(({ id }) => id));
  const outcomesOf = (rule: RuleId, edit: Edit): ReadonlyMap<RuleId, RuleOutcome> =>
    streamIds.has(rule) ? ofStreams(streams.rules, edit) : conversationOutcomes(judged, conversations.rules, edit);
  return [...proofs].flatMap(([rule, mutations]) =>
    mutations.flatMap(({ mutation, confirmed }) => {
      if (confirmed === undefined) {
        return [];
      }
      const { what, instead } = confirmed.edit;
      const broken = [...outcomesOf(rule, confirmed.edit)].flatMap(([id, outcome]) => (isBroken(outcome) ? [id] : []));
      return [{ rule, mutation, what, exchange: instead[0].record.id, broken }];
    }),
  );
}
