import { counted } from "@assay/contract";
import { concludeLoad, loadOutcomes } from "@assay/results";
import type {
  CanaryReport,
  Comparison,
  GeneratorFacts,
  InterruptSignal,
  LoadEnvironment,
  LoadPlan,
  LoadResult,
  LoadThreshold,
  IncompleteReason,
  LoadOutcome,
  TrustCheck,
} from "@assay/results";
import { summarizeComparison } from "../compare/comparison-summary.ts";
import type { KnownCodes } from "../samples/accept-known-violations.ts";
import type { K6End } from "../k6/k6-end.ts";
import { describeMissingMainMetric } from "./missing-main-metric.ts";
import type { LoadTally, RefusedSince } from "./load-tally.ts";
import { defaultOkRate, judgeThresholds } from "./threshold.ts";
import type { Threshold } from "./threshold.ts";
import { checkTrust } from "./trust-checks.ts";
import { isNeutral } from "./sample-latencies.ts";

/** Inputs for the reasons of an incomplete result. */
interface ReasonFacts {
  readonly trust: LoadResult["trust"];
  readonly outcomes: LoadResult["outcomes"];
  /** Outcomes of the warm-up. Used if the run ended during it. */
  readonly warmup: LoadResult["outcomes"];
  readonly target: string;
  /** A sentence. Set if the run has no value of the metric that its scenario measures, although requests succeeded. */
  readonly missingMainMetric?: string;
  readonly end?: K6End;
  /** Set if no response is from the API. */
  readonly notTheApi?: IncompleteReason;
  /** Set if everything was refused from some time on. */
  readonly refusedSince?: RefusedSince;
  /** Set if some responses did not come from the API. */
  readonly notAlwaysTheApi?: IncompleteReason;
}

/** Reports whether the target caused the end of the run: it could not handle the load, or could no longer meet a threshold. */
const isCausedByTarget = ({ cause }: K6End): boolean => cause === "distress" || cause === "decided";

const countOutcome = (outcomes: LoadResult["outcomes"], outcome: LoadOutcome): number =>
  Object.values(outcomes).reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);

const countAttempts = (outcomes: LoadResult["outcomes"]): number =>
  loadOutcomes.reduce((sum, name) => sum + (isNeutral(name) ? 0 : countOutcome(outcomes, name)), 0);

/** Returns why nothing was measured at all. Empty if something was. */
const findRootReason = ({ outcomes: measured, warmup, target }: ReasonFacts): readonly IncompleteReason[] => {
  const outcomes = countAttempts(measured) === 0 ? warmup : measured;
  const attempts = countAttempts(outcomes);
  if (attempts === 0) {
    return [];
  }
  if (countOutcome(outcomes, "refused") === attempts) {
    return [
      {
        code: "authentication-refused",
        message: `${target} refused all ${attempts} requests (401 or 403); check the token`,
      },
    ];
  }
  return countOutcome(outcomes, "transport") === attempts
    ? [{ code: "unreachable", message: `none of ${attempts} requests reached ${target}; check the address` }]
    : [];
};

/** Refusals that last to the end mean an expired token. Refusals between successes are failures of the target. */
const describeRefusal = ({ refusedSince, target }: ReasonFacts): readonly IncompleteReason[] =>
  refusedSince === undefined
    ? []
    : [
        {
          code: "authentication-refused",
          message: `${target} refused all ${refusedSince.count} requests from second ${Math.floor(refusedSince.firstMs / 1000)} on (401 or 403), and none before; the token may have expired or been revoked, or a limit may block this client`,
        },
      ];

const describeLimit = ({ outcomes }: ReasonFacts): readonly IncompleteReason[] => {
  const count = countOutcome(outcomes, "limit");
  return count === 0
    ? []
    : [
        {
          code: "limit",
          message: `${counted(count, "stream")} hit a limit of Assay (too many events, or one too long) or of this machine (no socket left, see \`ulimit -n\`), so the end was not checked`,
        },
      ];
};

/** A run without the metric that it measures decides nothing, even if every request succeeded. */
const listMissingMainMetric = ({ missingMainMetric }: ReasonFacts): readonly IncompleteReason[] =>
  missingMainMetric === undefined ? [] : [{ code: "nothing-observed", message: missingMainMetric }];

const codesByCause: Readonly<Partial<Record<K6End["cause"], IncompleteReason["code"]>>> = {
  deadline: "deadline",
  "not-started": "unreachable",
};

const selectCode = (end: K6End | undefined): IncompleteReason["code"] =>
  (end && codesByCause[end.cause]) ?? "evidence-incomplete";

