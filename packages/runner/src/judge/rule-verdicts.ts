import { allRequirements, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { collectNotes, createVerdict } from "@assay/results";
import type { RuleVerdict } from "@assay/results";
import type { RuleOutcome } from "@assay/rules";
import { findUnspecifiedId } from "./unspecified-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { sortByRelevance } from "./relevant-requirements.ts";
import { toReportedFindings } from "./reported-findings.ts";
import type { ExchangeLookup } from "./reported-findings.ts";

const requirements = new Map<string, RuleVerdict["requirements"][number]>(
  allRequirements.map(({ id, specification, section, text }) => [id, { id, specification, section, text }]),
);

interface VerdictInput {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly settings: JudgeSettings;
  readonly lookup: ExchangeLookup;
}

/** Returns the verdict of every selected rule, in catalogue order. `addReasons` adds the reasons rules were not tested. */
export function createRuleVerdicts(input: VerdictInput): readonly RuleVerdict[] {
  return ruleIds.filter((id) => input.settings.rules.includes(id)).map((id) => createRuleVerdict(id, input));
}

function createRuleVerdict(id: RuleId, { outcomes, settings, lookup }: VerdictInput): RuleVerdict {
  const record = ruleRecord(id);
  const outcome = outcomes.get(id) ?? { observations: 0, findings: [], droppedViolations: 0 };
  const { basis, title } = record;
  // A run without questions does not have to test rules that need an answer.
  const isUnasked = outcome.notApplicable !== undefined && outcome.notApplicable === settings.noQuestionsReason;
  const outcomeToReport = {
    ...outcome,
    basis,
    strict: settings.strict,
    findings: toReportedFindings(outcome.findings, lookup),
  };
  // Observations in the behaviour register are reported separately.
  const notes = collectNotes(outcomeToReport).filter((note) => findUnspecifiedId(note) === undefined);
  return {
    rule: id,
    interface: record.interface,
    operation: record.operation,
    title,
    basis,
    requirements: sortByRelevance(
      record.requirements.flatMap((requirementId) => requirements.get(requirementId) ?? []),
      outcome.findings.slice(0, 1),
    ),
    mustTest: !isUnasked && settings.mustTest.includes(id),
    verdict: createVerdict(outcomeToReport),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
