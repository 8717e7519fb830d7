import { counted } from "@assay/contract";
import { fixedClauses, mistakeClauses } from "../conclude-run.ts";
import { conclude, mistakeEndings, namesText, reasonText, type Ending, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { Comparison } from "./comparison.ts";
import { sideText } from "./load-judgement.ts";
import type { LoadResult, LoadThreshold } from "./load-result.ts";
import { foundText } from "./threshold-words.ts";

/** The facts that the summary of a load run uses. */
interface LoadSentenceFacts extends LoadFacts {
  /** Undefined for an invalid run. */
  readonly performance: "passed" | "failed" | "inconclusive" | undefined;
  readonly warnings: readonly string[];
}

const underLoad = ({ violations }: LoadFacts): readonly string[] => {
  const violationCounts = Object.entries(violations).filter(([, count]) => count > 0);
  const codes = violationCounts.map(([code, count]) => `\`${code}\` ${counted(count, "time")}`);
  return codes.length === 0 ? [] : [`violations under load: ${namesText(codes)}`];
};

const canaryText = (summary: string): string => `rules checked during the load: ${summary}`;

const canaryViolations = ({ canary }: LoadFacts): readonly string[] => {
  if (canary?.outcome !== "failed") {
    return [];
  }
  const names = canary.failed.map(({ rule }) => `\`${rule}\``);
  return [canaryText(names.length === 0 ? canary.summary : `${namesText(names)} failed`)];
};

/** Rules that failed on the exchanges of the load; those that pass without load come first. */
const failedRules = ({ judgement }: LoadFacts): readonly string[] => {
  const broken = judgement?.broken ?? [];
  const listFailures = (isFirst: boolean): readonly string[] =>
    broken
      .filter(({ dependence }) => (dependence === "under-load") === isFirst)
      .map((failed) => `\`${failed.rule}\`${sideText(failed)}`);
  const [onlyUnderLoad, alsoWithoutLoad] = [listFailures(true), listFailures(false)];
  return [
    ...(onlyUnderLoad.length === 0 ? [] : [`failed under load only: ${namesText(onlyUnderLoad)}`]),
    ...(alsoWithoutLoad.length === 0 ? [] : [`failed: ${namesText(alsoWithoutLoad)}`]),
  ];
};

/** Names of the rules in lists of known failures, each once. */
const knownNames = ({ judgement }: LoadFacts, status: KnownFailure["status"]): readonly string[] => [
  ...new Set((judgement?.known ?? []).flatMap(({ rule, known }) => (known.status === status ? [rule] : []))),
];

const violations = (facts: LoadFacts): readonly string[] => [
  ...failedRules(facts),
  ...underLoad(facts),
  ...canaryViolations(facts),
  ...fixedClauses(knownNames(facts, "fixed").map((rule) => `\`${rule}\``)),
  ...mistakeClauses(facts.knownFailureMistakes),
];

/** The number of known failures: rules, or codes of violations if no exchange was judged. */
const knownCountText = (facts: LoadFacts): string => {
  const rules = knownNames(facts, "known-failure").length;
  const [count, what] =
    rules > 0 ? [rules, "failure"] : [Object.keys(facts.knownViolations ?? {}).length, "violation code"];
  return count === 0 ? "" : `, ${counted(count, `known ${what}`)}`;
};

const failedText = (facts: LoadSentenceFacts): string | undefined => {
  const clauses = violations(facts);
  const reason = reasonText(facts.incomplete);
  return clauses.length === 0
    ? undefined
    : [...clauses, ...(reason === undefined ? [] : [`also incomplete: ${reason}`])].join("; ");
};

/** A threshold with its measured value. */
const withMeasured = (threshold: LoadThreshold): string => {
  const measuredText = foundText(threshold);
  return `\`${threshold.threshold}\`${measuredText === "" ? "" : ` (${measuredText})`}`;
};

const comparedText = ({ verdict }: NonNullable<LoadFacts["comparison"]>): string => `comparison ${verdict}`;

const isRequired = ({ severity }: LoadThreshold): boolean => severity !== "warn";

const isMissed = (threshold: LoadThreshold): boolean => isRequired(threshold) && threshold.ok === false;

/** In a run whose times are not valid, only thresholds that fail regardless of them count. */
const isMissedIn =
  ({ lateness }: Pick<LoadFacts, "lateness">) =>
  (threshold: LoadThreshold): boolean =>
    isMissed(threshold) && (lateness === undefined || threshold.decisive === true);

const isRegressed = <T extends Pick<LoadFacts, "comparison" | "lateness">>(
  facts: T,
): facts is T & { readonly comparison: Comparison } =>
  facts.lateness === undefined && facts.comparison?.verdict === "regressed";

const missedText = (facts: LoadSentenceFacts): string => {
  const names = facts.thresholds.filter(isMissedIn(facts)).map(withMeasured);
  const parts = [
    ...(names.length === 0 ? [] : [`missed: ${namesText(names)}`]),
    ...(isRegressed(facts) ? [comparedText(facts.comparison)] : []),
    ...(facts.endedEarly === undefined ? [] : [facts.endedEarly]),
    ...facts.warnings,
    ...kneeText(facts),
  ];
  return parts.join("; ");
};

const requestsText = (requests: number): string =>
  `${requests.toLocaleString("en-US")} ${requests === 1 ? "request" : "requests"}`;

const kneeText = ({ knee }: LoadFacts): readonly string[] => (knee === undefined ? [] : [knee.sentence]);

const allThresholds = (count: number): string => {
  if (count === 1) {
    return "the threshold";
  }
  return count === 2 ? "both thresholds" : `all ${count} thresholds`;
};

const passedText = (facts: LoadSentenceFacts): string => {
  const compared = facts.comparison === undefined ? "" : `; ${comparedText(facts.comparison)}`;
  const required = facts.thresholds.filter(isRequired).length;
  const thresholds = required === 0 ? "" : `, ${allThresholds(required)} passed`;
  const warned = facts.warnings.length === 0 ? "" : `warning: ${facts.warnings.join("; ")}; `;
  const clauses = [
    `${requestsText(facts.okCount)} succeeded, no rule failed${knownCountText(facts)}${thresholds}${compared}`,
    ...kneeText(facts),
  ];
  return `${warned}${clauses.join("; ")}`;
};

const leftText = ({ cleanUp, canary }: LoadFacts): string | undefined => {
  if (cleanUp !== undefined && cleanUp.left.length > 0) {
    return `${cleanUp.left.length} of ${cleanUp.created} conversations are left on the target; \`assay cleanup\` removes them`;
  }
  return canary?.outcome === "cleanup-incomplete" ? canaryText(canary.summary) : undefined;
};

const untilThen = ({ okCount }: LoadFacts): string =>
  okCount === 0
    ? " before any request succeeded"
    : `; the requests until then are stored: ${requestsText(okCount)} succeeded`;

const loadEndings: Endings<LoadSentenceFacts> = {
  ...mistakeEndings,
  interrupted: (facts) =>
    facts.interrupted === undefined
      ? undefined
      : [`interrupted by ${facts.interrupted}${untilThen(facts)}`, ...violations(facts)].join("; "),
  failed: failedText,
  "performance-failed": (facts) => (facts.performance === "failed" ? missedText(facts) : undefined),
  incomplete: ({ incomplete }) => {
    const reason = reasonText(incomplete);
    return reason === undefined ? undefined : `no verdict: ${reason}`;
  },
  "performance-inconclusive": ({ comparison, performance }) =>
    performance === "inconclusive" && comparison !== undefined
      ? `no decision although one was asked for: ${comparedText(comparison)}`
      : undefined,
  "cleanup-incomplete": (facts) => {
    const leftovers = leftText(facts);
    return leftovers === undefined ? undefined : `${passedText(facts)}; but ${leftovers}`;
  },
  passed: passedText,
};

/** Everything that decides the outcome of a load run. */
export interface LoadFacts {
  /** Violations of the contract by code. */
  readonly violations: LoadResult["violations"];
  /** Known violations; they fail nothing. */
  readonly knownViolations?: LoadResult["knownViolations"];
  /** Mistakes in known-failure files, one sentence each. Any mistake fails the run. */
  readonly knownFailureMistakes?: readonly string[];
  readonly thresholds: LoadResult["thresholds"];
  /**
   * Why the figures of the run are not valid. With any reason, neither thresholds nor comparisons count.
   */
  readonly incomplete: readonly IncompleteReason[];
  /**
   * Why figures are not valid, one sentence, if the only reason is that the generator was late or had too few virtual users. A threshold
   * that fails regardless of that still counts.
   */
  readonly lateness?: string;
  /** The target could not serve all planned requests: a warning, never a reason to distrust the figures. */
  readonly saturation?: LoadResult["saturation"];
  /**
   * Why the run was ended early because of the target, one sentence. If a threshold failed until then, it counts; otherwise the run is
   * incomplete.
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

const performanceOf = (facts: LoadFacts): "passed" | "failed" | "inconclusive" => {
  if (facts.thresholds.some(isMissedIn(facts)) || isRegressed(facts)) {
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
 * A canary that tested too little, for example because one request of the target takes longer than the load. If exchanges of the load were
 * judged, this is a warning; otherwise the run is incomplete. If the load ended before the canary sent anything, the reason of the load is
 * enough.
 */
function canaryProblem(facts: LoadFacts): {
  readonly reasons: readonly IncompleteReason[];
  readonly warnings: readonly string[];
} {
  const { canary, incomplete } = facts;
  if (canary?.outcome !== "incomplete" || (canary.exchanges === 0 && incomplete.length > 0)) {
    return { reasons: [], warnings: [] };
  }
  const message = canaryText(canary.summary);
  return isJudged(facts) && incomplete.length === 0 && performanceOf(facts) !== "failed"
    ? { reasons: [], warnings: [message] }
    : { reasons: [{ code: "nothing-observed", message }], warnings: [] };
}

const undecidedThresholds = (facts: LoadFacts): readonly IncompleteReason[] => {
  // An invalid run has its reasons already; a failed threshold or a regression decides the run.
  if (facts.incomplete.length > 0 || performanceOf(facts) === "failed") {
    return [];
  }
  const [first, ...rest] = facts.thresholds.filter((threshold) => isRequired(threshold) && threshold.ok === undefined);
  const more = rest.length === 0 ? "" : `, and ${rest.length} more`;
  return first === undefined
    ? []
    : [{ code: "invalid-load", message: `the samples leave ${withMeasured(first)} undecided${more}; run longer` }];
};

/** A run that ended early because of the target decides only failed thresholds and regressions. */
const endedEarlyReasons = (facts: LoadFacts): readonly IncompleteReason[] =>
  facts.endedEarly === undefined || performanceOf(facts) === "failed"
    ? []
    : [{ code: "invalid-load", message: facts.endedEarly }];

const warningsOf = ({ saturation, thresholds, lateness }: LoadFacts): readonly string[] => {
  if (lateness !== undefined) {
    return [`what failed is the target's own, but nothing else counts: ${lateness}`];
  }
  const warning = thresholds.filter((threshold) => !isRequired(threshold));
  const undecided = warning.filter(({ ok }) => ok === undefined);
  return [
    ...(saturation === undefined ? [] : [saturation.sentence]),
    ...warning.filter(({ ok }) => ok === false).map((threshold) => `${withMeasured(threshold)} was missed`),
    ...undecided.map((threshold) => `${withMeasured(threshold)} is not decided`),
  ];
};

/** The facts with failures of the canary itself. */
const withCanary = (facts: LoadFacts): LoadFacts => {
  const { canary } = facts;
  if (canary?.outcome === "harness-error" && facts.harnessError === undefined) {
    return { ...facts, harnessError: canaryText(canary.summary) };
  }
  if (canary?.outcome === "usage-error" && facts.usageError === undefined) {
    return { ...facts, usageError: canaryText(canary.summary) };
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
export const concludeLoad = (given: LoadFacts): LoadConclusion => {
  const facts = withCanary(given.lateness === undefined ? given : { ...given, incomplete: [] });
  const ended = facts.harnessError ?? facts.interrupted ?? facts.usageError;
  const undecided = ended === undefined ? undecidedThresholds(facts) : [];
  const invalid = [...facts.incomplete, ...endedEarlyReasons(facts), ...undecided];
  const canary = canaryProblem(facts);
  // In an invalid run the only advice is how to repeat it.
  const warnings = facts.incomplete.length > 0 ? [] : [...warningsOf(facts), ...canary.warnings];
  const sentenceFacts: LoadSentenceFacts = {
    ...facts,
    warnings,
    incomplete: [...invalid, ...canary.reasons],
    performance: invalid.length > 0 ? undefined : performanceOf(facts),
  };
  return {
    ...conclude(loadEndings, sentenceFacts, facts.interrupted),
    ...(warnings.length === 0 ? {} : { warnings }),
    incomplete: sentenceFacts.incomplete,
  };
};
