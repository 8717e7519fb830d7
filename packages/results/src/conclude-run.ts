import { type ExitCode, exitCodeOf, type InterruptSignal, outcomePrecedence } from "./exit-codes.ts";
import { incompleteReasonsOf } from "./incomplete-reasons.ts";
import type { RunOutcome } from "./outcome.ts";
import type { IncompleteReason } from "./run-result.ts";
import { type OutcomeFacts, sentenceOf } from "./run-summary.ts";
import type { RuleVerdict, VerdictOutcome } from "./verdict.ts";
import { failsRun } from "./verdict-of.ts";

/** Everything the outcome of a run depends on. */
export interface RunFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** Reasons found while driving; those that follow from the verdicts are added here. */
  readonly incomplete?: readonly IncompleteReason[];
  readonly strict: boolean;
  /** What went wrong in the harness itself, one sentence. */
  readonly harnessError?: string;
  readonly interrupted?: InterruptSignal;
  /** What is wrong with usage, configuration or a document given by the user, one sentence. */
  readonly usageError?: string;
  /** What could not be removed from the target, one sentence. */
  readonly cleanupFailure?: string;
  /** A load run's decision. An invalid load run has none: it gives a reason in `incomplete` instead. */
  readonly performance?: "passed" | "failed" | "inconclusive";
}

/** How a run ends: the part of a `RunResult` that nothing but `concludeRun` makes. */
export interface Conclusion {
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  readonly counts: Readonly<Record<VerdictOutcome, number>>;
}

/** How many verdicts there are of each outcome. */
export const countOutcomes = (verdicts: readonly RuleVerdict[]): Conclusion["counts"] => {
  const counts = { passed: 0, failed: 0, warned: 0, "not-observed": 0, "not-applicable": 0, "could-not-run": 0 };
  for (const { verdict } of verdicts) {
    counts[verdict.outcome] += 1;
  }
  return counts;
};

/** With one of these, nothing that could be judged was sent: what follows from it is not worth a second sentence. */
const rootCauses = new Set<IncompleteReason["code"]>(["unreachable", "authentication-refused", "not-the-api"]);

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
  return [...given, ...incompleteReasonsOf(facts.verdicts).filter(({ code }) => !codes.has(code))];
};

const holds = (facts: RunFacts, incomplete: readonly IncompleteReason[]): Readonly<Record<RunOutcome, boolean>> => ({
  "harness-error": facts.harnessError !== undefined,
  interrupted: facts.interrupted !== undefined,
  "usage-error": facts.usageError !== undefined,
  failed: facts.verdicts.some(({ verdict }) => failsRun(verdict, facts.strict)),
  "performance-failed": facts.performance === "failed",
  incomplete: incomplete.length > 0,
  "performance-inconclusive": facts.performance === "inconclusive",
  "cleanup-incomplete": facts.cleanupFailure !== undefined,
  passed: true,
});

/**
 * The one place where a run's outcome, exit code and summary come from; every report and the process itself use its answer.
 * An empty list of verdicts, or one in which nothing was observed, never passes.
 */
export const concludeRun = (facts: RunFacts): Conclusion => {
  const incomplete = reasonsOf(facts);
  const applies = holds(facts, incomplete);
  const outcome = outcomePrecedence.find((candidate) => applies[candidate]) ?? "harness-error";
  const counts = countOutcomes(facts.verdicts);
  const summaryFacts: OutcomeFacts = {
    ...facts,
    incomplete,
    counts,
    broken: facts.verdicts.filter(({ verdict }) => failsRun(verdict, facts.strict)).map(({ rule }) => rule),
  };
  return {
    outcome,
    exitCode: exitCodeOf(outcome, facts.interrupted),
    summary: sentenceOf(outcome, summaryFacts),
    incomplete,
    counts,
  };
};
