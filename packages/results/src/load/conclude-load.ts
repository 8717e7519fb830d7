import { exitCodeOf, outcomePrecedence } from "../exit-codes.ts";
import type { ExitCode, InterruptSignal } from "../exit-codes.ts";
import type { RunOutcome } from "../outcome.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { Comparison } from "./comparison.ts";
import { fixedSince, mistaken } from "../run-summary.ts";
import { armText } from "./load-judgement.ts";
import type { LoadResult, LoadThreshold } from "./load-result.ts";
import { foundText } from "./threshold-words.ts";

/** What the sentence of a load run may speak of. */
interface LoadSentenceFacts extends LoadFacts {
  /** Undefined for an invalid run. */
  readonly performance: "passed" | "failed" | "inconclusive" | undefined;
  readonly warnings: readonly string[];
}

const namedCodes = 3;

const listed = (names: readonly string[]): string => {
  const more = names.length - namedCodes;
  return [...names.slice(0, namedCodes), ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

const reasons = ({ incomplete }: LoadFacts): string => {
  const [first, ...rest] = incomplete;
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? "reason" : "reasons"})` : "";
  return `${first?.message ?? "no reason was recorded"}${more}`;
};

const underLoad = ({ violations }: LoadFacts): readonly string[] => {
  const seen = Object.entries(violations).filter(([, count]) => count > 0);
  const codes = seen.map(([code, count]) => `\`${code}\` ${count} ${count === 1 ? "time" : "times"}`);
  return codes.length === 0 ? [] : [`violations under load: ${listed(codes)}`];
};

const ofCanary = (summary: string): string => `rules checked during the load: ${summary}`;

const besideLoad = ({ canary }: LoadFacts): readonly string[] => {
  if (canary?.outcome !== "failed") {
    return [];
  }
  const names = canary.failed.map(({ rule }) => `\`${rule}\``);
  return [ofCanary(names.length === 0 ? canary.summary : `${listed(names)} failed`)];
};

/** Rules that failed on the exchanges of the load; those first that pass without it. */
const byRules = ({ judgement }: LoadFacts): readonly string[] => {
  const broken = judgement?.broken ?? [];
  const namesOf = (isFirst: boolean): readonly string[] =>
    broken
      .filter(({ dependence }) => (dependence === "under-load") === isFirst)
      .map((one) => `\`${one.rule}\`${armText(one)}`);
  const [only, other] = [namesOf(true), namesOf(false)];
  return [
    ...(only.length === 0 ? [] : [`failed under load only: ${listed(only)}`]),
    ...(other.length === 0 ? [] : [`failed: ${listed(other)}`]),
  ];
};

/** Names of the rules that lists of known failures speak of, each once. */
const namesOfKnown = ({ judgement }: LoadFacts, status: KnownFailure["status"]): readonly string[] => [
  ...new Set((judgement?.known ?? []).flatMap(({ rule, known }) => (known.status === status ? [rule] : []))),
];

const violations = (facts: LoadFacts): readonly string[] => [
  ...byRules(facts),
  ...underLoad(facts),
  ...besideLoad(facts),
  ...fixedSince({ fixed: namesOfKnown(facts, "fixed").map((rule) => `\`${rule}\``) }),
  ...mistaken({ mistakes: facts.knownFailureMistakes ?? [] }),
];

/** How much fails as it is known to: rules, or the codes of violations where no exchange was judged; nothing without any. */
const asKnown = (facts: LoadFacts): string => {
  const rules = namesOfKnown(facts, "known-failure").length;
  const [count, what] =
    rules > 0 ? [rules, "failure"] : [Object.keys(facts.knownViolations ?? {}).length, "violation code"];
  return count === 0 ? "" : `, ${count} known ${what}${count === 1 ? "" : "s"}`;
};

const violated = (facts: LoadFacts): string => {
  const parts = violations(facts).join("; ");
  return facts.incomplete.length > 0 ? `${parts}; also incomplete: ${reasons(facts)}` : parts;
};

