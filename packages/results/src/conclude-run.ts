import { counted, listNames } from "@assay/contract";
import { conclude, errorEndings, formatNames, describeReasons, type Ending, type Endings } from "./conclude.ts";
import type { InterruptSignal } from "./exit-codes.ts";
import { failsRun, isJudged, type RuleStanding, ruleStanding } from "./rule-standing.ts";
import type { IncompleteReason } from "./run-result.ts";
import type { BlockedBy, RuleVerdict } from "./verdict.ts";

/** Everything that decides the outcome of a run. */
export interface RunFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** Reasons found while sending requests. `concludeRun` adds those that follow from the verdicts. */
  readonly incomplete?: readonly IncompleteReason[];
  /** Reasons why too little was tested even though everything tested passed. Used only if there is no other reason. */
  readonly coverageShortfall?: readonly IncompleteReason[];
  readonly strict: boolean;
  /** Errors in known-failure files, each as one sentence. Any error fails the run. */
  readonly knownFailureMistakes?: readonly string[];
  /** A bug in or failure of Assay itself, in one sentence. */
  readonly harnessError?: string;
  readonly interrupted?: InterruptSignal;
  /** An error in usage, configuration or one of the user's files, in one sentence. */
  readonly usageError?: string;
  /** One sentence on what cleanup left on the target. */
  readonly cleanupFailure?: string;
  /** A load run's decision. An invalid load run has none: it gives a reason in `incomplete` instead. */
  readonly performance?: "passed" | "failed" | "inconclusive";
}

/** The outcome of a run. Only `concludeRun` creates it. */
export interface Conclusion extends Ending {
  readonly incomplete: readonly IncompleteReason[];
  readonly counts: Readonly<Record<RuleStanding, number>>;
  /** Copied from `RunFacts`. Omitted if empty. */
  readonly knownFailureMistakes?: readonly string[];
}

/** Counts verdicts by standing. */
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

/** Counts confirmed passes. Undefined if no rule has a proof. */
export const countConfirmed = (verdicts: readonly RuleVerdict[]): number | undefined =>
  verdicts.every(({ proof }) => proof === undefined)
    ? undefined
    : verdicts.filter((rule) => ruleStanding(rule) === "passed" && rule.proof !== undefined).length;

/** Lists the first three rule ids and the number of others. */
const listRuleNames = (verdicts: readonly RuleVerdict[]): string =>
  listNames(
    verdicts.map(({ rule }) => rule),
    3,
  );

/** Returns why a rule was blocked. Returns undefined if the rule also has a failure that is not a known failure. */
const findBlock = (rule: RuleVerdict): { readonly blockedBy: BlockedBy; readonly missing: string } | undefined => {
  const { verdict } = rule;
  if (verdict.outcome === "blocked") {
    return verdict;
  }
  return verdict.outcome === "failed" && ruleStanding(rule) === "known-failure" ? verdict.partlyBlocked : undefined;
};

const formatMoreReasons = (count: number): string =>
  count === 0 ? "" : ` (and ${counted(count, "more such reason")})`;

const listBlockedReasons = (
  verdicts: readonly RuleVerdict[],
  code: "transport" | "limit",
): readonly IncompleteReason[] => {
  const missingEvidence = new Set<string>();
  const blockedRules = verdicts.filter((rule) => {
    const block = findBlock(rule);
    const isBlocked = block?.blockedBy === code;
    if (isBlocked) {
      missingEvidence.add(block.missing);
    }
    return isBlocked;
  });
  const [first] = missingEvidence;
  if (first === undefined) {
    return [];
  }
  const otherReasons = formatMoreReasons(missingEvidence.size - 1);
  return [{ code, message: `blocked: ${listRuleNames(blockedRules)}: ${first}${otherReasons}` }];
};

/** Returns why a rule was not tested or does not apply. */
const findNotTestedReason = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "blocked") {
    return verdict.blockedBy === "prerequisite" ? verdict.missing : undefined;
  }
  return verdict.outcome === "not-tested" || verdict.outcome === "not-applicable" ? verdict.reason : undefined;
};

