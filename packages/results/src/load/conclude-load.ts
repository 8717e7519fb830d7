import { counted } from "@assay/contract";
import { describeFixed, describeMistakes } from "../conclude-run.ts";
import { conclude, errorEndings, formatNames, describeReasons, type Ending, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { Comparison } from "./comparison.ts";
import { formatGrouped } from "../format-grouped.ts";
import { formatSide } from "./load-judgement.ts";
import type { LoadResult, LoadThreshold } from "./load-result.ts";
import { describeMeasurement } from "./threshold-words.ts";

/** The facts that the summary of a load run uses. */
interface LoadSentenceFacts extends LoadFacts {
  /** Undefined for an invalid run. */
  readonly performance: "passed" | "failed" | "inconclusive" | undefined;
  readonly warnings: readonly string[];
}

const describeViolations = ({ violations }: LoadFacts): readonly string[] => {
  const violationCounts = Object.entries(violations).filter(([, count]) => count > 0);
  const codes = violationCounts.map(([code, count]) => `\`${code}\` ${counted(count, "time")}`);
  return codes.length === 0 ? [] : [`violations under load: ${formatNames(codes)}`];
};

const describeCanary = (summary: string): string => `rules checked during the load: ${summary}`;

const describeCanaryFailures = ({ canary }: LoadFacts): readonly string[] => {
  if (canary?.outcome !== "failed") {
    return [];
  }
  const names = canary.failed.map(({ rule }) => `\`${rule}\``);
  return [describeCanary(names.length === 0 ? canary.summary : `${formatNames(names)} failed`)];
};

/** Describes rules that failed on the exchanges of the load, those that pass without load first. */
const describeFailedRules = ({ judgement }: LoadFacts): readonly string[] => {
  const failures = judgement?.broken ?? [];
  const listFailures = (onlyUnderLoad: boolean): readonly string[] =>
    failures
      .filter(({ dependence }) => (dependence === "under-load") === onlyUnderLoad)
      .map((rule) => `\`${rule.rule}\`${formatSide(rule)}`);
  const [onlyUnderLoad, alsoWithoutLoad] = [listFailures(true), listFailures(false)];
  return [
    ...(onlyUnderLoad.length === 0 ? [] : [`failed under load only: ${formatNames(onlyUnderLoad)}`]),
    ...(alsoWithoutLoad.length === 0 ? [] : [`failed: ${formatNames(alsoWithoutLoad)}`]),
  ];
};

/** Returns the distinct ids of rules in lists of known failures. */
const listKnownRules = ({ judgement }: LoadFacts, status: KnownFailure["status"]): readonly string[] => [
  ...new Set((judgement?.known ?? []).flatMap(({ rule, known }) => (known.status === status ? [rule] : []))),
];

const listFailureClauses = (facts: LoadFacts): readonly string[] => [
  ...describeFailedRules(facts),
  ...describeViolations(facts),
  ...describeCanaryFailures(facts),
  ...describeFixed(listKnownRules(facts, "fixed").map((rule) => `\`${rule}\``)),
  ...describeMistakes(facts.knownFailureMistakes),
];

/** Counts known failures: rules, or violation codes if no exchange was judged. */
const describeKnownCount = (facts: LoadFacts): string => {
  const rules = listKnownRules(facts, "known-failure").length;
  const [count, noun] =
    rules > 0 ? [rules, "failure"] : [Object.keys(facts.knownViolations ?? {}).length, "violation code"];
  return count === 0 ? "" : `, ${counted(count, `known ${noun}`)}`;
};

const describeFailures = (facts: LoadSentenceFacts): string | undefined => {
  const clauses = listFailureClauses(facts);
  const reason = describeReasons(facts.incomplete);
  return clauses.length === 0
    ? undefined
    : [...clauses, ...(reason === undefined ? [] : [`also incomplete: ${reason}`])].join("; ");
};

/** Formats a threshold with its measured value. */
const formatThreshold = (threshold: LoadThreshold): string => {
  const measuredText = describeMeasurement(threshold);
  return `\`${threshold.threshold}\`${measuredText === "" ? "" : ` (${measuredText})`}`;
};

const describeComparison = ({ verdict }: NonNullable<LoadFacts["comparison"]>): string => `comparison ${verdict}`;

const isRequired = ({ severity }: LoadThreshold): boolean => severity !== "warn";

const isMissed = (threshold: LoadThreshold): boolean => isRequired(threshold) && threshold.ok === false;

/** Returns a test for missed thresholds. In a run whose times are not valid, only thresholds that fail regardless of them count. */
const createMissedTest =
  ({ lateness }: Pick<LoadFacts, "lateness">) =>
  (threshold: LoadThreshold): boolean =>
    isMissed(threshold) && (lateness === undefined || threshold.decisive === true);

const isRegressed = <T extends Pick<LoadFacts, "comparison" | "lateness">>(
  facts: T,
): facts is T & { readonly comparison: Comparison } =>
  facts.lateness === undefined && facts.comparison?.verdict === "regressed";

const describePerformanceFailure = (facts: LoadSentenceFacts): string => {
  const names = facts.thresholds.filter(createMissedTest(facts)).map(formatThreshold);
  const parts = [
    ...(names.length === 0 ? [] : [`missed: ${formatNames(names)}`]),
    ...(isRegressed(facts) ? [describeComparison(facts.comparison)] : []),
    ...(facts.endedEarly === undefined ? [] : [facts.endedEarly]),
    ...facts.warnings,
    ...describeKnee(facts),
  ];
  return parts.join("; ");
};

const formatRequestCount = (requests: number): string =>
  `${formatGrouped(requests)} ${requests === 1 ? "request" : "requests"}`;

const describeKnee = ({ knee }: LoadFacts): readonly string[] => (knee === undefined ? [] : [knee.sentence]);

const formatThresholdCount = (count: number): string => {
  if (count === 1) {
    return "the threshold";
  }
  return count === 2 ? "both thresholds" : `all ${count} thresholds`;
};

const describePassed = (facts: LoadSentenceFacts): string => {
  const comparisonClause = facts.comparison === undefined ? "" : `; ${describeComparison(facts.comparison)}`;
  const requiredCount = facts.thresholds.filter(isRequired).length;
  const thresholdsClause = requiredCount === 0 ? "" : `, ${formatThresholdCount(requiredCount)} passed`;
  const warningClause = facts.warnings.length === 0 ? "" : `warning: ${facts.warnings.join("; ")}; `;
  const clauses = [
    `${formatRequestCount(facts.okCount)} succeeded, no rule failed${describeKnownCount(facts)}${thresholdsClause}${comparisonClause}`,
    ...describeKnee(facts),
  ];
  return `${warningClause}${clauses.join("; ")}`;
};

const describeLeftovers = ({ cleanUp, canary }: LoadFacts): string | undefined => {
  if (cleanUp !== undefined && cleanUp.left.length > 0) {
    return `${cleanUp.left.length} of ${cleanUp.created} conversations are left on the target; \`assay cleanup\` removes them`;
  }
  return canary?.outcome === "cleanup-incomplete" ? describeCanary(canary.summary) : undefined;
};

const describeSuccessesSoFar = ({ okCount }: LoadFacts): string =>
  okCount === 0
    ? " before any request succeeded"
    : `; the requests until then are stored: ${formatRequestCount(okCount)} succeeded`;

const loadEndings: Endings<LoadSentenceFacts> = {
  ...errorEndings,
  interrupted: (facts) =>
    facts.interrupted === undefined
      ? undefined
      : [`interrupted by ${facts.interrupted}${describeSuccessesSoFar(facts)}`, ...listFailureClauses(facts)].join(
          "; ",
        ),
  failed: describeFailures,
  "performance-failed": (facts) => (facts.performance === "failed" ? describePerformanceFailure(facts) : undefined),
  incomplete: ({ incomplete }) => {
    const reason = describeReasons(incomplete);
    return reason === undefined ? undefined : `no verdict: ${reason}`;
  },
  "performance-inconclusive": ({ comparison, performance }) =>
    performance === "inconclusive" && comparison !== undefined
      ? `no decision although one was required: ${describeComparison(comparison)}`
      : undefined,
  "cleanup-incomplete": (facts) => {
    const leftovers = describeLeftovers(facts);
    return leftovers === undefined ? undefined : `${describePassed(facts)}; but ${leftovers}`;
  },
  passed: describePassed,
};

/** Everything that decides the outcome of a load run. */
export interface LoadFacts {
  /** Violations of the contract by code. */
  readonly violations: LoadResult["violations"];
  /** Known violations, which do not fail the run. */
  readonly knownViolations?: LoadResult["knownViolations"];
  /** Errors in known-failure files, each as one sentence. Any error fails the run. */
  readonly knownFailureMistakes?: readonly string[];
  readonly thresholds: LoadResult["thresholds"];
  /** Reasons why the figures of the run are not valid. With any reason, neither thresholds nor comparisons count. */
  readonly incomplete: readonly IncompleteReason[];
  /**
   * Why figures are not valid, in one sentence, if the only reason is a generator that was late or had too few virtual users. A threshold
   * that fails regardless of that still counts.
   */
  readonly lateness?: string;
  /** Set if the target could not serve all planned requests. This is a warning, never a reason to distrust the figures. */
  readonly saturation?: LoadResult["saturation"];
  /**
   * Why the target made the run end early, in one sentence. A threshold that had failed by then counts; otherwise the run is incomplete.
   */
  readonly endedEarly?: string;
  readonly comparison?: Comparison;
  /** Whether an inconclusive comparison fails the run. */
  readonly decide: boolean;
  readonly canary?: LoadResult["canary"];
  readonly judgement?: LoadResult["judgement"];
  readonly cleanUp?: LoadResult["cleanUp"];
  /** The result of the shape `breakpoint`, for the summary. */
  readonly knee?: LoadResult["knee"];
  /** Successful samples, for the summary. */
  readonly okCount: number;
  /** A bug in or failure of Assay itself, in one sentence. */
  readonly harnessError?: string;
  readonly interrupted?: InterruptSignal;
  readonly usageError?: string;
}

/** The outcome of a load run. Only `concludeLoad` creates it. */
export interface LoadConclusion extends Ending {
  readonly warnings?: readonly string[];
  readonly incomplete: readonly IncompleteReason[];
}

const decidePerformance = (facts: LoadFacts): "passed" | "failed" | "inconclusive" => {
  if (facts.thresholds.some(createMissedTest(facts)) || isRegressed(facts)) {
    return "failed";
  }
  return facts.decide && facts.comparison?.verdict === "inconclusive" ? "inconclusive" : "passed";
};

/** Reports whether rules passed on exchanges of the load itself. */
const isJudged = ({ judgement }: LoadFacts): boolean =>
  judgement !== undefined &&
  judgement.notTheApi === undefined &&
  judgement.groups.some(({ judged }) => judged > 0) &&
  judgement.rules.some(({ outcome }) => outcome === "passed");

/**
 * Reports a canary that tested too little, for example because one request of the target takes longer than the load. If exchanges of the
 * load were judged, this is a warning; otherwise the run is incomplete. If the load ended before the canary sent anything, the reason of
 * the load is enough.
 */
function findCanaryProblem(facts: LoadFacts): {
  readonly reasons: readonly IncompleteReason[];
  readonly warnings: readonly string[];
} {
  const { canary, incomplete } = facts;
  if (canary?.outcome !== "incomplete" || (canary.exchanges === 0 && incomplete.length > 0)) {
    return { reasons: [], warnings: [] };
  }
  const message = describeCanary(canary.summary);
  return isJudged(facts) && incomplete.length === 0 && decidePerformance(facts) !== "failed"
    ? { reasons: [], warnings: [message] }
    : { reasons: [{ code: "nothing-observed", message }], warnings: [] };
}

const listUndecidedThresholds = (facts: LoadFacts): readonly IncompleteReason[] => {
  // An invalid run has its reasons already; a failed threshold or a regression decides the run.
  if (facts.incomplete.length > 0 || decidePerformance(facts) === "failed") {
    return [];
  }
  const [firstThreshold, ...otherThresholds] = facts.thresholds.filter(
    (threshold) => isRequired(threshold) && threshold.ok === undefined,
  );
  const moreText = otherThresholds.length === 0 ? "" : `, and ${otherThresholds.length} more`;
  return firstThreshold === undefined
    ? []
    : [
        {
          code: "invalid-load",
          message: `the samples leave ${formatThreshold(firstThreshold)} undecided${moreText}; run longer`,
        },
      ];
};

/** Returns the reason of an early end because of the target, unless a threshold failed or a regression was found. */
const listEndedEarlyReasons = (facts: LoadFacts): readonly IncompleteReason[] =>
  facts.endedEarly === undefined || decidePerformance(facts) === "failed"
    ? []
    : [{ code: "invalid-load", message: facts.endedEarly }];

const listLoadWarnings = ({ saturation, thresholds, lateness }: LoadFacts): readonly string[] => {
  if (lateness !== undefined) {
    return [`the target caused the failures, but no other figure is valid: ${lateness}`];
  }
  const warningThresholds = thresholds.filter((threshold) => !isRequired(threshold));
  const undecidedWarnings = warningThresholds.filter(({ ok }) => ok === undefined);
  return [
    ...(saturation === undefined ? [] : [saturation.sentence]),
    ...warningThresholds
      .filter(({ ok }) => ok === false)
      .map((threshold) => `${formatThreshold(threshold)} was missed`),
    ...undecidedWarnings.map((threshold) => `${formatThreshold(threshold)} is not decided`),
  ];
};

/** Adds errors of the canary itself to the facts. */
const addCanaryErrors = (facts: LoadFacts): LoadFacts => {
  const { canary } = facts;
  if (canary?.outcome === "harness-error" && facts.harnessError === undefined) {
    return { ...facts, harnessError: describeCanary(canary.summary) };
  }
  if (canary?.outcome === "usage-error" && facts.usageError === undefined) {
    return { ...facts, usageError: describeCanary(canary.summary) };
  }
  return facts;
};

/**
 * Decides outcome, exit code and summary of a load run. Precedence:
 *
 * 1. a bug, an interruption, wrong usage
 * 2. a violation of the contract
 * 3. an invalid run: its thresholds and its comparison do not count
 * 4. a failed threshold or a regression
 * 5. a canary that tested too little, if the load was not judged
 * 6. no decision although one was required
 * 7. conversations that were not removed
 *
 * A late generator, or too few virtual users, invalidate only what they explain: a threshold that fails regardless of them counts. The
 * target cannot make a run invalid: requests that it did not serve count as failed.
 */
export const concludeLoad = (loadFacts: LoadFacts): LoadConclusion => {
  const facts = addCanaryErrors(loadFacts.lateness === undefined ? loadFacts : { ...loadFacts, incomplete: [] });
  const endReason = facts.harnessError ?? facts.interrupted ?? facts.usageError;
  const undecidedReasons = endReason === undefined ? listUndecidedThresholds(facts) : [];
  const invalidReasons = [...facts.incomplete, ...listEndedEarlyReasons(facts), ...undecidedReasons];
  const canaryResult = findCanaryProblem(facts);
  // In an invalid run the only advice is how to repeat it.
  const warnings = facts.incomplete.length > 0 ? [] : [...listLoadWarnings(facts), ...canaryResult.warnings];
  const sentenceFacts: LoadSentenceFacts = {
    ...facts,
    warnings,
    incomplete: [...invalidReasons, ...canaryResult.reasons],
    performance: invalidReasons.length > 0 ? undefined : decidePerformance(facts),
  };
  return {
    ...conclude(loadEndings, sentenceFacts, facts.interrupted),
    ...(warnings.length === 0 ? {} : { warnings }),
    incomplete: sentenceFacts.incomplete,
  };
};