/** A threshold with what was found about it. */
const withFound = (threshold: LoadThreshold): string => {
  const found = foundText(threshold);
  return `\`${threshold.threshold}\`${found === "" ? "" : ` (${found})`}`;
};

/** The verdict of the comparison, as a clause; its figures are its own. */
const comparedText = ({ verdict }: NonNullable<LoadFacts["comparison"]>): string => `comparison ${verdict}`;

const isDemanded = ({ severity }: LoadThreshold): boolean => severity !== "warn";

const isMissed = (threshold: LoadThreshold): boolean => isDemanded(threshold) && threshold.ok === false;

/** Of a run whose times mean nothing only a share that is missed whatever they are. */
const isMissedIn =
  ({ lateness }: Pick<LoadFacts, "lateness">) =>
  (threshold: LoadThreshold): boolean =>
    isMissed(threshold) && (lateness === undefined || threshold.stands === true);

const isRegressed = <T extends Pick<LoadFacts, "comparison" | "lateness">>(
  facts: T,
): facts is T & { readonly comparison: Comparison } =>
  facts.lateness === undefined && facts.comparison?.verdict === "regressed";

const missed = (facts: LoadSentenceFacts): string => {
  const names = facts.thresholds.filter(isMissedIn(facts)).map(withFound);
  const parts = [
    ...(names.length === 0 ? [] : [`missed: ${listed(names)}`]),
    ...(isRegressed(facts) ? [comparedText(facts.comparison)] : []),
    ...(facts.endedEarly === undefined ? [] : [facts.endedEarly]),
    ...facts.warnings,
    ...borne(facts),
  ];
  return parts.join("; ");
};

const counted = (requests: number): string =>
  `${requests.toLocaleString("en-US")} ${requests === 1 ? "request" : "requests"}`;

const borne = ({ knee }: LoadFacts): readonly string[] => (knee === undefined ? [] : [knee.sentence]);

const allThresholds = (count: number): string => {
  if (count === 1) {
    return "the threshold";
  }
  return count === 2 ? "both thresholds" : `all ${count} thresholds`;
};

const good = (facts: LoadSentenceFacts): string => {
  const compared = facts.comparison === undefined ? "" : `; ${comparedText(facts.comparison)}`;
  const demanded = facts.thresholds.filter(isDemanded).length;
  const thresholds = demanded === 0 ? "" : `, ${allThresholds(demanded)} passed`;
  const warned = facts.warnings.length === 0 ? "" : `warning: ${facts.warnings.join("; ")}; `;
  const told = [
    `${counted(facts.okCount)} succeeded, no rule failed${asKnown(facts)}${thresholds}${compared}`,
    ...borne(facts),
  ];
  return `${warned}${told.join("; ")}`;
};

const left = ({ cleanUp, canary }: LoadFacts): string =>
  cleanUp === undefined || cleanUp.left.length === 0
    ? ofCanary(canary?.summary ?? "no detail was recorded")
    : `${cleanUp.left.length} of ${cleanUp.created} conversations are left on the target; \`assay cleanup\` removes them`;

const untilThen = ({ okCount }: LoadFacts): string =>
  okCount === 0
    ? " before any request succeeded"
    : `; the requests until then are stored: ${counted(okCount)} succeeded`;

const sentences: Readonly<Record<RunOutcome, (facts: LoadSentenceFacts) => string>> = {
  passed: good,
  failed: violated,
  incomplete: (facts) => `no verdict: ${reasons(facts)}`,
  "usage-error": ({ usageError }) => usageError ?? "wrong usage",
  "harness-error": ({ harnessError }) =>
    `a bug in the harness, not in the target: ${harnessError ?? "no cause was recorded"}`,
  interrupted: (facts) =>
    [`interrupted by ${facts.interrupted ?? "a signal"}${untilThen(facts)}`, ...violations(facts)].join("; "),
  "performance-failed": missed,
  "performance-inconclusive": (facts) =>
    `no decision although one was asked for: ${facts.comparison === undefined ? "nothing was compared" : comparedText(facts.comparison)}`,
  "cleanup-incomplete": (facts) => `${good(facts)}; but ${left(facts)}`,
};

