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
import { comparisonSummary } from "../compare/comparison-summary.ts";
import type { KnownCodes } from "../samples/known-violation.ts";
import type { K6End } from "../k6/k6-end.ts";
import { unseenSubject } from "./unseen.ts";
import type { LoadTally, RefusedSince } from "./load-tally.ts";
import { defaultOkRate, judgeThresholds } from "./threshold.ts";
import type { Threshold } from "./threshold.ts";
import { trustOf } from "./trust-checks.ts";
import { isNeutral } from "./sample-latencies.ts";

/** What the reasons of a run follow from. */
interface ReasonFacts {
  readonly trust: LoadResult["trust"];
  readonly outcomes: LoadResult["outcomes"];
  /** Of the warm-up: a run that ended in it has nothing else to say. */
  readonly warmup?: LoadResult["outcomes"];
  readonly target: string;
  /** What the scenario is for, when none of it was seen although streams ended well; absent where all was seen. */
  readonly unseen?: string;
  readonly end?: K6End;
  /** Why nothing of all this is about the API. */
  readonly notTheApi?: IncompleteReason;
  /** That all was refused from some time on. */
  readonly refusedSince?: RefusedSince;
  /** Why not all of it is. */
  readonly notAlwaysTheApi?: IncompleteReason;
}

/** Ends that are on the target's account: it did not bear the load, or could not keep a threshold any more. */
const isOfTarget = ({ cause }: K6End): boolean => cause === "distress" || cause === "decided";

const totalOf = (outcomes: LoadResult["outcomes"], outcome: LoadOutcome): number =>
  Object.values(outcomes).reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);

const triedOf = (outcomes: LoadResult["outcomes"]): number =>
  loadOutcomes.reduce((sum, name) => sum + (isNeutral(name) ? 0 : totalOf(outcomes, name)), 0);

/** With one of these, nothing was measured at all, and why is known. */
const rootReason = ({ outcomes: measured, warmup = {}, target }: ReasonFacts): readonly IncompleteReason[] => {
  const outcomes = triedOf(measured) === 0 ? warmup : measured;
  const tried = triedOf(outcomes);
  if (tried === 0) {
    return [];
  }
  if (totalOf(outcomes, "refused") === tried) {
    return [
      {
        code: "authentication-refused",
        message: `${target} refused all ${tried} requests (401 or 403); check the token`,
      },
    ];
  }
  return totalOf(outcomes, "transport") === tried
    ? [{ code: "unreachable", message: `none of ${tried} requests got through to ${target}; check the address` }]
    : [];
};

/** Refusals from some time on are of a token that has ended; those between answers are of a target that fails. */
const refusedReason = ({ refusedSince, target }: ReasonFacts): readonly IncompleteReason[] =>
  refusedSince === undefined
    ? []
    : [
        {
          code: "authentication-refused",
          message: `${target} refused all ${refusedSince.count} requests from second ${Math.floor(refusedSince.atMs / 1000)} on (401 or 403), and none before; the token may have expired or been revoked, or a limit has locked this client out`,
        },
      ];

const limitReason = ({ outcomes }: ReasonFacts): readonly IncompleteReason[] => {
  const count = totalOf(outcomes, "limit");
  return count === 0
    ? []
    : [
        {
          code: "limit",
          message: `${count} ${count === 1 ? "stream" : "streams"} met a limit of the harness (too many events, or one too long) or of this machine (no socket left, see \`ulimit -n\`), so the end was not judged`,
        },
      ];
};

/** A run that never saw what it is about says nothing, however well all of it went. */
const unseenReason = ({ unseen }: ReasonFacts): readonly IncompleteReason[] =>
  unseen === undefined ? [] : [{ code: "nothing-observed", message: unseen }];

const completedCodes: Readonly<Partial<Record<K6End["cause"], IncompleteReason["code"]>>> = {
  deadline: "deadline",
  "not-started": "unreachable",
};

const completedCode = (end: K6End | undefined): IncompleteReason["code"] =>
  (end && completedCodes[end.cause]) ?? "evidence-incomplete";

/** Of a run that ended before anything was sent, why it did is all there is to say. */
const toldChecks = ({ trust, outcomes, warmup = {} }: ReasonFacts): LoadResult["trust"]["checks"] => {
  const failed = trust.checks.filter(({ ok }) => ok === false);
  const ended = failed.filter(({ check }) => check === "completed");
  const isUnsent = [outcomes, warmup].every((counts) => Object.keys(counts).length === 0);
  return isUnsent && ended.length > 0 ? ended : failed;
};

