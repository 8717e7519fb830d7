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
 * 2. Requests that it needs were left out by choice, or its check reports an obstacle: it is blocked.
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

/** The most telling first: what the run declined, then what was not there to begin with. */
const order: readonly UnsentCause[] = ["busy", "quota", "budget", "other", "bail"];

/** What keeps a rule from its evidence where a probe was left out of care for the target. */
const declined: Readonly<Partial<Record<UnsentCause, BlockedBy["kind"]>>> = {
  busy: "transport",
  quota: "limit",
  budget: "prerequisite",
};

function obstacleOf({ cause, reason }: UnsentProbe): BlockedBy {
  const why = visibleText(reason, 300);
  return { kind: declined[cause] ?? "prerequisite", missing: `requests that were not sent (${why})` };
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

const nothing: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };

/** Whether a rule says that something was never asked for because nobody gave what it takes. */
const blamesNobody = ({ blockedBy, observations }: RuleOutcome): boolean =>
  observations === 0 && blockedBy?.kind === "prerequisite" && blockedBy.missing !== acceptedTokenMissing;

function accountedFor(outcome: RuleOutcome, missed: readonly UnsentProbe[]): RuleOutcome {
  const [first] = order.flatMap((cause) => missed.find((probe) => probe.cause === cause) ?? []);
  if (first === undefined || outcome.notApplicable !== undefined) {
    return outcome;
  }
  const isSilent = outcome.observations === 0 && outcome.findings.length === 0 && outcome.blockedBy === undefined;
  const isLeftOut = isSilent && declined[first.cause] !== undefined;
  // What was not given is what people can give.
  const isBlamed = blamesNobody(outcome) && missed.every(({ cause }) => cause !== "token");
  if (isBlamed && first.cause === "bail") {
    return nothing;
  }
  return isLeftOut || isBlamed ? { ...outcome, blockedBy: obstacleOf(first) } : outcome;
}

/** A rule about conversations that had nothing to look at does not apply to a run that asked no question. */
function accountedForQuestions(rule: RuleId, outcome: RuleOutcome, asksNothing: string | undefined): RuleOutcome {
  const { observations, findings, blockedBy } = outcome;
  const isSilent = observations === 0 && findings.length === 0 && blockedBy === undefined;
  return asksNothing !== undefined && isSilent && isConversationRuleId(rule)
    ? { ...outcome, notApplicable: asksNothing }
    : outcome;
}

/**
 * The outcomes of all selected rules, once it is known what was not sent. A rule that had nothing to look at because the run
 * declined to send it is blocked; one that reports a missing token names what kept it from its evidence instead.
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

/** What ended a run before all was sent. */
export interface RunStop {
  /** One clause. */
  readonly reason: string;
  /** Whether `--bail` ended it, so that no rule is demanded any more. */
  readonly isBail: boolean;
}

/** What kept all rules of an interface, or all rules, from being tested. */
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
