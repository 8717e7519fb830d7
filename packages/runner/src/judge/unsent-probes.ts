import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { UnsentCause, UnsentProbe } from "@assay/evidence";
import { provenTokenMissing } from "@assay/rules";
import type { RuleObstacle, RuleOutcome } from "@assay/rules";
import { neededProbes } from "../converse/needed-probes.ts";

type Outcomes = ReadonlyMap<RuleId, RuleOutcome>;

/** The searches that only one rule, or two of which one applies, look at. */
const searches: Readonly<Partial<Record<RuleId, string>>> = {
  "stream/oauth-token-is-accepted": "oauth-token",
  "stream/scope-is-required": "unscoped-token",
  "stream/invalid-token-is-refused": "invalid-token",
  "stream/missing-token-is-refused": "no-token",
  "stream/anonymous-search-is-accepted": "no-token",
};

/** The most telling first: what the run declined, then what was not there to begin with. */
const order: readonly UnsentCause[] = ["busy", "quota", "budget", "other", "bail"];

/** What keeps a rule from its evidence where a probe was left out of care for the target. */
const declined: Readonly<Partial<Record<UnsentCause, RuleObstacle["kind"]>>> = {
  busy: "transport",
  quota: "limit",
  budget: "prerequisite",
};

function obstacleOf({ cause, reason }: UnsentProbe): RuleObstacle {
  const why = visibleText(reason, 300);
  return { kind: declined[cause] ?? "prerequisite", missing: `requests that were not sent (${why})` };
}

/** The probes that a rule needs and that were not sent. */
function missedBy(rule: RuleId, unsent: readonly UnsentProbe[]): readonly UnsentProbe[] {
  const needed = neededProbes(new Set([rule]));
  const isNeeded = ({ interface: name, probe }: UnsentProbe): boolean =>
    name === "stream" ? searches[rule] === probe : [...needed[name]].some((id) => id === probe);
  return unsent.filter((probe) => isNeeded(probe));
}

const nothing: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };

/** Whether a rule says that something was never asked for because nobody gave what it takes. */
const blamesNobody = ({ blockedBy, observations }: RuleOutcome): boolean =>
  observations === 0 && blockedBy?.kind === "prerequisite" && blockedBy.missing !== provenTokenMissing;

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

/**
 * What rules come to once it is known what was not sent. A rule that had nothing to look at because the run declined to send
 * it could not run; one that says that nobody gave a token says what really kept it from its evidence.
 */
export function withUnsent(rules: readonly RuleId[], outcomes: Outcomes, unsent: readonly UnsentProbe[]): Outcomes {
  const accounted = new Map(outcomes);
  for (const rule of unsent.length === 0 ? [] : rules) {
    const missed = missedBy(rule, unsent);
    if (missed.length > 0) {
      accounted.set(rule, accountedFor(outcomes.get(rule) ?? nothing, missed));
    }
  }
  return accounted;
}
