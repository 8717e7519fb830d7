import { allRequirements, isConversationRuleId, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { notesOf, verdictOf } from "@assay/results";
import type { RuleVerdict, Verdict } from "@assay/results";
import type { RuleOutcome } from "@assay/rules";
import { unspecifiedOf } from "./unspecified-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { relevantFirst } from "./relevant-requirements.ts";
import { reportedFindings } from "./reported-findings.ts";
import type { ExchangeLookup } from "./reported-findings.ts";
import { unobservedReason } from "./unobserved-reason.ts";

const requirements = new Map<string, RuleVerdict["requirements"][number]>(
  allRequirements.map(({ id, specification, section, text }) => [id, { id, specification, section, text }]),
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
  // What belongs to the behaviour register is reported there.
  const notes = notesOf(judged).filter((note) => unspecifiedOf(note) === undefined);
  return {
    rule: id,
    interface: record.interface,
    operation: record.operation,
    title,
    basis,
    requirements: relevantFirst(
      record.requirements.flatMap((sentence) => requirements.get(sentence) ?? []),
      outcome.findings.slice(0, 1),
    ),
    mustTest: unasked === undefined && settings.mustTest.includes(id),
    verdict: withWhy(id, verdictOf(judged)),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** What was not observed says why, and what to do about it. */
const withWhy = (id: RuleId, verdict: Verdict): Verdict =>
  verdict.outcome === "not-tested" && verdict.reason === undefined
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
        rule.verdict.outcome === "not-tested"
          ? { ...rule, mustTest: false, verdict: { outcome: "not-tested", reason } }
          : rule,
      );

/** Whether a rule had nothing to say, for want of anything to look at. */
const isSilent = ({ observations, findings, blockedBy }: RuleOutcome): boolean =>
  observations === 0 && findings.length === 0 && blockedBy === undefined;

const withReason = (outcome: RuleOutcome, reason: string | undefined): RuleOutcome =>
  reason === undefined ? outcome : { ...outcome, notApplicable: reason };
