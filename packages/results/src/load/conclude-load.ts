import { type ExitCode, exitCodeOf, type InterruptSignal, outcomePrecedence } from "../exit-codes.ts";
import type { RunOutcome } from "../outcome.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { Comparison } from "./comparison.ts";
import type { LoadResult } from "./load-result.ts";
import { type LoadSentenceFacts, loadSentence } from "./load-summary.ts";

/** Everything the outcome of a load run depends on. */
export interface LoadFacts {
  /** Violations of the contract by code. */
  readonly violations: LoadResult["violations"];
  readonly thresholds: LoadResult["thresholds"];
  /**
   * Why the figures of the run mean nothing, or not what they should; with any of them neither a threshold nor a comparison
   * counts.
   */
  readonly incomplete: readonly IncompleteReason[];
  readonly comparison?: Comparison;
  /** Whether an inconclusive comparison fails the run. */
  readonly decide: boolean;
  readonly canary?: LoadResult["canary"];
  readonly cleanUp?: LoadResult["cleanUp"];
  /** Samples that went well, for the sentence. */
  readonly okCount: number;
  /** What went wrong in the harness itself, one sentence. */
  readonly harnessError?: string;
  readonly interrupted?: InterruptSignal;
  readonly usageError?: string;
}

/** How a load run ends: the part of a `LoadResult` that nothing but `concludeLoad` makes. */
export interface LoadConclusion {
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
}

/** A canary that saw too little says so; it does not take the meaning from the figures of the load. */
const canaryReasons = ({ canary }: LoadFacts): readonly IncompleteReason[] =>
  canary?.outcome === "incomplete"
    ? [{ code: "nothing-observed", message: `the judges that ran beside the load: ${canary.summary}` }]
    : [];

const performanceOf = (facts: LoadFacts): "passed" | "failed" | "inconclusive" => {
  const isMissed = facts.thresholds.some(({ ok }) => ok === false);
  const verdict = facts.comparison?.verdict;
  if (isMissed || verdict === "regressed") {
    return "failed";
  }
  return facts.decide && verdict === "inconclusive" ? "inconclusive" : "passed";
};

const undecidedThresholds = (facts: LoadFacts): readonly IncompleteReason[] => {
  // A run whose load was found wanting has said why; a threshold that was missed settles the matter.
  if (facts.incomplete.length > 0 || facts.thresholds.some(({ ok }) => ok === false)) {
    return [];
  }
  const [first, ...rest] = facts.thresholds.filter(({ ok }) => ok === undefined);
  const more = rest.length === 0 ? "" : `, and ${rest.length} more`;
  return first === undefined
    ? []
    : [{ code: "invalid-load", message: `too few samples to judge \`${first.threshold}\`${more}; run longer` }];
};

const holds = (facts: LoadSentenceFacts): Readonly<Record<RunOutcome, boolean>> => ({
  "harness-error": facts.harnessError !== undefined,
  interrupted: facts.interrupted !== undefined,
  "usage-error": facts.usageError !== undefined,
  failed: Object.values(facts.violations).some((count) => count > 0) || facts.canary?.outcome === "failed",
  "performance-failed": facts.performance === "failed",
  incomplete: facts.incomplete.length > 0,
  "performance-inconclusive": facts.performance === "inconclusive",
  "cleanup-incomplete": (facts.cleanUp?.left.length ?? 0) > 0 || facts.canary?.outcome === "cleanup-incomplete",
  passed: true,
});

/** What the canary's own trouble means for the whole. */
const withCanary = (facts: LoadFacts): LoadFacts => {
  const { canary } = facts;
  if (canary?.outcome === "harness-error" && facts.harnessError === undefined) {
    return { ...facts, harnessError: `the judges that ran beside the load: ${canary.summary}` };
  }
  if (canary?.outcome === "usage-error" && facts.usageError === undefined) {
    return { ...facts, usageError: `the judges that ran beside the load: ${canary.summary}` };
  }
  return facts;
};

/**
 * The one place where a load run's outcome, exit code and summary come from. Precedence: a bug, an interruption, wrong usage, a
 * violation of the contract, an invalid run (which never misses a threshold, regresses or asks for a decision), a missed
 * threshold or a regression, a canary that saw too little, no decision although one was asked for, something left behind.
 */
export const concludeLoad = (given: LoadFacts): LoadConclusion => {
  const facts = withCanary(given);
  const ended = facts.harnessError ?? facts.interrupted ?? facts.usageError;
  const invalid = [...facts.incomplete, ...(ended === undefined ? undecidedThresholds(facts) : [])];
  const all: LoadSentenceFacts = {
    ...facts,
    incomplete: [...invalid, ...canaryReasons(facts)],
    performance: invalid.length > 0 ? undefined : performanceOf(facts),
  };
  const applies = holds(all);
  const outcome = outcomePrecedence.find((candidate) => applies[candidate]) ?? "harness-error";
  return {
    outcome,
    exitCode: exitCodeOf(outcome, facts.interrupted),
    summary: loadSentence(outcome, all),
    incomplete: all.incomplete,
  };
};
