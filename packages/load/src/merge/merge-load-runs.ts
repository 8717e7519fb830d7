import { realpath } from "node:fs/promises";
import { HarnessError, defined } from "@assay/contract";
import { mergeHistograms } from "@assay/results";
import type { LoadInterval, LoadPlan, LoadResult, LoadThreshold } from "@assay/results";
import { assembleLoadResult } from "../result/assemble-load-result.ts";
import type { LoadFindings } from "../result/assemble-load-result.ts";
import { kneeOf } from "../result/knee.ts";
import { plannedArrivals } from "../result/planned-arrivals.ts";
import { saturationOf } from "../result/saturation.ts";
import { scriptThresholds } from "../result/threshold.ts";
import type { Threshold } from "../result/threshold.ts";
import { latenciesOfHistograms, loadMetricsOf } from "../result/load-metrics.ts";
import { samplesAtBest, tallySamples } from "../result/load-tally.ts";
import type { ArmOutcomes, LoadTally, ProcessSamples } from "../result/load-tally.ts";
import { arrivalKinds } from "../result/sample-latencies.ts";
import { canonicalJson } from "./canonical-json.ts";
import { readMergePart } from "./merge-part.ts";
import { checkShares, loadsOf, mergedSegments, shareGaps } from "./merged-shares.ts";
import type { MergePart } from "./merge-part.ts";
import {
  mergedCanary,
  mergedCleanUp,
  mergedEnvironment,
  mergedGenerator,
  mergedJudgement,
  mergedKnownCodes,
  mergedMistakes,
  mergedRun,
  mergedThresholds,
} from "./merged-facts.ts";

/** A plan without what differs between processes that share one load: rates, numbers of users and the marks of a run. */
const commonPlan = ({
  ratePerSecond: _rate,
  maxVus: _vus,
  targets: _targets,
  conversation,
  ...plan
}: LoadPlan): string => {
  const { marker: _marker, budget: _budget, ...questions } = conversation ?? {};
  return canonicalJson({ ...plan, conversation: questions });
};

/** What makes a run this one and no other; two parts that agree in it were one run. */
const identityOf = ({ result, sources: { samples, summary } }: MergePart): string =>
  result?.run.id ?? canonicalJson([samples?.header, summary?.testDurationMs, summary?.generator, summary?.histograms]);

const checkTwice = async (parts: readonly MergePart[]): Promise<void> => {
  const seen = new Map<string, string>();
  for (const part of parts) {
    for (const identity of [await realpath(part.folder), identityOf(part)]) {
      const other = seen.get(identity);
      if (other !== undefined && other !== part.folder) {
        throw new HarnessError(
          "merged-twice",
          `${other} and ${part.folder} are the same run; counting it twice would feign certainty`,
        );
      }
      seen.set(identity, part.folder);
    }
  }
};

const differs = (first: MergePart, part: MergePart): HarnessError | undefined => {
  const both = `${first.folder} and ${part.folder}`;
  if (first.scenarioSha256 !== part.scenarioSha256 || part.scenarioSha256 === "") {
    return new HarnessError(
      "different-scenario",
      `${both} did not run the same script, or do not say which; their figures do not add up`,
    );
  }
  if (canonicalJson(first.plan.targets) !== canonicalJson(part.plan.targets)) {
    return new HarnessError(
      "different-target",
      `${both} made load on different targets: ${first.plan.targets.a} and ${part.plan.targets.a}`,
    );
  }
  return commonPlan(first.plan) === commonPlan(part.plan)
    ? undefined
    : new HarnessError(
        "different-plan",
        `${both} had different plans beyond their rates; only shares of one load can be merged`,
      );
};

/**
 * Makes sure that runs are shares of one load: none twice, the same script, targets and plan but for rates, numbers of users and
 * marks, and no two that made the same share of it. Fails with `merged-twice`, `different-scenario`, `different-target` or `different-plan`.
 */
const checkParts = async (parts: readonly [MergePart, ...MergePart[]]): Promise<void> => {
  const folders = await Promise.all(parts.map(async ({ folder }) => realpath(folder)));
  const again = folders.find((folder, index) => folders.indexOf(folder) !== index);
  if (again !== undefined) {
    throw new HarnessError("merged-twice", `${again} is given twice; counting it twice would feign certainty`);
  }
  await checkTwice(parts);
  for (const part of parts.slice(1)) {
    const error = differs(parts[0], part);
    if (error !== undefined) {
      throw error;
    }
  }
  checkShares(parts);
};

