import { isConversationRuleId, isRuleId, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { UnsentCause, UnsentProbe } from "@assay/evidence";
import type { RuleVerdict } from "@assay/results";
import { acceptedTokenMissing } from "@assay/rules";
import type { BlockedBy, RuleOutcome } from "@assay/rules";
import type { JudgeSettings } from "./judge-settings.ts";

/**
 * Why rules were not tested is decided in this file alone, in this order:
 *
 * 1. The target excludes the rule: it is not applicable.
 * 2. Requests that it needs were left out by choice, or its check reports what blocks it: it is blocked.
 * 3. The run asked no question, and the rule needs one: it is not applicable.
 *
 * All others are not tested, for the first of these reasons that there is:
 *
 * 4. Why its interface gave no answer at all.
 * 5. Why the run ended before all was sent.
 * 6. What a mutation needs: the rule passed, but would have passed as well if the target ignored its requirements (`withProof`).
 * 7. What its check reports as `notTested`.
 * 8. What its record says.
 *
 * `accountedOutcomes` does 1 to 3 before there are verdicts, `withReasons` the rest after mutations were tried.
 */

type Outcomes = ReadonlyMap<RuleId, RuleOutcome>;

/** In order of importance: what the run declined, then what was missing from the start. */
const order: readonly UnsentCause[] = ["busy", "quota", "budget", "other", "bail"];

/** What blocks a rule after a probe was skipped to protect the target. */
const declined: Readonly<Partial<Record<UnsentCause, BlockedBy["kind"]>>> = {
  busy: "transport",
  quota: "limit",
  budget: "prerequisite",
};

function blockedByOf({ cause, reason }: UnsentProbe): BlockedBy {
  const text = visibleText(reason, 300);
  return { kind: declined[cause] ?? "prerequisite", missing: `requests that were not sent (${text})` };
}

/** The probes that a rule needs and that were not sent. */
function missedBy(rule: RuleId, unsent: readonly UnsentProbe[]): readonly UnsentProbe[] {
  const { interface: area, probes } = ruleRecord(rule);
  const needed: readonly string[] = probes;
  return unsent.filter(
    ({ interface: name, probe }) =>
      (name === area || (area === "migration" && name !== "stream")) && needed.includes(probe),
  );
}

/** True if nothing was found, not even what blocks the rule. */
const hasNoEvidence = ({ observations, findings, blockedBy }: RuleOutcome): boolean =>
  observations === 0 && findings.length === 0 && blockedBy === undefined;

const nothing: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };

/** True if a rule reports that something was not requested because its input was missing. */
const blamesNobody = ({ blockedBy, observations }: RuleOutcome): boolean =>
  observations === 0 && blockedBy?.kind === "prerequisite" && blockedBy.missing !== acceptedTokenMissing;

function accountedFor(outcome: RuleOutcome, missed: readonly UnsentProbe[]): RuleOutcome {
  const [first] = order.flatMap((cause) => missed.find((probe) => probe.cause === cause) ?? []);
  if (first === undefined || outcome.notApplicable !== undefined) {
    return outcome;
  }
  const isLeftOut = hasNoEvidence(outcome) && declined[first.cause] !== undefined;
  // Missing input is what a user can provide.
  const isBlamed = blamesNobody(outcome) && missed.every(({ cause }) => cause !== "token");
  if (isBlamed && first.cause === "bail") {
    return nothing;
  }
  return isLeftOut || isBlamed ? { ...outcome, blockedBy: blockedByOf(first) } : outcome;
}

/** A rule about conversations without evidence does not apply to a run that asked no question. */
function accountedForQuestions(rule: RuleId, outcome: RuleOutcome, asksNothing: string | undefined): RuleOutcome {
  return asksNothing !== undefined && hasNoEvidence(outcome) && isConversationRuleId(rule)
    ? { ...outcome, notApplicable: asksNothing }
    : outcome;
}

/**
 * The outcomes of all selected rules, given the probes that were not sent. A rule without evidence because the run declined to send its
 * requests is blocked; one that reports a missing token names what blocked it instead.
 */
export const accountedOutcomes = (
  { rules, asksNothing }: Pick<JudgeSettings, "rules" | "asksNothing">,
  outcomes: Outcomes,
  unsent: readonly UnsentProbe[],
): Outcomes =>
  new Map(
    rules.map((rule) => {
      const accounted = accountedFor(outcomes.get(rule) ?? nothing, missedBy(rule, unsent));
      return [rule, accountedForQuestions(rule, accounted, asksNothing)];
    }),
  );

/** The cause of an early end of a run. */
export interface RunStop {
  /** One clause. */
  readonly reason: string;
  /** Whether `--bail` ended it, so that no rule is required any more. */
  readonly isBail: boolean;
}

/** Reasons why all rules, or all rules of an interface, were not tested. */
export interface RootCauses {
  /** Why an interface gave no answer, one clause each. */
  readonly unanswered: ReadonlyMap<RuleVerdict["interface"], string>;
  readonly stop?: RunStop;
}

/** The verdicts, with a reason for each rule that was not tested. */
export const withReasons = (
  verdicts: readonly RuleVerdict[],
  { unanswered, stop }: RootCauses,
): readonly RuleVerdict[] =>
  verdicts.map((judged) => {
    const { rule, interface: name, verdict, mustTest } = judged;
    if (verdict.outcome !== "not-tested" || !isRuleId(rule)) {
      return judged;
    }
    const reason = unanswered.get(name) ?? stop?.reason ?? verdict.reason ?? ruleRecord(rule).notTested;
    return { ...judged, mustTest: mustTest && stop?.isBail !== true, verdict: { ...verdict, reason } };
  });
