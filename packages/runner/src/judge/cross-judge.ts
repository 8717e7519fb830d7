import type { RuleId } from "@assay/contract";
import type { ArmProof, Edit, RuleOutcome } from "@assay/rules";
import { conversationOutcomes, isBroken, streamJudge } from "./prove-rules.ts";
import type { JudgedForProof } from "./prove-rules.ts";

/** What all rules say of one counterexample. */
export interface CrossRow {
  readonly rule: RuleId;
  /** What a target that ignores the sentence does, one clause in the present. */
  readonly arm: string;
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
  proofs: ReadonlyMap<RuleId, readonly ArmProof[]>,
): readonly CrossRow[] {
  const { streams, conversations } = judged;
  const ofStreams = streamJudge(judged);
  const streamIds = new Set<string>(streams.rules.map(({ id }) => id));
  const outcomesOf = (rule: RuleId, edit: Edit): ReadonlyMap<RuleId, RuleOutcome> =>
    streamIds.has(rule) ? ofStreams(streams.rules, edit) : conversationOutcomes(judged, conversations.rules, edit);
  return [...proofs].flatMap(([rule, arms]) =>
    arms.flatMap(({ arm, proven }) => {
      if (proven === undefined) {
        return [];
      }
      const { what, instead } = proven.edit;
      const broken = [...outcomesOf(rule, proven.edit)].flatMap(([id, outcome]) => (isBroken(outcome) ? [id] : []));
      return [{ rule, arm, what, exchange: instead[0].record.id, broken }];
    }),
  );
}
