import { isConversationRuleId, isRuleId, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { UnsentCause, UnsentProbe } from "@assay/evidence";
import type { RuleVerdict } from "@assay/results";
import { acceptedTokenPrerequisite } from "@assay/rules";
import type { BlockedBy, RuleOutcome } from "@assay/rules";
import type { JudgeSettings } from "./judge-settings.ts";

/**
 * This file alone determines why rules were not tested, in this order:
 *
 * 1. The target excludes the rule: it is not applicable.
 * 2. The run declined to send requests that the rule needs, or the check of the rule reports what blocks it: it is blocked.
 * 3. The run asked no question, and the rule needs one: it is not applicable.
 *
 * All other rules are not tested, for the first of these reasons that exists:
 *
 * 4. The reason the interface of the rule did not respond.
 * 5. The reason the run ended early.
 * 6. The evidence that a mutation needs: the rule would also have passed if the target ignored its requirements (`addProof`).
 * 7. The `notTested` reason that the check of the rule reports.
 * 8. The reason in the record of the rule.
 *
 * `adjustOutcomes` applies 1 to 3 before there are verdicts. `addReasons` applies the rest after mutations were tried.
 */

type Outcomes = ReadonlyMap<RuleId, RuleOutcome>;

/** In order of importance: causes for which the run declined requests, then inputs that were missing from the start. */
const causeOrder: readonly UnsentCause[] = ["busy", "quota", "budget", "other", "bail"];

/** The kind of block for causes that protect the target. */
const blockKinds: Readonly<Partial<Record<UnsentCause, BlockedBy["kind"]>>> = {
  busy: "transport",
  quota: "limit",
  budget: "prerequisite",
};

function describeBlock({ cause, reason }: UnsentProbe): BlockedBy {
  const text = visibleText(reason, 300);
  return { kind: blockKinds[cause] ?? "prerequisite", missing: `requests that were not sent (${text})` };
}

/** Returns the probes that a rule needs but that were not sent. */
function findUnsentProbes(rule: RuleId, unsent: readonly UnsentProbe[]): readonly UnsentProbe[] {
  const { interface: area, probes } = ruleRecord(rule);
  const neededProbes: readonly string[] = probes;
  return unsent.filter(
    ({ interface: name, probe }) =>
      (name === area || (area === "migration" && name !== "stream")) && neededProbes.includes(probe),
  );
}

/** Reports whether a rule has no observations, no findings and no block. */
const hasNoEvidence = ({ observations, findings, blockedBy }: RuleOutcome): boolean =>
  observations === 0 && findings.length === 0 && blockedBy === undefined;

const noEvidence: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };

/** Reports whether a rule reports a request that was not sent because its input was missing. */
const isBlockedByMissingInput = ({ blockedBy, observations }: RuleOutcome): boolean =>
  observations === 0 && blockedBy?.kind === "prerequisite" && blockedBy.missing !== acceptedTokenPrerequisite;

function blockUnsent(outcome: RuleOutcome, unsentProbes: readonly UnsentProbe[]): RuleOutcome {
  const [first] = causeOrder.flatMap((cause) => unsentProbes.find((probe) => probe.cause === cause) ?? []);
  if (first === undefined || outcome.notApplicable !== undefined) {
    return outcome;
  }
  const wasDeclined = hasNoEvidence(outcome) && blockKinds[first.cause] !== undefined;
  // A user can provide missing input, so that reason is more useful.
  const reportsMissingInput = isBlockedByMissingInput(outcome) && unsentProbes.every(({ cause }) => cause !== "token");
  if (reportsMissingInput && first.cause === "bail") {
    return noEvidence;
  }
  return wasDeclined || reportsMissingInput ? { ...outcome, blockedBy: describeBlock(first) } : outcome;
}

/** Marks a conversation rule without evidence as not applicable if the run asked no questions. */
function excludeWithoutQuestions(
  rule: RuleId,
  outcome: RuleOutcome,
  noQuestionsReason: string | undefined,
): RuleOutcome {
  return noQuestionsReason !== undefined && hasNoEvidence(outcome) && isConversationRuleId(rule)
    ? { ...outcome, notApplicable: noQuestionsReason }
    : outcome;
}

/**
 * Adjusts the outcomes of all selected rules for probes that were not sent. A rule is blocked if it has no evidence because the run
 * declined to send its requests. A rule that reports a missing token keeps that reason.
 */
export const adjustOutcomes = (
  { rules, noQuestionsReason }: Pick<JudgeSettings, "rules" | "noQuestionsReason">,
  outcomes: Outcomes,
  unsent: readonly UnsentProbe[],
): Outcomes =>
  new Map(
    rules.map((rule) => {
      const adjustedOutcome = blockUnsent(outcomes.get(rule) ?? noEvidence, findUnsentProbes(rule, unsent));
      return [rule, excludeWithoutQuestions(rule, adjustedOutcome, noQuestionsReason)];
    }),
  );

/** The cause of an early end of a run. */
export interface RunStop {
  /** One clause. */
  readonly reason: string;
  /** Whether `--bail` ended it, so that no rule is required any more. */
  readonly isBail: boolean;
}

/** Reasons all rules, or all rules of an interface, were not tested. */
export interface RootCauses {
  /** The reason, as a clause, why an interface did not respond. */
  readonly unanswered: ReadonlyMap<RuleVerdict["interface"], string>;
  readonly stop?: RunStop;
}

/** Adds a reason to the verdict of each rule that was not tested. */
export const addReasons = (
  verdicts: readonly RuleVerdict[],
  { unanswered, stop }: RootCauses,
): readonly RuleVerdict[] =>
  verdicts.map((ruleVerdict) => {
    const { rule, interface: name, verdict, mustTest } = ruleVerdict;
    if (verdict.outcome !== "not-tested" || !isRuleId(rule)) {
      return ruleVerdict;
    }
    const reason = unanswered.get(name) ?? stop?.reason ?? verdict.reason ?? ruleRecord(rule).notTested;
    return { ...ruleVerdict, mustTest: mustTest && stop?.isBail !== true, verdict: { ...verdict, reason } };
  });
