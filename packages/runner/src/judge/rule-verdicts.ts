import { allSentences, isConversationRuleId, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { notesOf, verdictOf } from "@assay/results";
import type { RuleVerdict, Verdict } from "@assay/results";
import type { RuleOutcome } from "@assay/rules";
import { gapOf } from "./gap-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { relevantFirst } from "./relevant-sentences.ts";
import { reportedFindings } from "./reported-findings.ts";
import type { ExchangeLookup } from "./reported-findings.ts";
import { unobservedReason } from "./unobserved-reason.ts";

const sentences = new Map<string, RuleVerdict["sentences"][number]>(
  allSentences.map(({ id, document, section, text }) => [id, { id, document, section, text }]),
);

interface Judged {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly settings: JudgeSettings;
  readonly lookup: ExchangeLookup;
}

/** The verdict of every selected rule, in the order of the catalogue. */
export function ruleVerdicts(judged: Judged): readonly RuleVerdict[] {
  return ruleIds.filter((id) => judged.settings.rules.includes(id)).map((id) => ruleVerdict(id, judged));
}

function ruleVerdict(id: RuleId, { outcomes, settings, lookup }: Judged): RuleVerdict {
  const record = ruleRecord(id);
  const outcome = outcomes.get(id) ?? { observations: 0, findings: [], droppedViolations: 0 };
  const { basis, title } = record;
  const unasked = isConversationRuleId(id) && isSilent(outcome) ? settings.asksNothing : undefined;
  const judged = {
    ...withReason(outcome, unasked),
    basis,
    strict: settings.strict,
    findings: reportedFindings(outcome.findings, lookup),
  };
  // What belongs to the gap register is reported there.
  const notes = notesOf(judged).filter((note) => gapOf(note) === undefined);
  return {
    rule: id,
    interface: record.interface,
    operation: record.operation,
    title,
    basis,
    sentences: relevantFirst(
      record.sentences.flatMap((sentence) => sentences.get(sentence) ?? []),
      outcome.findings.slice(0, 1),
    ),
    mustObserve: unasked === undefined && settings.mustObserve.includes(id),
    verdict: withWhy(id, verdictOf(judged)),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** What was not observed says why, and what to do about it. */
const withWhy = (id: RuleId, verdict: Verdict): Verdict =>
  verdict.outcome === "not-observed" && verdict.reason === undefined
    ? { ...verdict, reason: unobservedReason(id) }
    : verdict;

/**
 * The verdicts of a run that was stopped for a reason: none of its rules is demanded, and that reason is why rules were not tested,
 * whatever else it would take to test them.
 */
export const stoppedVerdicts = (verdicts: readonly RuleVerdict[], reason: string | undefined): readonly RuleVerdict[] =>
  reason === undefined
    ? verdicts
    : verdicts.map((rule) =>
        rule.verdict.outcome === "not-observed"
          ? { ...rule, mustObserve: false, verdict: { outcome: "not-observed", reason } }
          : rule,
      );

/** Whether a rule had nothing to say, for want of anything to look at. */
const isSilent = ({ observations, findings, obstacle }: RuleOutcome): boolean =>
  observations === 0 && findings.length === 0 && obstacle === undefined;

const withReason = (outcome: RuleOutcome, reason: string | undefined): RuleOutcome =>
  reason === undefined ? outcome : { ...outcome, notApplicable: reason };