/** More arrivals than this many times those of one plan were not made by shares of it. */
const oneLoad = 1.5;

const arrivalsOf = (parts: readonly MergePart[]): number =>
  parts.reduce((sum, { tally, droppedIterations = 0 }) => {
    const kinds = arrivalKinds.map((kind) =>
      Object.values(tally.outcomes[kind] ?? {}).reduce((total, count) => total + count, 0),
    );
    return sum + droppedIterations + Math.max(...kinds);
  }, 0);

const sumOf = (plans: readonly LoadPlan[], member: "ratePerSecond" | "maxVus"): number =>
  plans.reduce((sum, plan) => sum + plan[member], 0);

const summedPlan = (plans: readonly LoadPlan[], plan: LoadPlan): LoadPlan => ({
  ...plan,
  ratePerSecond: sumOf(plans, "ratePerSecond"),
  maxVus: sumOf(plans, "maxVus"),
});

/**
 * The plan of the whole. Processes that ran segments of one plan all have its full rate; others have a share each, which add up.
 * Where they do not say which they are, equal rates are told apart by how many arrivals there were in all.
 */
const mergedPlan = (parts: readonly [MergePart, ...MergePart[]]): LoadPlan => {
  const [{ plan }] = parts;
  if (parts.every(({ segments }) => segments !== undefined) && plan.blocks === undefined) {
    return summedPlan(
      loadsOf(parts).map(([part]) => part?.plan ?? plan),
      plan,
    );
  }
  const areEqual = parts.every((part) => part.plan.ratePerSecond === plan.ratePerSecond);
  const expected = plannedArrivals(plan);
  const isOneLoad = areEqual && (plan.blocks !== undefined || arrivalsOf(parts) <= oneLoad * Math.max(expected, 1));
  return parts.length === 1 || isOneLoad
    ? plan
    : summedPlan(
        parts.map((part) => part.plan),
        plan,
      );
};

type Counts = Readonly<Record<string, number>>;