/** Returns the failed checks. If nothing was sent, only the reason for the end matters. */
const selectRelevantChecks = ({ trust, outcomes, warmup }: ReasonFacts): LoadResult["trust"]["checks"] => {
  const failed = trust.checks.filter(({ ok }) => ok === false);
  const incompleteChecks = failed.filter(({ check }) => check === "completed");
  const isUnsent = [outcomes, warmup].every((counts) => Object.keys(counts).length === 0);
  return isUnsent && incompleteChecks.length > 0 ? incompleteChecks : failed;
};

/** Checks of the generator's lateness and virtual users. A threshold may be missed regardless of their results. */
const generatorChecks: ReadonlySet<TrustCheck["check"]> = new Set<TrustCheck["check"]>([
  "start-lag",
  "generator-cpu",
  "generator-timer",
  "arrivals-begun",
]);

/** Returns why the figures cannot be trusted, if lateness is the only problem and a threshold is missed in any case. */
function findLatenessReason(
  { thresholds, trust }: JudgedLoad,
  incomplete: readonly IncompleteReason[],
): string | undefined {
  const lateness = trust.checks
    .filter(({ check, ok }) => ok === false && generatorChecks.has(check))
    .map(({ sentence }) => sentence);
  const isMissed = thresholds.some(({ decisive, severity }) => decisive === true && severity !== "warn");
  const isLatenessOnlyReason = lateness.length > 0 && incomplete.every(({ message }) => lateness.includes(message));
  return isMissed && isLatenessOnlyReason ? lateness.join("; ") : undefined;
}

const describeFailedChecks = (facts: ReasonFacts): readonly IncompleteReason[] =>
  selectRelevantChecks(facts).map(({ check, sentence }) => ({
    code: check === "completed" ? selectCode(facts.end) : "invalid-load",
    message: sentence,
  }));

/** Returns the reasons the figures of a run cannot be trusted, root causes first. */
const listReasons = (facts: ReasonFacts): readonly IncompleteReason[] =>
  facts.notTheApi === undefined
    ? [
        ...(facts.notAlwaysTheApi === undefined
          ? [...findRootReason(facts), ...describeRefusal(facts)].slice(0, 1)
          : [facts.notAlwaysTheApi]),
        ...listMissingMainMetric(facts),
        ...describeLimit(facts),
        ...describeFailedChecks(facts),
      ]
    : [facts.notTheApi];

/** Facts about a run that its samples do not contain. */
export interface LoadRunFacts {
  readonly run: LoadResult["run"];
  readonly environment: LoadEnvironment;
  readonly toolVersion: string;
  /** Results of `parseThreshold`. If none is on `ok-rate`, `defaultOkRate` is judged too, except for the shape `breakpoint`. */
  readonly thresholds: readonly Threshold[];
  /** True if an inconclusive comparison fails the run. */
  readonly decide?: boolean;
  readonly comparison?: Comparison;
  readonly canary?: CanaryReport;
  readonly judgement?: LoadResult["judgement"];
  readonly unjudged?: LoadResult["unjudged"];
  /** Codes of known violations of this target. */
  readonly knownCodes?: KnownCodes;
  /** Errors in the known-failure files, if there is no judgement. */
  readonly knownFailureMistakes?: LoadResult["knownFailureMistakes"];
  readonly cleanUp?: LoadResult["cleanUp"];
  /** The signal that ended the run. If k6 was interrupted in another way, SIGINT is assumed. */
  readonly interrupted?: InterruptSignal;
  /** A failure of Assay itself, as a sentence. */
  readonly harnessError?: string;
}

/** The data that the files of a run contain. The run may have had several processes. */
export interface LoadFindings {
  readonly plan: LoadPlan;
  readonly tally: LoadTally;
  readonly knee?: LoadResult["knee"] | undefined;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
  /** The number of dropped iterations for which the target left no virtual user free. */
  readonly notBegun?: number;
  /** The saturation within these thresholds. */
  readonly findSaturation: (thresholds: readonly Threshold[]) => LoadResult["saturation"];
  /** The same run with every arrival that could not begin counted as an immediate success. */
  readonly tallyBestCase: () => LoadTally;
  readonly generators: readonly GeneratorFacts[];
  readonly generator?: GeneratorFacts;
  /** Thresholds of the script, as k6 judged them. */
  readonly scriptThresholds?: readonly LoadThreshold[];
  /** Reasons the stored files are incomplete. */
  readonly missingData: readonly string[];
  readonly end?: K6End;
}

/** Returns an object with the member, or an empty one if the value is undefined. */
const optionalMember = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } => {
  const member: { [P in K]?: V } = {};
  if (value !== undefined) {
    member[name] = value;
  }
  return member;
};

const addDefaultOkRate = (thresholds: readonly Threshold[], { shape }: LoadPlan): readonly Threshold[] =>
  shape === "breakpoint" || thresholds.some(({ kind }) => kind === "ok-rate")
    ? thresholds
    : [...thresholds, defaultOkRate];

