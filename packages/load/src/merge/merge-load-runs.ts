import type { LoadResult, LoadThreshold } from "@assay/results";
import { LoadError } from "../load-error.ts";
import { assembleLoadResult, type LoadFindings } from "../result/assemble-load-result.ts";
import { kneeOf } from "../result/knee.ts";
import { scriptThresholds, type Threshold } from "../result/threshold.ts";
import { checkParts } from "./check-parts.ts";
import { type MergePart, readMergePart } from "./merge-part.ts";
import {
  mergedCanary,
  mergedCleanUp,
  mergedEnvironment,
  mergedGenerator,
  mergedRun,
  mergedThresholds,
} from "./merged-facts.ts";
import { mergedPlan } from "./merged-plan.ts";
import { addCounts, allSamples, mergeTallies } from "./merge-tallies.ts";

/** What the folders do not say. */
export interface MergeOptions {
  /** Of the merged run; the first part's by default. */
  readonly id?: string;
  readonly toolVersion?: string;
  /** Instead of those that the parts were judged by. */
  readonly thresholds?: readonly Threshold[];
}

type Parts = readonly [MergePart, ...MergePart[]];

const isNotEmpty = (parts: readonly MergePart[]): parts is Parts => parts.length > 0;

const scriptThresholdsOf = ({ sources, result }: MergePart): readonly LoadThreshold[] =>
  sources.summary === undefined
    ? (result?.thresholds ?? []).filter(({ threshold }) => threshold.startsWith("k6: "))
    : scriptThresholds(sources.summary.thresholds);

/** A threshold that only the script knows holds when it held in every process. */
const mergedScriptThresholds = (parts: Parts): readonly LoadThreshold[] => {
  const all = parts.flatMap(scriptThresholdsOf);
  const names = [...new Set(all.map(({ threshold }) => threshold))];
  return names.map((threshold) => ({
    threshold,
    ok: all.filter((one) => one.threshold === threshold).every(({ ok }) => ok === true),
  }));
};

const droppedOf = (parts: Parts): number | undefined => {
  const known = parts.flatMap(({ droppedIterations }) => (droppedIterations === undefined ? [] : [droppedIterations]));
  return known.length === parts.length ? known.reduce((sum, dropped) => sum + dropped, 0) : undefined;
};

const findingsOf = (parts: Parts): LoadFindings => {
  const plan = mergedPlan(parts);
  const samples = allSamples(parts);
  const knee = samples && kneeOf(plan, samples);
  const generators = parts.flatMap(({ generator }) => (generator === undefined ? [] : [generator]));
  const generator = mergedGenerator(generators);
  const droppedIterations = droppedOf(parts);
  return {
    plan,
    tally: mergeTallies(plan, parts),
    ...(knee === undefined ? {} : { knee }),
    violations: addCounts(parts.map(({ violations }) => violations)),
    observations: addCounts(parts.map(({ observations }) => observations)),
    ...(droppedIterations === undefined ? {} : { droppedIterations }),
    scriptThresholds: mergedScriptThresholds(parts),
    generators,
    ...(generator === undefined ? {} : { generator }),
    gaps: parts.flatMap(({ gaps }) => gaps),
  };
};

/**
 * One result from runs that were shares of one load, given by their folders; each has `load.json`, or `k6-summary.json` with or
 * without samples. Counts and histograms are added; percentiles come from the union of all samples, or from the added buckets
 * when one part has none. Thresholds are judged once, on the union. A comparison of two targets is not merged. Fails with a
 * `LoadError` when the folders are not shares of one load.
 */
export const mergeLoadRuns = async (folders: readonly string[], options: MergeOptions = {}): Promise<LoadResult> => {
  const parts: MergePart[] = [];
  for (const folder of folders) {
    parts.push(await readMergePart(folder));
  }
  if (!isNotEmpty(parts)) {
    throw new LoadError("nothing-to-merge", "no run was given to merge; give the folders of two or more load runs");
  }
  await checkParts(parts);
  const canary = mergedCanary(parts);
  const cleanUp = mergedCleanUp(parts);
  return assembleLoadResult(
    {
      run: mergedRun(parts, options.id),
      environment: mergedEnvironment(parts),
      toolVersion: options.toolVersion ?? parts[0].result?.tool.version ?? "unknown",
      thresholds: options.thresholds ?? mergedThresholds(parts),
      ...(canary === undefined ? {} : { canary }),
      ...(cleanUp === undefined ? {} : { cleanUp }),
    },
    findingsOf(parts),
  );
};
