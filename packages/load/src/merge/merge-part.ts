import { HarnessError, defined } from "@assay/contract";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { GeneratorFacts, K6Summary, LoadPlan, LoadResult } from "@assay/results";
import { mergeLargerCounts, listProcessSamples } from "../result/build-load-result.ts";
import { findMissingData } from "../result/missing-data.ts";
import { loadFiles, type LoadSources, readLoadSources } from "../result/load-sources.ts";
import { type LoadTally, type ProcessSamples, tallySamples } from "../result/load-tally.ts";
import { readLoadResult } from "../result/stored-result.ts";
import type { KnownCodes } from "../samples/accept-known-violations.ts";
import { type ExecutionSegment, parseSegment } from "./execution-segment.ts";

/** A run to merge. */
export interface MergePart {
  readonly folder: string;
  readonly plan: LoadPlan;
  readonly scenarioSha256: string;
  readonly result?: LoadResult;
  readonly sources: LoadSources;
  /** The samples of its one process. */
  readonly processes: readonly ProcessSamples[];
  readonly tally: LoadTally;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
  /** The number of dropped iterations for which no virtual user was free. */
  readonly notBegun?: number;
  readonly generator?: GeneratorFacts;
  /** The share of the plan that this part ran. Undefined if its files do not contain it. */
  readonly segment?: ExecutionSegment;
  readonly missingData: readonly string[];
}

const pathExists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const createNothingToMergeError = (sentence: string): HarnessError => new HarnessError("nothing-to-merge", sentence);

/** Returns the violations of a result, including known ones. */
const allViolations = ({ violations, knownViolations = {} }: LoadResult): LoadTally["violations"] => ({
  ...violations,
  ...Object.fromEntries(Object.entries(knownViolations).map(([code, { count }]) => [code, count])),
});

/** Merging requires the samples, because percentiles of parts cannot be added. */
const assertHasSamples = (folder: string, { samples, problems }: LoadSources, result: LoadResult | undefined): void => {
  if (samples !== undefined) {
    return;
  }
  const isMerged = (result?.run.processes ?? 1) > 1;
  const [problem = isMerged ? "it is the result of a merge" : `there is no ${loadFiles.samples}`] = problems;
  throw createNothingToMergeError(
    `${folder} has no readable samples (${problem}); pass the original folder of each k6 process`,
  );
};

const listMissingData = (sources: LoadSources, tally: LoadTally, result: LoadResult | undefined): readonly string[] => [
  ...findMissingData(sources, tally, undefined),
  ...(result?.complete === false ? [`it ended early (${result.summary})`] : []),
];

/** Reads the segment of a part. Fails with `nothing-to-merge` if it is invalid. */
const readSegment = (folder: string, { summary }: LoadSources): ExecutionSegment | undefined => {
  const text = summary?.segment;
  if (text === undefined) {
    return undefined;
  }
  const segment = parseSegment(text);
  if (segment === undefined) {
    throw createNothingToMergeError(
      `the share of the load in ${folder} is unknown: ${JSON.stringify(text.slice(0, 40))} is not an execution segment of k6`,
    );
  }
  return segment;
};

/** A folder without the summary that k6 writes at its end: the process was killed, or never began. */
export interface UnfinishedPart {
  readonly folder: string;
  readonly reason: string;
}

export const isUnfinished = (part: MergePart | UnfinishedPart): part is UnfinishedPart => "reason" in part;

/** Fails with `nothing-to-merge` if no process has ended. */
export const rejectUnfinishedOnly = ([unfinished]: readonly UnfinishedPart[]): never => {
  throw createNothingToMergeError(
    unfinished === undefined
      ? "there is no run to merge; pass the folders of two or more load runs"
      : `${unfinished.folder} ${unfinished.reason}; pass folders of load runs that have ended`,
  );
};

type PartFigures = Pick<
  MergePart,
  "scenarioSha256" | "violations" | "observations" | "droppedIterations" | "notBegun" | "generator"
>;

const readSummaryFigures = (summary: K6Summary, { violations }: LoadTally): PartFigures => ({
  scenarioSha256: summary.scenarioSha256,
  violations: mergeLargerCounts(violations, summary.violations),
  observations: summary.observations,
  droppedIterations: summary.droppedIterations,
  ...defined({ generator: summary.generator, notBegun: summary.notBegun }),
});

const readResultFigures = (result: LoadResult, { violations }: LoadTally): PartFigures => {
  const droppedIterations = result.trust.checks.find(({ check }) => check === "dropped-iterations")?.value;
  return {
    scenarioSha256: result.run.scenarioSha256,
    violations: mergeLargerCounts(violations, allViolations(result)),
    observations: result.observations,
    ...defined({ droppedIterations, generator: result.generator }),
  };
};

/** Selects the figures of k6's summary, or the result's if there is none. The script digest is always the result's, because a summary may lack it. */
const selectFigures = ({ summary }: LoadSources, result: LoadResult | undefined, tally: LoadTally): PartFigures => {
  const fromSummary = summary && readSummaryFigures(summary, tally);
  const fromResult = result && readResultFigures(result, tally);
  const noFigures = { scenarioSha256: "", violations: tally.violations, observations: {} };
  return {
    ...(fromSummary ?? fromResult ?? noFigures),
    ...(fromResult === undefined ? {} : { scenarioSha256: fromResult.scenarioSha256 }),
  };
};

/**
 * Reads a run to merge. Fails with `nothing-to-merge` if a run that has ended lacks files, or `unreadable-result` if `load.json` is
 * damaged.
 */
export const readMergePart = async (folder: string, knownCodes?: KnownCodes): Promise<MergePart | UnfinishedPart> => {
  const result = (await pathExists(join(folder, loadFiles.result))) ? await readLoadResult(folder) : undefined;
  const sources = await readLoadSources(folder, knownCodes ?? result?.knownViolations);
  const plan = result?.plan ?? sources.summary?.plan;
  if (plan === undefined) {
    return { folder, reason: `contains neither ${loadFiles.result} nor a readable ${loadFiles.summary}` };
  }
  assertHasSamples(folder, sources, result);
  const processes = listProcessSamples(sources);
  const tally = tallySamples(plan, processes);
  return {
    folder,
    plan,
    sources,
    processes,
    tally,
    ...selectFigures(sources, result, tally),
    ...defined({ result, segment: readSegment(folder, sources) }),
    missingData: listMissingData(sources, tally, result).map((sentence) => `${basename(folder)}: ${sentence}`),
  };
};
