import { defined } from "@assay/contract";
import type { LoadPlan, LoadResult } from "@assay/results";
import type { K6End } from "../k6/k6-end.ts";
import { assembleLoadResult, type LoadFindings, type LoadRunFacts } from "./assemble-load-result.ts";
import { findKnee } from "./knee.ts";
import { findSaturation } from "./saturation.ts";
import { findMissingData } from "./missing-data.ts";
import { type LoadSources, readLoadSources } from "./load-sources.ts";
import { type ProcessSamples, toBestCaseSamples, tallySamples } from "./load-tally.ts";
import { listScriptThresholds } from "./threshold.ts";

/** A finished run of one process. */
export interface FinishedLoad extends LoadRunFacts {
  /** Folder of its files. */
  readonly folder: string;
  readonly plan: LoadPlan;
  readonly k6End: K6End;
}

/** Returns the larger count of two sources by code, so that a violation recorded by only one of them is included. */
export const mergeLargerCounts = (
  first: Readonly<Record<string, number>>,
  second: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const codes = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return Object.fromEntries(codes.map((code) => [code, Math.max(first[code] ?? 0, second[code] ?? 0)]));
};

/** Returns the samples of one process. Empty if the file cannot be read, which makes the result incomplete. */
export const listProcessSamples = ({ samples }: LoadSources): readonly ProcessSamples[] =>
  samples === undefined ? [] : [{ epochMs: samples.header.epochMs, samples: samples.samples }];

/** Reads the findings in k6's summary. */
const readSummaryFindings = ({ summary }: LoadSources): Partial<LoadFindings> =>
  summary === undefined
    ? {}
    : {
        droppedIterations: summary.droppedIterations,
        notBegun: summary.notBegun ?? 0,
        scriptThresholds: listScriptThresholds(summary.thresholds),
        ...(summary.generator === undefined ? {} : { generator: summary.generator, generators: [summary.generator] }),
      };

const collectFindings = (plan: LoadPlan, sources: LoadSources, end: K6End): LoadFindings => {
  const { summary } = sources;
  const processes = listProcessSamples(sources);
  const tally = tallySamples(plan, processes);
  return {
    plan,
    tally,
    ...defined({ knee: findKnee(plan, processes) }),
    tallyBestCase: () => tallySamples(plan, processes.map(toBestCaseSamples)),
    findSaturation: (limits) => findSaturation(plan, processes, limits),
    violations: mergeLargerCounts(tally.violations, summary?.violations ?? {}),
    observations: summary?.observations ?? {},
    generators: [],
    ...readSummaryFindings(sources),
    missingData: findMissingData(sources, tally, end),
    end,
  };
};

/**
 * Judges a run of one process from the files in its folder. A missing file makes the result incomplete and never fails:
 * a killed k6 leaves samples without a summary. Latencies, counts and intervals come from the samples. Violations come
 * from samples and summary, the larger count of each code.
 */
export const buildLoadResult = async (load: FinishedLoad): Promise<LoadResult> => {
  const sources = await readLoadSources(load.folder, load.knownCodes);
  return assembleLoadResult(load, collectFindings(load.plan, sources, load.k6End));
};
