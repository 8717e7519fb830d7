import { HarnessError, defined } from "@assay/contract";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { GeneratorFacts, K6Summary, LoadPlan, LoadResult } from "@assay/results";
import { largerCounts, tallyOf } from "../result/build-load-result.ts";
import { loadGaps } from "../result/load-unspecified.ts";
import { loadFiles, type LoadSources, readLoadSources } from "../result/load-sources.ts";
import { latenciesOfHistograms } from "../result/load-metrics.ts";
import type { LoadTally } from "../result/load-tally.ts";
import { readLoadResult } from "../result/stored-result.ts";
import { type ExecutionSegment, missingSegments, parseSegment, segmentText } from "./execution-segment.ts";

/** One of the runs that are merged. */
export interface MergePart {
  readonly folder: string;
  readonly plan: LoadPlan;
  readonly scenarioSha256: string;
  readonly result?: LoadResult;
  readonly sources: LoadSources;
  /** Exact where there are samples. */
  readonly tally: LoadTally;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
  /** How many of these could not begin because the target held all virtual users. */
  readonly notBegun?: number;
  readonly generator?: GeneratorFacts;
  /** The shares of the plan that it made; undefined where its files do not say. */
  readonly segments?: readonly ExecutionSegment[];
  readonly gaps: readonly string[];
}

const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const hasNothing = ({ samples, summary }: LoadSources): boolean => samples === undefined && summary === undefined;

/** All violations of a result, also those that are known. */
const allViolations = ({ violations, knownViolations = {} }: LoadResult): LoadTally["violations"] => ({
  ...violations,
  ...Object.fromEntries(Object.entries(knownViolations).map(([code, { count }]) => [code, count])),
});

const storedTally = (result: LoadResult): LoadTally => ({
  outcomes: result.outcomes,
  arms: [],
  violations: allViolations(result),
  histograms: result.histograms,
  latencies: latenciesOfHistograms(result.histograms),
  metrics: result.metrics,
  intervals: result.intervals,
});

/** Why a load of which these shares were made is not whole; undefined where it is. */
export const missingShare = (segments: readonly ExecutionSegment[]): string | undefined => {
  const missing = missingSegments(segments).map(segmentText);
  return missing.length === 0
    ? undefined
    : `the ${missing.length === 1 ? "share" : "shares"} ${missing.join(", ")} of the load ${missing.length === 1 ? "is" : "are"} missing; give the folders of all runners`;
};

/** Whether a merged result lacks nothing but shares that another folder may have. */
const lacksSharesAlone = ({ trust }: LoadResult, segments: MergePart["segments"]): boolean =>
  segments !== undefined &&
  trust.checks.find(({ check }) => check === "completed")?.sentence === missingShare(segments);

const gapsOf = (
  sources: LoadSources,
  { tally, result, segments }: Pick<MergePart, "tally" | "result" | "segments">,
): readonly string[] => {
  // A result that was merged before has nothing else in its folder.
  const own = hasNothing(sources) && result !== undefined ? sources.problems : loadGaps(sources, tally, undefined);
  return result?.complete === false && !lacksSharesAlone(result, segments)
    ? [...own, `it did not come to its end (${result.summary})`]
    : own;
};

const refuse = (sentence: string): never => {
  throw new HarnessError("nothing-to-merge", sentence);
};

/** Fails with `nothing-to-merge` for what is no segment. */
const segmentsIn = (
  folder: string,
  { summary }: LoadSources,
  result: LoadResult | undefined,
): MergePart["segments"] => {
  const given =
    summary === undefined ? result?.run.segments : summary.segment === undefined ? undefined : [summary.segment];
  return given?.map(
    (text) =>
      parseSegment(text) ??
      refuse(
        `${folder} does not say which share of the load it is: ${JSON.stringify(text.slice(0, 40))} is no execution segment of k6`,
      ),
  );
};

const planIn = (folder: string, sources: LoadSources, result: LoadResult | undefined): LoadPlan => {
  const plan = result?.plan ?? sources.summary?.plan;
  if (plan === undefined) {
    throw new HarnessError(
      "nothing-to-merge",
      `${folder} has neither ${loadFiles.result} nor a ${loadFiles.summary} that can be read; give folders of load runs that have ended`,
    );
  }
  return plan;
};

type Figures = Pick<
  MergePart,
  "scenarioSha256" | "violations" | "observations" | "droppedIterations" | "notBegun" | "generator"
>;

const summaryFigures = (summary: K6Summary, { violations }: LoadTally): Figures => ({
  scenarioSha256: summary.scenarioSha256,
  violations: largerCounts(violations, summary.violations),
  observations: summary.observations,
  droppedIterations: summary.droppedIterations,
  ...defined({ generator: summary.generator, notBegun: summary.notBegun }),
});

const resultFigures = (result: LoadResult, { violations }: LoadTally): Figures => {
  const dropped = result.trust.checks.find(({ check }) => check === "dropped-iterations")?.value;
  return {
    scenarioSha256: result.run.scenarioSha256,
    violations: largerCounts(violations, allViolations(result)),
    observations: result.observations,
    ...defined({ droppedIterations: dropped, generator: result.generator }),
  };
};

/** What k6 itself said, where it did; a result knows the script, whose digest the summary may lack. */
const figuresOf = ({ summary }: LoadSources, result: LoadResult | undefined, tally: LoadTally): Figures => {
  const fromSummary = summary && summaryFigures(summary, tally);
  const known = result && resultFigures(result, tally);
  const none = { scenarioSha256: "", violations: tally.violations, observations: {} };
  return {
    ...(fromSummary ?? known ?? none),
    ...(known === undefined ? {} : { scenarioSha256: known.scenarioSha256 }),
  };
};

/** Reads a run to be merged. Fails with `nothing-to-merge`, or `unreadable-result` when its `load.json` is none. */
export const readMergePart = async (folder: string): Promise<MergePart> => {
  const result = (await isThere(join(folder, loadFiles.result))) ? await readLoadResult(folder) : undefined;
  const sources = await readLoadSources(folder, result?.knownViolations);
  const plan = planIn(folder, sources, result);
  const segments = segmentsIn(folder, sources, result);
  const tally = hasNothing(sources) && result !== undefined ? storedTally(result) : tallyOf(plan, sources);
  return {
    folder,
    plan,
    sources,
    tally,
    ...defined({ result }),
    ...figuresOf(sources, result, tally),
    ...defined({ segments }),
    gaps: gapsOf(sources, { tally, ...defined({ result, segments }) }).map((gap) => `${basename(folder)}: ${gap}`),
  };
};
