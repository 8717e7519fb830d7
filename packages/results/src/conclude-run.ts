import { type ExitCode, exitCodeOf, type InterruptSignal, outcomePrecedence } from "./exit-codes.ts";
import { incompleteReasonsOf } from "./incomplete-reasons.ts";
import type { RunOutcome } from "./outcome.ts";
import { failsRun, type RuleStanding, ruleStanding } from "./rule-standing.ts";
import type { IncompleteReason } from "./run-result.ts";
import { type OutcomeFacts, sentenceOf } from "./run-summary.ts";
import type { RuleVerdict } from "./verdict.ts";

/** Everything that decides the outcome of a run. */
export interface RunFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** Reasons found while sending requests; `concludeRun` adds those that follow from the verdicts. */
  readonly incomplete?: readonly IncompleteReason[];
  /** Why too little was tested although everything tested passed; used only without another reason. */
  readonly floor?: readonly IncompleteReason[];
  readonly strict: boolean;
  /** Mistakes in the lists of known failures, one sentence each; any of them fails the run. */
  readonly knownFailureMistakes?: readonly string[];
  /** A bug or failure of Assay itself, one sentence. */
  readonly harnessError?: string;
  readonly interrupted?: InterruptSignal;
  /** A mistake in usage, configuration or a file of the user, one sentence. */
  readonly usageError?: string;
  /** What could not be removed from the target, one sentence. */
  readonly cleanupFailure?: string;
  /** A load run's decision. An invalid load run has none: it gives a reason in `incomplete` instead. */
  readonly performance?: "passed" | "failed" | "inconclusive";
}

/** How a run ended; only `concludeRun` creates it. */
export interface Conclusion {
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  readonly counts: Readonly<Record<RuleStanding, number>>;
  /** As given; absent without any. */
  readonly knownFailureMistakes?: readonly string[];
}

/** The number of verdicts of each standing. */
export const countOutcomes = (verdicts: readonly RuleVerdict[]): Conclusion["counts"] => {
  const counts = {
    passed: 0,
    failed: 0,
    warned: 0,
    "known-failure": 0,
    fixed: 0,
    "not-tested": 0,
    "not-applicable": 0,
    blocked: 0,
  };
  for (const rule of verdicts) {
    counts[ruleStanding(rule)] += 1;
  }
  return counts;
};

/** The number of confirmed passes; undefined if no rule has a proof. */
export const provenCount = (verdicts: readonly RuleVerdict[]): number | undefined =>
  verdicts.every(({ proof }) => proof === undefined)
    ? undefined
    : verdicts.filter((rule) => ruleStanding(rule) === "passed" && rule.proof !== undefined).length;

/** Reasons that explain all others: nothing could be judged, so consequences are not reported. */
const rootCauses = new Set<IncompleteReason["code"]>([
  "unreachable",
  "authentication-refused",
  "not-the-api",
  "not-judged",
  "bail",
]);

const reasonsOf = (facts: RunFacts): readonly IncompleteReason[] => {
  const given = facts.incomplete ?? [];
  const explained =
    facts.harnessError !== undefined ||
    facts.usageError !== undefined ||
    facts.interrupted !== undefined ||
    given.some(({ code }) => rootCauses.has(code));
  if (explained) {
    return given;
  }
  const codes = new Set(given.map(({ code }) => code));
  const reasons = [...given, ...incompleteReasonsOf(facts.verdicts).filter(({ code }) => !codes.has(code))];
  return reasons.length > 0 ? reasons : (facts.floor ?? []);
};

const appliesTo = (
  facts: RunFacts,
  incomplete: readonly IncompleteReason[],
): Readonly<Record<RunOutcome, boolean>> => ({
  "harness-error": facts.harnessError !== undefined,
  interrupted: facts.interrupted !== undefined,
  "usage-error": facts.usageError !== undefined,
  failed: facts.verdicts.some((rule) => failsRun(rule, facts.strict)) || (facts.knownFailureMistakes ?? []).length > 0,
  "performance-failed": facts.performance === "failed",
  incomplete: incomplete.length > 0,
  "performance-inconclusive": facts.performance === "inconclusive",
  "cleanup-incomplete": facts.cleanupFailure !== undefined,
  passed: true,
});

/** Precedes, in a summary, what could not be removed from the target. */
export const leftOnTarget = "; left on the target: ";

const leftBehind = (outcome: RunOutcome, { cleanupFailure = "" }: RunFacts): string =>
  cleanupFailure === "" || outcome === "cleanup-incomplete" ? "" : leftOnTarget + cleanupFailure;

/**
 * Decides outcome, exit code and summary of a run, for every report and for the process. A run does not pass if no rule was tested, or if
 * a list of known failures has a mistake.
 */
export const concludeRun = (facts: RunFacts): Conclusion => {
  const incomplete = reasonsOf(facts);
  const applies = appliesTo(facts, incomplete);
  const outcome = outcomePrecedence.find((candidate) => applies[candidate]) ?? "harness-error";
  const counts = countOutcomes(facts.verdicts);
  const failing = facts.verdicts.filter((rule) => failsRun(rule, facts.strict));
  const mistakes = facts.knownFailureMistakes ?? [];
  const summaryFacts: OutcomeFacts = {
    ...facts,
    incomplete,
    counts,
    broken: failing.filter((rule) => ruleStanding(rule) !== "fixed").map(({ rule }) => rule),
    fixed: failing.filter((rule) => ruleStanding(rule) === "fixed").map(({ rule }) => rule),
    mistakes,
  };
  return {
    outcome,
    exitCode: exitCodeOf(outcome, facts.interrupted),
    summary: sentenceOf(outcome, summaryFacts) + leftBehind(outcome, facts),
    incomplete,
    counts,
    ...(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }),
  };
};
