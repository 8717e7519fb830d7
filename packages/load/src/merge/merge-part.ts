import { HarnessError, defined } from "@assay/contract";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { GeneratorFacts, K6Summary, LoadPlan, LoadResult } from "@assay/results";
import { largerCounts, processSamples } from "../result/build-load-result.ts";
import { findMissingData } from "../result/missing-data.ts";
import { loadFiles, type LoadSources, readLoadSources } from "../result/load-sources.ts";
import { type LoadTally, type ProcessSamples, tallySamples } from "../result/load-tally.ts";
import { readLoadResult } from "../result/stored-result.ts";
import { type ExecutionSegment, parseSegment } from "./execution-segment.ts";

/** One of the runs to merge. */
export interface MergePart {
  readonly folder: string;
  readonly plan: LoadPlan;
  readonly scenarioSha256: string;
  readonly result?: LoadResult;
  readonly sources: LoadSources;
  /** One process. */
  readonly processes: readonly ProcessSamples[];
  readonly tally: LoadTally;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly droppedIterations?: number;
  /** Of the dropped iterations, those for which the target left no virtual user free. */
  readonly notBegun?: number;
  readonly generator?: GeneratorFacts;
  /** The share of the plan that this part made; undefined if its files do not name it. */
  readonly segment?: ExecutionSegment;
  readonly missingData: readonly string[];
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const refusal = (sentence: string): HarnessError => new HarnessError("nothing-to-merge", sentence);

/** All violations of a result, known ones included. */
const allViolations = ({ violations, knownViolations = {} }: LoadResult): LoadTally["violations"] => ({
  ...violations,
  ...Object.fromEntries(Object.entries(knownViolations).map(([code, { count }]) => [code, count])),
});

/** Merging needs the samples: percentiles of parts cannot be added. */
const refuseWithoutSamples = (
  folder: string,
  { samples, problems }: LoadSources,
  result: LoadResult | undefined,
): void => {
  if (samples !== undefined) {
    return;
  }
  const isMerged = (result?.run.processes ?? 1) > 1;
  const [problem = isMerged ? "it is the result of a merge" : `there is no ${loadFiles.samples}`] = problems;
  throw refusal(
    `${folder} has no samples that can be read (${problem}); give the folders of the runs themselves, as each k6 left them`,
  );
};

const missingDataOf = (sources: LoadSources, tally: LoadTally, result: LoadResult | undefined): readonly string[] => [
  ...findMissingData(sources, tally, undefined),
  ...(result?.complete === false ? [`it ended early (${result.summary})`] : []),
];

/** Fails with `nothing-to-merge` for text that is not a segment. */
const segmentIn = (folder: string, { summary }: LoadSources): ExecutionSegment | undefined => {
  const text = summary?.segment;
  if (text === undefined) {
    return undefined;
  }
  const segment = parseSegment(text);
  if (segment === undefined) {
    throw refusal(
      `${folder} does not say which share of the load it is: ${JSON.stringify(text.slice(0, 40))} is no execution segment of k6`,
    );
  }
  return segment;
};

const planIn = (folder: string, sources: LoadSources, result: LoadResult | undefined): LoadPlan => {
  const plan = result?.plan ?? sources.summary?.plan;
  if (plan === undefined) {
    throw refusal(
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

/** Figures of k6's summary, else of the result. The digest of the script comes from the result, since a summary may lack it. */
const figuresOf = ({ summary }: LoadSources, result: LoadResult | undefined, tally: LoadTally): Figures => {
  const fromSummary = summary && summaryFigures(summary, tally);
  const fromResult = result && resultFigures(result, tally);
  const none = { scenarioSha256: "", violations: tally.violations, observations: {} };
  return {
    ...(fromSummary ?? fromResult ?? none),
    ...(fromResult === undefined ? {} : { scenarioSha256: fromResult.scenarioSha256 }),
  };
};

/** Reads a run to merge. Fails with `nothing-to-merge`, also without samples, or `unreadable-result` for a damaged `load.json`. */
export const readMergePart = async (folder: string): Promise<MergePart> => {
  const result = (await exists(join(folder, loadFiles.result))) ? await readLoadResult(folder) : undefined;
  const sources = await readLoadSources(folder, result?.knownViolations);
  const plan = planIn(folder, sources, result);
  refuseWithoutSamples(folder, sources, result);
  const processes = processSamples(sources);
  const tally = tallySamples(plan, processes);
  return {
    folder,
    plan,
    sources,
    processes,
    tally,
    ...figuresOf(sources, result, tally),
    ...defined({ result, segment: segmentIn(folder, sources) }),
    missingData: missingDataOf(sources, tally, result).map((gap) => `${basename(folder)}: ${gap}`),
  };
};