const countSuccesses = ({ outcomes }: LoadTally): number =>
  Object.entries(outcomes).reduce((sum, [kind, counts]) => (kind === "call" ? sum : sum + (counts.ok ?? 0)), 0);

/** Ignores violations in web pages and redirects. Violations of the API are in the judgement. */
const selectApiViolations = ({ judgement }: LoadRunFacts, { violations }: LoadFindings): LoadFindings["violations"] =>
  judgement?.notTheApi === undefined ? violations : {};

/** Returns the violations that are not known failures. */
const selectUnknownViolations = (facts: LoadRunFacts, findings: LoadFindings): LoadFindings["violations"] => {
  const { knownCodes = {} } = facts;
  return Object.fromEntries(
    Object.entries(selectApiViolations(facts, findings)).filter(([code]) => !Object.hasOwn(knownCodes, code)),
  );
};

/** Counts the known violations that occurred. Undefined if there were none. */
const countKnownViolations = (facts: LoadRunFacts, findings: LoadFindings): LoadResult["knownViolations"] => {
  const counts = selectApiViolations(facts, findings);
  const knownCounts = Object.entries(facts.knownCodes ?? {}).flatMap(([code, entry]) => {
    const count = counts[code] ?? 0;
    return count === 0 ? [] : [[code, { count, known: entry }] as const];
  });
  return knownCounts.length === 0 ? undefined : Object.fromEntries(knownCounts);
};

/** Returns the reason from the judgement, or from the samples if nothing was judged. */
function findForeignResponses(
  { judgement, run }: LoadRunFacts,
  { notFromApi }: LoadTally,
): IncompleteReason | undefined {
  if (judgement?.notAlwaysTheApi !== undefined || notFromApi === undefined) {
    return judgement?.notAlwaysTheApi;
  }
  const { count, firstMs, status } = notFromApi;
  const firstClause = `the first in second ${Math.floor(firstMs / 1000)} (status ${status})`;
  const responses =
    count === 1 ? "1 response was a web page or a redirect" : `${count} responses were web pages or redirects`;
  return {
    code: "not-the-api",
    message: `${run.target} was not always the API: ${responses}, ${firstClause}; a session may have ended, or a proxy or a login page may have answered instead`,
  };
}

const selectMistakes = ({ judgement, knownFailureMistakes }: LoadRunFacts): LoadResult["knownFailureMistakes"] =>
  judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes;

type JudgedLoad = Pick<LoadResult, "trust" | "thresholds" | "saturation"> & {
  readonly comparison: LoadResult["comparison"];
};

const collectReasons = (
  facts: LoadRunFacts,
  { plan, tally, end }: LoadFindings,
  { trust }: JudgedLoad,
): readonly IncompleteReason[] =>
  listReasons({
    trust,
    outcomes: tally.outcomes,
    warmup: tally.warmup,
    target: facts.run.target,
    ...optionalMember("missingMainMetric", describeMissingMainMetric(plan, tally, facts.judgement?.alert)),
    ...optionalMember("refusedSince", tally.refusedSince),
    ...optionalMember("end", end),
    ...optionalMember("notTheApi", facts.judgement?.notTheApi),
    ...optionalMember("notAlwaysTheApi", findForeignResponses(facts, tally)),
  });

const conclude = (facts: LoadRunFacts, findings: LoadFindings, judgedLoad: JudgedLoad) => {
  const { end, tally } = findings;
  const harnessError = facts.harnessError ?? (end?.isHarnessFault === true ? end.sentence : undefined);
  const interrupted = facts.interrupted ?? (end?.cause === "interrupted" ? "SIGINT" : undefined);
  const incomplete = collectReasons(facts, findings, judgedLoad);
  return concludeLoad({
    violations: selectUnknownViolations(facts, findings),
    ...optionalMember("knownViolations", countKnownViolations(facts, findings)),
    ...optionalMember("knownFailureMistakes", selectMistakes(facts)),
    thresholds: judgedLoad.thresholds,
    incomplete,
    ...optionalMember("lateness", findLatenessReason(judgedLoad, incomplete)),
    ...optionalMember("saturation", judgedLoad.saturation),
    ...(end !== undefined && isCausedByTarget(end)
      ? { endedEarly: end.sentence ?? `k6 ended early: ${end.cause}` }
      : {}),
    decide: facts.decide ?? false,
    okCount: countSuccesses(tally),
    ...optionalMember("knee", findings.knee),
    ...optionalMember("comparison", judgedLoad.comparison),
    ...optionalMember("canary", facts.canary),
    ...optionalMember("judgement", facts.judgement),
    ...optionalMember("cleanUp", facts.cleanUp),
    ...optionalMember("harnessError", harnessError),
    ...optionalMember("interrupted", interrupted),
  });
};