/** Counts added by name. */
const addCounts = (all: readonly Counts[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
};

const addOutcomes = (all: readonly LoadResult["outcomes"][]): LoadResult["outcomes"] => {
  const kinds = [...new Set(all.flatMap((outcomes) => Object.keys(outcomes)))];
  return Object.fromEntries(kinds.map((kind) => [kind, addCounts(all.map((outcomes) => ({ ...outcomes[kind] })))]));
};

const addArms = (all: readonly (readonly ArmOutcomes[])[]): readonly ArmOutcomes[] =>
  all.some((arms) => arms.length === 0)
    ? []
    : (["a", "b"] as const)
        .map((arm) => ({
          arm,
          outcomes: addCounts(
            all.flatMap((arms) => arms.filter((one) => one.arm === arm).map(({ outcomes }) => ({ ...outcomes }))),
          ),
        }))
        .filter(({ outcomes }) => Object.keys(outcomes).length > 0);

/** Counts of intervals that lie alike; their percentiles cannot be added and are left out. */
const addIntervals = (all: readonly (readonly LoadInterval[])[]): readonly LoadInterval[] => {
  const sums = new Map<string, LoadInterval>();
  for (const { fromMs, toMs, phase, arm, planned, ok, failed } of all.flat()) {
    const key = `${fromMs} ${phase} ${arm}`;
    const sum = sums.get(key);
    sums.set(key, {
      fromMs,
      toMs: Math.max(toMs, sum?.toMs ?? 0),
      phase,
      arm,
      planned: planned + (sum?.planned ?? 0),
      ok: ok + (sum?.ok ?? 0),
      failed: failed + (sum?.failed ?? 0),
    });
  }
  return [...sums.values()].sort(
    (a, b) => a.fromMs - b.fromMs || b.phase.localeCompare(a.phase) || a.arm.localeCompare(b.arm),
  );
};

/** Tallies added: counts and buckets exactly, percentiles anew from the buckets. Never a mean of percentiles. */
const addTallies = (tallies: readonly LoadTally[]): LoadTally => {
  const histograms = mergeHistograms(tallies.flatMap((tally) => tally.histograms));
  const lags = tallies.flatMap(({ leastLagMs }) => (leastLagMs === undefined ? [] : [leastLagMs]));
  const hasIntervals = tallies.every(({ intervals }) => intervals.length > 0);
  return {
    outcomes: addOutcomes(tallies.map(({ outcomes }) => outcomes)),
    arms: addArms(tallies.map(({ arms }) => arms)),
    violations: addCounts(tallies.map(({ violations }) => violations)),
    histograms,
    metrics: loadMetricsOf(histograms),
    latencies: latenciesOfHistograms(histograms),
    intervals: hasIntervals ? addIntervals(tallies.map(({ intervals }) => intervals)) : [],
    ...(lags.length === 0 ? {} : { leastLagMs: Math.min(...lags) }),
  };
};

/** The samples of all parts; undefined unless all of them have some. */
const allSamples = (parts: readonly MergePart[]): readonly ProcessSamples[] | undefined => {
  const processes = parts.flatMap(({ sources: { samples } }) =>
    samples === undefined ? [] : [{ epochMs: samples.header.epochMs, samples: samples.samples }],
  );
  return processes.length === parts.length ? processes : undefined;
};

/** What all parts amount to: from the union of their samples where all have them, else from sums. */
const mergeTallies = (plan: LoadPlan, parts: readonly MergePart[]): LoadTally => {
  const samples = allSamples(parts);
  return samples === undefined ? addTallies(parts.map(({ tally }) => tally)) : tallySamples(plan, samples);
};

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
  const notBegun = parts.reduce((sum, part) => sum + (part.notBegun ?? 0), 0);
  const generators = parts.flatMap(({ generator }) => (generator === undefined ? [] : [generator]));
  const generator = mergedGenerator(generators);
  const droppedIterations = droppedOf(parts);
  return {
    plan,
    tally: mergeTallies(plan, parts),
    ...defined({ knee }),
    ...(samples === undefined
      ? {}
      : {
          saturation: (limits) => saturationOf(plan, samples, limits),
          atBest: () => tallySamples(plan, samples.map(samplesAtBest)),
        }),
    notBegun,
    violations: addCounts(parts.map(({ violations }) => violations)),
    observations: addCounts(parts.map(({ observations }) => observations)),
    ...defined({ droppedIterations }),
    scriptThresholds: mergedScriptThresholds(parts),
    generators,
    ...defined({ generator }),
    gaps: [...shareGaps(parts), ...parts.flatMap(({ gaps }) => gaps)],
  };
};

/**
 * One result from runs that were shares of one load, given by their folders; each has `load.json`, or `k6-summary.json` with or
 * without samples. Counts and histograms are added; percentiles come from the union of all samples, or from the added buckets
 * when one part has none. Thresholds are judged once, on the union. Without some share of the load the result is incomplete. A comparison of two targets is not merged. Fails with a
 * `HarnessError` when the folders are not shares of one load.
 */
export const mergeLoadRuns = async (folders: readonly string[], options: MergeOptions = {}): Promise<LoadResult> => {
  const parts: MergePart[] = [];
  for (const folder of folders) {
    parts.push(await readMergePart(folder));
  }
  if (!isNotEmpty(parts)) {
    throw new HarnessError("nothing-to-merge", "no run was given to merge; give the folders of two or more load runs");
  }
  await checkParts(parts);
  const canary = mergedCanary(parts);
  const cleanUp = mergedCleanUp(parts);
  const judgement = mergedJudgement(parts);
  return assembleLoadResult(
    {
      run: { ...mergedRun(parts, options.id), ...defined({ segments: mergedSegments(parts) }) },
      environment: mergedEnvironment(parts),
      toolVersion: options.toolVersion ?? parts[0].result?.tool.version ?? "unknown",
      thresholds: options.thresholds ?? mergedThresholds(parts),
      knownCodes: mergedKnownCodes(parts),
      ...defined({ canary, judgement, cleanUp, knownFailureMistakes: mergedMistakes(parts) }),
    },
    findingsOf(parts),
  );
};
