import { allRequirements, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { collectNotes, createVerdict } from "@assay/results";
import type { RuleVerdict } from "@assay/results";
import type { RuleOutcome } from "@assay/rules";
import { unspecifiedOf } from "./unspecified-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { relevantFirst } from "./relevant-requirements.ts";
import { reportedFindings } from "./reported-findings.ts";
import type { ExchangeLookup } from "./reported-findings.ts";

const requirements = new Map<string, RuleVerdict["requirements"][number]>(
  allRequirements.map(({ id, specification, section, text }) => [id, { id, specification, section, text }]),
);

interface Judged {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly settings: JudgeSettings;
  readonly lookup: ExchangeLookup;
}

/** Returns the verdict of every selected rule, in catalogue order. `withReasons` adds the reasons why rules were not tested. */
export function ruleVerdicts(judged: Judged): readonly RuleVerdict[] {
  return ruleIds.filter((id) => judged.settings.rules.includes(id)).map((id) => ruleVerdict(id, judged));
}

function ruleVerdict(id: RuleId, { outcomes, settings, lookup }: Judged): RuleVerdict {
  const record = ruleRecord(id);
  const outcome = outcomes.get(id) ?? { observations: 0, findings: [], droppedViolations: 0 };
  const { basis, title } = record;
  // A run without questions does not have to test rules that need an answer.
  const isUnasked = outcome.notApplicable !== undefined && outcome.notApplicable === settings.asksNothing;
  const judged = {
    ...outcome,
    basis,
    strict: settings.strict,
    findings: reportedFindings(outcome.findings, lookup),
  };
  // Observations in the behaviour register are reported separately.
  const notes = collectNotes(judged).filter((note) => unspecifiedOf(note) === undefined);
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
    mustTest: !isUnasked && settings.mustTest.includes(id),
    verdict: createVerdict(judged),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