/**
 * Marks thresholds that would be missed even if all arrivals that could not begin had succeeded, provided nothing else
 * is wrong with the generator.
 */
function markConclusive(
  judgedThresholds: readonly LoadThreshold[],
  thresholdsWithDefaults: readonly Threshold[],
  { trust: { checks }, tallyBestCase }: Pick<LoadResult, "trust"> & Pick<LoadFindings, "tallyBestCase">,
): readonly LoadThreshold[] {
  const failed = checks.filter(({ ok }) => ok === false);
  if (failed.length === 0 || failed.some(({ check }) => check !== "arrivals-begun")) {
    return judgedThresholds;
  }
  const bestCaseThresholds = judgeThresholds(thresholdsWithDefaults, tallyBestCase());
  return judgedThresholds.map(({ decisive: _decisive, ...threshold }, index) =>
    threshold.ok === false && bestCaseThresholds[index]?.ok === false ? { ...threshold, decisive: true } : threshold,
  );
}

/** Checks that both sides of a comparison got the same requests. */
const arrivalChecks: ReadonlySet<TrustCheck["check"]> = new Set<TrustCheck["check"]>([
  "dropped-iterations",
  "arrivals-begun",
]);

/** Removes the verdicts of a comparison if the generator dropped arrivals. */
function discardVerdicts({ checks }: LoadResult["trust"], comparison: Comparison | undefined): Comparison | undefined {
  const failedCheck = checks.find(({ check, ok }) => ok === false && arrivalChecks.has(check));
  if (comparison === undefined || failedCheck === undefined) {
    return comparison;
  }
  const incomparable = [...comparison.incomparable, failedCheck.sentence];
  const undecided = { verdict: "inconclusive" } as const;
  return {
    ...comparison,
    ...undecided,
    summary: summarizeComparison("inconclusive", { metrics: [], incomparable, unit: "" }),
    incomparable,
    metrics: comparison.metrics.map(({ detectable: _none, ...metric }) => ({
      ...metric,
      ...undecided,
      note: "arrivals were dropped",
    })),
    ...(comparison.failures === undefined ? {} : { failures: { ...comparison.failures, ...undecided } }),
  };
}

/** Judges the findings and assembles the result. Reads no files. */
export const assembleLoadResult = (facts: LoadRunFacts, findings: LoadFindings): LoadResult => {
  const { plan, tally, missingData } = findings;
  const thresholdsWithDefaults = addDefaultOkRate(facts.thresholds, plan);
  const saturation = findings.findSaturation(thresholdsWithDefaults);
  const judgedThresholds = [...judgeThresholds(thresholdsWithDefaults, tally), ...(findings.scriptThresholds ?? [])];
  const trust = checkTrust({
    plan,
    tally,
    missingData,
    thresholds: judgedThresholds,
    generators: findings.generators,
    ...optionalMember("saturation", saturation),
    ...optionalMember("droppedIterations", findings.droppedIterations),
    ...optionalMember("notBegun", findings.notBegun),
    ...optionalMember("comparison", facts.comparison),
  });
  const thresholds = markConclusive(judgedThresholds, thresholdsWithDefaults, {
    trust,
    tallyBestCase: findings.tallyBestCase,
  });
  const comparison = discardVerdicts(trust, facts.comparison);
  // If too few virtual users limited the load, there is no knee of the target.
  const knee = saturation?.limitedBy === undefined ? findings.knee : undefined;
  const judgedLoad = { trust, thresholds, comparison, ...optionalMember("saturation", saturation) };
  const conclusion = conclude(facts, { ...findings, knee }, judgedLoad);
  return {
    schemaVersion: 2,
    tool: { name: "assay", version: facts.toolVersion },
    run: facts.run,
    plan,
    environment: facts.environment,
    ...conclusion,
    complete: missingData.length === 0 && (findings.end === undefined || !isCausedByTarget(findings.end)),
    trust,
    ...optionalMember("generator", findings.generator),
    outcomes: tally.outcomes,
    violations: selectUnknownViolations(facts, findings),
    ...optionalMember("knownViolations", countKnownViolations(facts, findings)),
    ...(facts.judgement === undefined ? optionalMember("knownFailureMistakes", facts.knownFailureMistakes) : {}),
    observations: findings.observations,
    metrics: tally.metrics,
    histograms: tally.histograms,
    intervals: tally.intervals,
    thresholds,
    ...optionalMember("knee", knee),
    ...optionalMember("saturation", saturation),
    ...optionalMember("comparison", comparison),
    ...optionalMember("canary", facts.canary),
    ...optionalMember("judgement", facts.judgement),
    ...optionalMember("unjudged", facts.unjudged),
    ...optionalMember("cleanUp", facts.cleanUp),
  };
};
