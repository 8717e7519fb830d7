import { defined } from "@assay/contract";
import type { K6Summary, LoadPlan, LoadResult } from "@assay/results";
import type { K6End } from "../k6/k6-end.ts";
import { assembleLoadResult, type LoadFindings, type LoadRunFacts } from "./assemble-load-result.ts";
import { kneeOf } from "./knee.ts";
import { saturationOf, saturationOfSummary } from "./saturation.ts";
import { loadGaps } from "./load-unspecified.ts";
import { type LoadSources, readLoadSources } from "./load-sources.ts";
import { type LoadTally, samplesAtBest, tallySamples } from "./load-tally.ts";
import { scriptThresholds } from "./threshold.ts";
import { tallySummary } from "./tally-summary.ts";

/** A finished run of one process. */
export interface FinishedLoad extends LoadRunFacts {
  /** Where its files are. */
  readonly folder: string;
  readonly plan: LoadPlan;
  readonly k6End: K6End;
}

const emptySummary = (plan: LoadPlan): K6Summary => ({
  assay: "k6-summary",
  version: 1,
  k6Version: "",
  plan,
  scenarioSha256: "",
  testDurationMs: 0,
  droppedIterations: 0,
  iterations: 0,
  maxVus: 0,
  histograms: [],
  outcomes: {},
  violations: {},
  observations: {},
  thresholds: {},
});

/** The larger count of two views of the same thing, by code: a violation that only one of them saw counts. */
export const largerCounts = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const codes = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(codes.map((code) => [code, Math.max(one[code] ?? 0, other[code] ?? 0)]));
};

/** What the samples say, else what the summary says, else nothing. */
export const tallyOf = (plan: LoadPlan, { samples, summary }: LoadSources): LoadTally =>
  samples === undefined
    ? tallySummary(summary ?? emptySummary(plan))
    : tallySamples(plan, [{ epochMs: samples.header.epochMs, samples: samples.samples }]);

/** What only k6 itself knows. */
const summaryFindings = ({ summary }: LoadSources): Partial<LoadFindings> =>
  summary === undefined
    ? {}
    : {
        droppedIterations: summary.droppedIterations,
        notBegun: summary.notBegun ?? 0,
        scriptThresholds: scriptThresholds(summary.thresholds),
        ...(summary.generator === undefined ? {} : { generator: summary.generator, generators: [summary.generator] }),
      };

const findingsOf = (plan: LoadPlan, sources: LoadSources, end: K6End): LoadFindings => {
  const { summary, samples } = sources;
  const tally = tallyOf(plan, sources);
  const processes = samples && [{ epochMs: samples.header.epochMs, samples: samples.samples }];
  const knee = processes && kneeOf(plan, processes);
  return {
    plan,
    tally,
    ...defined({ knee }),
    atBest: () => processes && tallySamples(plan, processes.map(samplesAtBest)),
    saturation: (limits) =>
      processes === undefined ? summary && saturationOfSummary(plan, summary) : saturationOf(plan, processes, limits),
    violations: largerCounts(tally.violations, summary?.violations ?? {}),
    observations: summary?.observations ?? {},
    generators: [],
    ...summaryFindings(sources),
    gaps: loadGaps(sources, tally, end),
    end,
  };
};

/**
 * Judges a run of one process from the files in its folder. Whatever is missing makes the result incomplete and never fails: a
 * k6 that was killed leaves samples without a summary. Latencies, counts and intervals come from the samples where there are
 * any; violations from both, the larger count of each code.
 */
export const buildLoadResult = async (load: FinishedLoad): Promise<LoadResult> => {
  const sources = await readLoadSources(load.folder, load.knownCodes);
  return assembleLoadResult(load, findingsOf(load.plan, sources, load.k6End));
};