const listMustTestReasons = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  const untestedRules = verdicts.filter((verdict) => verdict.mustTest && !isJudged(verdict));
  const [firstReason, ...others] = new Set(untestedRules.flatMap((rule) => findNotTestedReason(rule) ?? []));
  const reasonClause = firstReason === undefined ? "" : `: ${firstReason}${formatMoreReasons(others.length)}`;
  const message = `the profile requires rules that were not tested: ${listRuleNames(untestedRules)}${reasonClause}`;
  return untestedRules.length === 0 ? [] : [{ code: "must-test", message }];
};

/** Reports that no rule was tested, with the reason if all rules share it. */
const createNothingTestedReason = (verdicts: readonly RuleVerdict[]): IncompleteReason => {
  const [reason, ...others] = new Set(verdicts.map(findNotTestedReason));
  const reasonClause = reason === undefined || others.length > 0 ? "" : `: ${reason}`;
  return {
    code: "nothing-observed",
    message: `the target's responses were not enough to test any rule${reasonClause}`,
  };
};

/**
 * Returns why the verdicts leave a run incomplete. Empty if they decide the run. The possible reasons:
 *
 * - no rule was selected
 * - no rule was tested
 * - a rule with `mustTest` was not tested
 * - transport or a limit blocked a rule, or part of a known failure's evidence
 *
 * A missing prerequisite alone does not make a run incomplete.
 */
const listVerdictReasons = (verdicts: readonly RuleVerdict[]): readonly IncompleteReason[] => {
  if (verdicts.length === 0) {
    return [{ code: "empty-selection", message: "no rule was selected; select at least one" }];
  }
  const nothingTested: readonly IncompleteReason[] = verdicts.some(isJudged)
    ? []
    : [createNothingTestedReason(verdicts)];
  return [
    // Causes come before their consequences: the first reason is always shown.
    ...listBlockedReasons(verdicts, "transport"),
    ...listBlockedReasons(verdicts, "limit"),
    ...nothingTested,
    ...listMustTestReasons(verdicts),
  ];
};

/** Reasons that explain all others: nothing could be judged, so their consequences are not reported. */
const rootCauses = new Set<IncompleteReason["code"]>([
  "unreachable",
  "authentication-refused",
  "not-the-api",
  "not-judged",
  "bail",
]);

/** Returns the reasons in `facts` and those that follow from the verdicts. */
export const listIncompleteReasons = (facts: Omit<RunFacts, "strict">): readonly IncompleteReason[] => {
  const reportedReasons = facts.incomplete ?? [];
  const hasRootCause =
    facts.harnessError !== undefined ||
    facts.usageError !== undefined ||
    facts.interrupted !== undefined ||
    reportedReasons.some(({ code }) => rootCauses.has(code));
  if (hasRootCause) {
    return reportedReasons;
  }
  const codes = new Set(reportedReasons.map(({ code }) => code));
  const reasons = [...reportedReasons, ...listVerdictReasons(facts.verdicts).filter(({ code }) => !codes.has(code))];
  return reasons.length > 0 ? reasons : (facts.coverageShortfall ?? []);
};

/** Run facts plus values derived from the verdicts. */
interface RunFactsWithCounts extends RunFacts {
  readonly incomplete: readonly IncompleteReason[];
  readonly counts: Conclusion["counts"];
}

/** Counts passed and other rules, such as `184 of 189 rules passed; 3 not tested, 2 not applicable`. Failed rules are reported separately. */
const describePassed = ({ counts }: RunFactsWithCounts): string => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return "no rule was tested";
  }
  const otherStandings: readonly (readonly [number, string])[] = [
    [counts.warned, "warned"],
    [counts["known-failure"], counts["known-failure"] === 1 ? "known failure" : "known failures"],
    [counts.fixed, "fixed"],
    [counts["not-tested"], "not tested"],
    [counts["not-applicable"], "not applicable"],
    [counts.blocked, "blocked"],
  ];
  const parts = otherStandings.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const allRules = total === 1 ? "1 rule" : `all ${total} rules`;
  const share = counts.passed === total ? allRules : `${counts.passed} of ${counted(total, "rule")}`;
  return [`${share} passed`, ...(parts.length === 0 ? [] : [parts.join(", ")])].join("; ");
};