/** Conditions that say of the generator that it was late, or had too few virtual users: a threshold may be missed whatever that did. */
const ofGenerator: ReadonlySet<TrustCheck["check"]> = new Set<TrustCheck["check"]>([
  "start-lag",
  "generator-cpu",
  "generator-timer",
  "arrivals-begun",
]);

/** Why figures mean nothing, where nothing else is wrong with the run and a threshold is missed that has nothing to do with it. */
function latenessOf({ thresholds, trust }: Judged, incomplete: readonly IncompleteReason[]): string | undefined {
  const late = trust.checks
    .filter(({ check, ok }) => ok === false && ofGenerator.has(check))
    .map(({ sentence }) => sentence);
  const isMissed = thresholds.some(({ stands, severity }) => stands === true && severity !== "warn");
  const isLateAlone = late.length > 0 && incomplete.every(({ message }) => late.includes(message));
  return isMissed && isLateAlone ? late.join("; ") : undefined;
}

const trustReasons = (facts: ReasonFacts): readonly IncompleteReason[] =>
  toldChecks(facts).map(({ check, sentence }) => ({
    code: check === "completed" ? completedCode(facts.end) : "invalid-load",
    message: sentence,
  }));

/** Why the figures of a run mean nothing; the reason that explains the others first. */
const loadReasons = (facts: ReasonFacts): readonly IncompleteReason[] =>
  facts.notTheApi === undefined
    ? [
        ...(facts.notAlwaysTheApi === undefined
          ? [...rootReason(facts), ...refusedReason(facts)].slice(0, 1)
          : [facts.notAlwaysTheApi]),
        ...unseenReason(facts),
        ...limitReason(facts),
        ...trustReasons(facts),
      ]
    : [facts.notTheApi];

/** What a caller knows about a run that its samples do not say. */
export interface LoadRunFacts {
  readonly run: LoadResult["run"];
  readonly environment: LoadEnvironment;
  readonly toolVersion: string;
  /** As `parseThreshold` gives them. Without one on `ok-rate`, `defaultOkRate` is judged too, but for the shape `breakpoint`. */
  readonly thresholds: readonly Threshold[];
  /** Whether an inconclusive comparison fails the run. */
  readonly decide?: boolean;
  readonly comparison?: Comparison;
  readonly canary?: CanaryReport;
  readonly judgement?: LoadResult["judgement"];
  readonly unjudged?: LoadResult["unjudged"];
  /** Codes of violations that are known on this target, should they come. */
  readonly knownCodes?: KnownCodes;
  /** What is wrong with the lists of known failures, where no judgement says it. */
  readonly knownFailureMistakes?: LoadResult["knownFailureMistakes"];
  readonly cleanUp?: LoadResult["cleanUp"];
  /** The signal that ended the run; a k6 that was interrupted otherwise counts as SIGINT. */
  readonly interrupted?: InterruptSignal;
  /** What went wrong in the harness itself, one sentence. */
  readonly harnessError?: string;
}

/** What was learned of a run, from one process or several. */
export interface LoadFindings {
  readonly plan: LoadPlan;
  readonly tally: LoadTally;
  readonly knee?: LoadResult["knee"] | undefined;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
  /** How many of these could not begin because the target held all virtual users. */
  readonly notBegun?: number;
  /** Judged by these thresholds. */
  readonly saturation?: (thresholds: readonly Threshold[]) => LoadResult["saturation"];
  /** The same run, had all arrivals that could not begin gone well at once; undefined where no file says how each went. */
  readonly atBest?: () => LoadTally | undefined;
  readonly generators: readonly GeneratorFacts[];
  readonly generator?: GeneratorFacts;
  /** As k6 judged those that only the script knows. */
  readonly scriptThresholds?: readonly LoadThreshold[];
  /** Why what is stored is not the whole run. */
  readonly gaps: readonly string[];
  readonly end?: K6End;
}

/** The member if there is a value, for members that are absent rather than undefined. */
const given = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } => {
  const member: { [P in K]?: V } = {};
  if (value !== undefined) {
    member[name] = value;
  }
  return member;
};

