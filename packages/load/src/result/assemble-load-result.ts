import {
  type CanaryReport,
  type Comparison,
  concludeLoad,
  type GeneratorFacts,
  type InterruptSignal,
  type LoadEnvironment,
  type LoadPlan,
  type LoadResult,
  type LoadThreshold,
} from "@assay/results";
import type { K6End } from "../k6/k6-end.ts";
import { unseenSubject } from "./unseen.ts";
import { loadReasons } from "./load-reasons.ts";
import type { LoadTally } from "./load-tally.ts";
import { defaultOkRate, judgeThresholds, type Threshold } from "./threshold.ts";
import { trustOf } from "./trust-checks.ts";

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
  readonly knee?: LoadResult["knee"];
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
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

const conclusionOf = (
  facts: LoadRunFacts,
  findings: LoadFindings,
  judged: Pick<LoadResult, "trust" | "thresholds">,
) => {
  const { end, tally, violations } = findings;
  const harnessError = facts.harnessError ?? (end?.isHarnessFault === true ? end.sentence : undefined);
  const interrupted = facts.interrupted ?? (end?.cause === "interrupted" ? "SIGINT" : undefined);
  return concludeLoad({
    violations,
    thresholds: judged.thresholds,
    incomplete: loadReasons({
      trust: judged.trust,
      outcomes: tally.outcomes,
      ...given("warmup", tally.warmup),
      target: facts.run.target,
      ...given("unseen", unseenSubject(findings.plan, tally)),
      ...given("end", end),
    }),
    decide: facts.decide ?? false,
    okCount: okCount(tally),
    ...given("comparison", facts.comparison),
    ...given("canary", facts.canary),
    ...given("cleanUp", facts.cleanUp),
    ...given("harnessError", harnessError),
    ...given("interrupted", interrupted),
  });
};

/** Judges what was learned and puts the result together. Pure. */
export const assembleLoadResult = (facts: LoadRunFacts, findings: LoadFindings): LoadResult => {
  const { plan, tally, gaps } = findings;
  const thresholds = [
    ...judgeThresholds(withDefaults(facts.thresholds, plan), tally),
    ...(findings.scriptThresholds ?? []),
  ];
  const trust = trustOf({
    plan,
    tally,
    gaps,
    thresholds,
    generators: findings.generators,
    ...given("droppedIterations", findings.droppedIterations),
    ...given("comparison", facts.comparison),
  });
  const conclusion = conclusionOf(facts, findings, { trust, thresholds });
  return {
    schemaVersion: 1,
    tool: { name: "assay", version: facts.toolVersion },
    run: facts.run,
    plan,
    environment: facts.environment,
    ...conclusion,
    complete: gaps.length === 0,
    trust,
    ...given("generator", findings.generator),
    outcomes: tally.outcomes,
    violations: findings.violations,
    observations: findings.observations,
    metrics: tally.metrics,
    histograms: tally.histograms,
    intervals: tally.intervals,
    thresholds,
    ...given("knee", findings.knee),
    ...given("comparison", facts.comparison),
    ...given("canary", facts.canary),
    ...given("cleanUp", facts.cleanUp),
  };
};