const countTested = ({ counts }: RunFactsWithCounts): number =>
  counts.passed + counts.failed + counts.warned + counts["known-failure"] + counts.fixed;

/** Returns the ids of rules that make the run fail, either fixed known failures or all others. */
const listFailingRules = ({ verdicts, strict }: RunFactsWithCounts, areFixed: boolean): readonly string[] =>
  verdicts
    .filter((rule) => failsRun(rule, strict) && (ruleStanding(rule) === "fixed") === areFixed)
    .map(({ rule }) => rule);

const describeFailedRules = (facts: RunFactsWithCounts): readonly string[] => {
  const failedIds = listFailingRules(facts, false);
  return failedIds.length === 0
    ? []
    : [`${failedIds.length} of ${counted(countTested(facts), "rule")} failed: ${formatNames(failedIds)}`];
};

/** Describes known failures that no longer fail, as clauses. */
export const describeFixed = (fixed: readonly string[]): readonly string[] =>
  fixed.length === 0
    ? []
    : [
        `${counted(fixed.length, "known failure no longer fails", "known failures no longer fail")}: ${formatNames(fixed)}`,
      ];

/** Describes errors in known-failure files, as clauses. */
export const describeMistakes = (mistakes: readonly string[] = []): readonly string[] =>
  mistakes[0] === undefined
    ? []
    : [`${counted(mistakes.length, "mistake")} in the known failures, such as: ${mistakes[0]}`];

/** Describes everything that makes a run fail, failures of the target first. */
const describeFailures = (facts: RunFactsWithCounts): string | undefined => {
  const clauses = [
    ...describeFailedRules(facts),
    ...describeFixed(listFailingRules(facts, true)),
    ...describeMistakes(facts.knownFailureMistakes),
  ];
  // Reports list the reasons next to the failures.
  const incompleteClause =
    facts.incomplete.length === 0 ? "" : `; also incomplete (${counted(facts.incomplete.length, "reason")})`;
  return clauses.length === 0 ? undefined : clauses.join("; ") + incompleteClause;
};

const runEndings: Endings<RunFactsWithCounts> = {
  ...errorEndings,
  interrupted: (facts) =>
    facts.interrupted === undefined
      ? undefined
      : `interrupted by ${facts.interrupted}; so far: ${[...describeFailedRules(facts), describePassed(facts)].join("; ")}`,
  failed: describeFailures,
  "performance-failed": (facts) =>
    facts.performance === "failed"
      ? `a performance threshold was missed or a regression was found; ${describePassed(facts)}`
      : undefined,
  incomplete: (facts) => {
    const reason = describeReasons(facts.incomplete);
    return reason === undefined
      ? undefined
      : `${countTested(facts) === 0 ? "nothing was tested" : "no verdict"}: ${reason}`;
  },
  "performance-inconclusive": (facts) =>
    facts.performance === "inconclusive"
      ? `the performance comparison is inconclusive although a decision was requested; ${describePassed(facts)}`
      : undefined,
  "cleanup-incomplete": (facts) =>
    facts.cleanupFailure === undefined
      ? undefined
      : `${describePassed(facts)}, but cleanup left something behind: ${facts.cleanupFailure}`,
  passed: describePassed,
};

/** Introduces leftovers in a summary. */
export const leftOnTarget = "; left on the target: ";

/**
 * Decides outcome, exit code and summary of a run, for every report and for the process. A run does not pass if no rule was tested, or if
 * a known-failure file has an error.
 */
export const concludeRun = (facts: RunFacts): Conclusion => {
  const { cleanupFailure = "", knownFailureMistakes = [] } = facts;
  const incomplete = listIncompleteReasons(facts);
  const counts = countOutcomes(facts.verdicts);
  const { outcome, exitCode, summary } = conclude(runEndings, { ...facts, incomplete, counts }, facts.interrupted);
  const leftovers = cleanupFailure === "" || outcome === "cleanup-incomplete" ? "" : leftOnTarget + cleanupFailure;
  return {
    outcome,
    exitCode,
    summary: summary + leftovers,
    incomplete,
    counts,
    ...(knownFailureMistakes.length === 0 ? {} : { knownFailureMistakes }),
  };
};