const withDefaults = (thresholds: readonly Threshold[], { shape }: LoadPlan): readonly Threshold[] =>
  shape === "breakpoint" || thresholds.some(({ kind }) => kind === "ok-rate")
    ? thresholds
    : [...thresholds, defaultOkRate];

const okCount = ({ outcomes }: LoadTally): number =>
  Object.entries(outcomes).reduce((sum, [kind, counts]) => (kind === "call" ? sum : sum + (counts.ok ?? 0)), 0);

/** What a page or a redirect has in it is no violation; what the API violated all the same is told by its judgement. */
const allViolations = ({ judgement }: LoadRunFacts, { violations }: LoadFindings): LoadFindings["violations"] =>
  judgement?.notTheApi === undefined ? violations : {};

/** Those that are not known. */
const violationsOf = (facts: LoadRunFacts, findings: LoadFindings): LoadFindings["violations"] => {
  const { knownCodes = {} } = facts;
  return Object.fromEntries(
    Object.entries(allViolations(facts, findings)).filter(([code]) => !Object.hasOwn(knownCodes, code)),
  );
};

/** Those that came and are known. */
const knownOf = (facts: LoadRunFacts, findings: LoadFindings): LoadResult["knownViolations"] => {
  const came = allViolations(facts, findings);
  const known = Object.entries(facts.knownCodes ?? {}).flatMap(([code, entry]) => {
    const count = came[code] ?? 0;
    return count === 0 ? [] : [[code, { count, known: entry }] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
};

/** What the judgement says of answers of others, or the samples where nothing was judged. */
function notAlwaysTheApi({ judgement, run }: LoadRunFacts, { ofOthers }: LoadTally): IncompleteReason | undefined {
  if (judgement?.notAlwaysTheApi !== undefined || ofOthers === undefined) {
    return judgement?.notAlwaysTheApi;
  }
  const { count, firstMs, status } = ofOthers;
  const first = `the first in second ${Math.floor(firstMs / 1000)} (status ${status})`;
  const what = count === 1 ? "1 answer was a web page or a redirect" : `${count} answers were web pages or redirects`;
  return {
    code: "not-the-api",
    message: `${run.target} was not always the API: ${what}, ${first}; a session may have ended, or a proxy or a login page stands in front of it`,
  };
}

const mistakesOf = ({ judgement, knownFailureMistakes }: LoadRunFacts): LoadResult["knownFailureMistakes"] =>
  judgement === undefined ? knownFailureMistakes : judgement.knownFailureMistakes;

type Judged = Pick<LoadResult, "trust" | "thresholds" | "saturation"> & {
  readonly comparison: LoadResult["comparison"];
};

const reasonsOf = (
  facts: LoadRunFacts,
  { plan, tally, end }: LoadFindings,
  { trust }: Judged,
): readonly IncompleteReason[] =>
  loadReasons({
    trust,
    outcomes: tally.outcomes,
    ...given("warmup", tally.warmup),
    target: facts.run.target,
    ...given("unseen", unseenSubject(plan, tally, facts.judgement?.alert)),
    ...given("refusedSince", tally.refusedSince),
    ...given("end", end),
    ...given("notTheApi", facts.judgement?.notTheApi),
    ...given("notAlwaysTheApi", notAlwaysTheApi(facts, tally)),
  });

const conclusionOf = (facts: LoadRunFacts, findings: LoadFindings, judged: Judged) => {
  const { end, tally } = findings;
  const harnessError = facts.harnessError ?? (end?.isHarnessFault === true ? end.sentence : undefined);
  const interrupted = facts.interrupted ?? (end?.cause === "interrupted" ? "SIGINT" : undefined);
  const incomplete = reasonsOf(facts, findings, judged);
  return concludeLoad({
    violations: violationsOf(facts, findings),
    ...given("knownViolations", knownOf(facts, findings)),
    ...given("knownFailureMistakes", mistakesOf(facts)),
    thresholds: judged.thresholds,
    incomplete,
    ...given("lateness", latenessOf(judged, incomplete)),
    ...given("saturation", judged.saturation),
    ...(end !== undefined && isOfTarget(end) ? { endedEarly: end.sentence ?? `k6 ended early: ${end.cause}` } : {}),
    decide: facts.decide ?? false,
    okCount: okCount(tally),
    ...given("knee", findings.knee),
    ...given("comparison", judged.comparison),
    ...given("canary", facts.canary),
    ...given("judgement", facts.judgement),
    ...given("cleanUp", facts.cleanUp),
    ...given("harnessError", harnessError),
    ...given("interrupted", interrupted),
  });
};

/** Which thresholds are missed whatever the arrivals had been that could not begin, where nothing else is wrong with the generator. */
function withStanding(
  judged: readonly LoadThreshold[],
  demanded: readonly Threshold[],
  { trust: { checks }, atBest }: Pick<LoadResult, "trust"> & Pick<LoadFindings, "atBest">,
): readonly LoadThreshold[] {
  const failed = checks.filter(({ ok }) => ok === false);
  const best = failed.every(({ check }) => check === "arrivals-begun") && failed.length > 0 ? atBest?.() : undefined;
  if (best === undefined) {
    return judged;
  }
  const atBestJudged = judgeThresholds(demanded, best);
  return judged.map(({ stands: _stands, ...threshold }, index) =>
    threshold.ok === false && atBestJudged[index]?.ok === false ? { ...threshold, stands: true } : threshold,
  );
}

/** Conditions without which the two sides of a comparison were not asked for the same. */
const ofArrivals: ReadonlySet<TrustCheck["check"]> = new Set<TrustCheck["check"]>([
  "dropped-iterations",
  "arrivals-begun",
]);

/** A comparison, without verdicts where the generator left arrivals out. */
function comparisonWith({ checks }: LoadResult["trust"], comparison: Comparison | undefined): Comparison | undefined {
  const left = checks.find(({ check, ok }) => ok === false && ofArrivals.has(check));
  if (comparison === undefined || left === undefined) {
    return comparison;
  }
  const incomparable = [...comparison.incomparable, left.sentence];
  const undecided = { verdict: "inconclusive" } as const;
  return {
    ...comparison,
    ...undecided,
    summary: comparisonSummary("inconclusive", { metrics: [], incomparable, unit: "" }),
    incomparable,
    metrics: comparison.metrics.map(({ detectable: _none, ...metric }) => ({
      ...metric,
      ...undecided,
      note: "arrivals were left out",
    })),
    ...(comparison.failures === undefined ? {} : { failures: { ...comparison.failures, ...undecided } }),
  };
}

/** Judges what was learned and puts the result together. Pure. */
export const assembleLoadResult = (facts: LoadRunFacts, findings: LoadFindings): LoadResult => {
  const { plan, tally, gaps } = findings;
  const demanded = withDefaults(facts.thresholds, plan);
  const saturation = findings.saturation?.(demanded);
  const ofTally = [...judgeThresholds(demanded, tally), ...(findings.scriptThresholds ?? [])];
  const trust = trustOf({
    plan,
    tally,
    gaps,
    thresholds: ofTally,
    generators: findings.generators,
    ...given("saturation", saturation),
    ...given("droppedIterations", findings.droppedIterations),
    ...given("notBegun", findings.notBegun),
    ...given("comparison", facts.comparison),
  });
  const thresholds = withStanding(ofTally, demanded, { trust, ...given("atBest", findings.atBest) });
  const comparison = comparisonWith(trust, facts.comparison);
  // Where too few virtual users kept arrivals from beginning, they and not the target set the limit.
  const knee = saturation?.limitedBy === undefined ? findings.knee : undefined;
  const judged = { trust, thresholds, comparison, ...given("saturation", saturation) };
  const conclusion = conclusionOf(facts, { ...findings, knee }, judged);
  return {
    schemaVersion: 2,
    tool: { name: "assay", version: facts.toolVersion },
    run: facts.run,
    plan,
    environment: facts.environment,
    ...conclusion,
    complete: gaps.length === 0 && (findings.end === undefined || !isOfTarget(findings.end)),
    trust,
    ...given("generator", findings.generator),
    outcomes: tally.outcomes,
    violations: violationsOf(facts, findings),
    ...given("knownViolations", knownOf(facts, findings)),
    ...(facts.judgement === undefined ? given("knownFailureMistakes", facts.knownFailureMistakes) : {}),
    observations: findings.observations,
    metrics: tally.metrics,
    histograms: tally.histograms,
    intervals: tally.intervals,
    thresholds,
    ...given("knee", knee),
    ...given("saturation", saturation),
    ...given("comparison", comparison),
    ...given("canary", facts.canary),
    ...given("judgement", facts.judgement),
    ...given("unjudged", facts.unjudged),
    ...given("cleanUp", facts.cleanUp),
  };
};