/** The sentence that says the outcome of a load run, without a full stop. */
const loadSentence = (outcome: RunOutcome, facts: LoadSentenceFacts): string => sentences[outcome](facts);

/** Everything the outcome of a load run depends on. */
export interface LoadFacts {
  /** Violations of the contract by code. */
  readonly violations: LoadResult["violations"];
  /** Those that are known; they fail nothing. */
  readonly knownViolations?: LoadResult["knownViolations"];
  /** What is wrong with the lists of known failures, a sentence each; any of them fails the run. */
  readonly knownFailureMistakes?: readonly string[];
  readonly thresholds: LoadResult["thresholds"];
  /**
   * Why the figures of the run mean nothing, or not what they should; with any of them neither a threshold nor a comparison
   * counts.
   */
  readonly incomplete: readonly IncompleteReason[];
  /**
   * Why figures mean nothing, one sentence, where the reasons above say that the generator was late, or had too few virtual users,
   * and nothing else: a threshold that is missed whatever that did is missed all the same.
   */
  readonly lateness?: string;
  /** That the target could not take what was to arrive: a warning, never a reason to distrust the figures. */
  readonly saturation?: LoadResult["saturation"];
  /**
   * Why the run was ended before its time on the target's account, one sentence. What was seen until then may show that a threshold
   * was missed; if it does not, the run is incomplete.
   */
  readonly endedEarly?: string;
  readonly comparison?: Comparison;
  /** Whether an inconclusive comparison fails the run. */
  readonly decide: boolean;
  readonly canary?: LoadResult["canary"];
  readonly judgement?: LoadResult["judgement"];
  readonly cleanUp?: LoadResult["cleanUp"];
  /** What the shape `breakpoint` was to find, for the sentence. */
  readonly knee?: LoadResult["knee"];
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
  readonly warnings?: readonly string[];
  readonly incomplete: readonly IncompleteReason[];
}

const performanceOf = (facts: LoadFacts): "passed" | "failed" | "inconclusive" => {
  if (facts.thresholds.some(isMissedIn(facts)) || isRegressed(facts)) {
    return "failed";
  }
  return facts.decide && facts.comparison?.verdict === "inconclusive" ? "inconclusive" : "passed";
};

/** Whether rules were seen to hold in exchanges of the load itself. */
const isJudged = ({ judgement }: LoadFacts): boolean =>
  judgement !== undefined &&
  judgement.notTheApi === undefined &&
  judgement.groups.some(({ judged }) => judged > 0) &&
  judgement.rules.some(({ outcome }) => outcome === "passed");

/**
 * A canary that saw too little, as of a target that is slower than the load is long. It does not take the meaning from the figures of the load, and
 * where the exchanges of the load were judged, from nothing: it is a warning. Of one that was ended with the load before it sent anything, why the load
 * ended is all there is to say.
 */
function canaryTrouble(facts: LoadFacts): {
  readonly reasons: readonly IncompleteReason[];
  readonly warnings: readonly string[];
} {
  const { canary, incomplete } = facts;
  if (canary?.outcome !== "incomplete" || (canary.exchanges === 0 && incomplete.length > 0)) {
    return { reasons: [], warnings: [] };
  }
  const message = ofCanary(canary.summary);
  return isJudged(facts) && incomplete.length === 0 && performanceOf(facts) !== "failed"
    ? { reasons: [], warnings: [message] }
    : { reasons: [{ code: "nothing-observed", message }], warnings: [] };
}

const undecidedThresholds = (facts: LoadFacts): readonly IncompleteReason[] => {
  // A run whose load was found wanting has said why; a threshold that was missed, or a regression, settles the matter.
  if (facts.incomplete.length > 0 || performanceOf(facts) === "failed") {
    return [];
  }
  const [first, ...rest] = facts.thresholds.filter((threshold) => isDemanded(threshold) && threshold.ok === undefined);
  const more = rest.length === 0 ? "" : `, and ${rest.length} more`;
  return first === undefined
    ? []
    : [{ code: "invalid-load", message: `the samples leave ${withFound(first)} undecided${more}; run longer` }];
};

/** A run that the target ended decides something only where it shows that a threshold was missed, or a regression. */
const spared = (facts: LoadFacts): readonly IncompleteReason[] =>
  facts.endedEarly === undefined || performanceOf(facts) === "failed"
    ? []
    : [{ code: "invalid-load", message: facts.endedEarly }];

const warningsOf = ({ saturation, thresholds, lateness }: LoadFacts): readonly string[] => {
  if (lateness !== undefined) {
    return [`what failed is the target's own, but nothing else counts: ${lateness}`];
  }
  const warning = thresholds.filter((threshold) => !isDemanded(threshold));
  const undecided = warning.filter(({ ok }) => ok === undefined);
  return [
    ...(saturation === undefined ? [] : [saturation.sentence]),
    ...warning.filter(({ ok }) => ok === false).map((threshold) => `${withFound(threshold)} was missed`),
    ...undecided.map((threshold) => `${withFound(threshold)} is not decided`),
  ];
};

const isFailed = (facts: LoadSentenceFacts): boolean =>
  Object.values(facts.violations).some((count) => count > 0) ||
  facts.canary?.outcome === "failed" ||
  (facts.judgement?.broken.length ?? 0) > 0 ||
  namesOfKnown(facts, "fixed").length > 0 ||
  (facts.knownFailureMistakes ?? []).length > 0;

const holds = (facts: LoadSentenceFacts): Readonly<Record<RunOutcome, boolean>> => ({
  "harness-error": facts.harnessError !== undefined,
  interrupted: facts.interrupted !== undefined,
  "usage-error": facts.usageError !== undefined,
  failed: isFailed(facts),
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
    return { ...facts, harnessError: ofCanary(canary.summary) };
  }
  if (canary?.outcome === "usage-error" && facts.usageError === undefined) {
    return { ...facts, usageError: ofCanary(canary.summary) };
  }
  return facts;
};

/**
 * The one place where a load run's outcome, exit code and summary come from. Precedence: a bug, an interruption, wrong usage, a
 * violation of the contract, an invalid run (which never misses a threshold, regresses or asks for a decision), a missed
 * threshold or a regression, a canary that saw too little where the load was not judged, no decision although one was asked for, something left behind.
 * A generator that was late, or had too few virtual users, spoils only what that explains: a threshold that is missed all the same
 * decides. Whatever the target did, such as not taking all that was to arrive, leaves a run valid; its share that went well counts that.
 */
export const concludeLoad = (given: LoadFacts): LoadConclusion => {
  const facts = withCanary(given.lateness === undefined ? given : { ...given, incomplete: [] });
  const ended = facts.harnessError ?? facts.interrupted ?? facts.usageError;
  const undecided = ended === undefined ? undecidedThresholds(facts) : [];
  const invalid = [...facts.incomplete, ...spared(facts), ...undecided];
  const canary = canaryTrouble(facts);
  // Of a run that decides nothing for the generator's sake no other advice is given than how to repeat it.
  const warnings = facts.incomplete.length > 0 ? [] : [...warningsOf(facts), ...canary.warnings];
  const all: LoadSentenceFacts = {
    ...facts,
    warnings,
    incomplete: [...invalid, ...canary.reasons],
    performance: invalid.length > 0 ? undefined : performanceOf(facts),
  };
  const applies = holds(all);
  const outcome = outcomePrecedence.find((candidate) => applies[candidate]) ?? "harness-error";
  return {
    outcome,
    exitCode: exitCodeOf(outcome, facts.interrupted),
    summary: loadSentence(outcome, all),
    ...(warnings.length === 0 ? {} : { warnings }),
    incomplete: all.incomplete,
  };
};
