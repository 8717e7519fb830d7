import { realpath } from "node:fs/promises";
import { HarnessError, defined } from "@assay/contract";
import type { LoadPlan, LoadResult, LoadThreshold } from "@assay/results";
import { assembleLoadResult } from "../result/assemble-load-result.ts";
import type { LoadFindings } from "../result/assemble-load-result.ts";
import { findKnee } from "../result/knee.ts";
import { plannedArrivals } from "../result/planned-arrivals.ts";
import { saturationOf } from "../result/saturation.ts";
import { scriptThresholds } from "../result/threshold.ts";
import type { Threshold } from "../result/threshold.ts";
import { bestCaseSamples, tallySamples } from "../result/load-tally.ts";
import { arrivalKinds } from "../result/sample-latencies.ts";
import { canonicalJson } from "./canonical-json.ts";
import { readMergePart } from "./merge-part.ts";
import { checkShares, loadsOf, mergedSegments, missingShares } from "./merged-shares.ts";
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

/** A plan without the members that differ between processes of one load: rates, numbers of users, targets and marks. */
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

/** Identifies a run. Two parts with equal identities are one run. */
const identityOf = ({ result, sources: { samples, summary } }: MergePart): string =>
  result?.run.id ?? canonicalJson([samples?.header, summary?.testDurationMs, summary?.generator]);

const checkTwice = async (parts: readonly MergePart[]): Promise<void> => {
  const seen = new Map<string, string>();
  for (const part of parts) {
    for (const identity of [await realpath(part.folder), identityOf(part)]) {
      const other = seen.get(identity);
      if (other !== undefined && other !== part.folder) {
        throw new HarnessError(
          "merged-twice",
          `${other} and ${part.folder} are the same run; counting it twice would overstate the evidence`,
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
      `${both} loaded different targets: ${first.plan.targets.base} and ${part.plan.targets.base}`,
    );
  }
  return commonPlan(first.plan) === commonPlan(part.plan)
    ? undefined
    : new HarnessError(
        "different-plan",
        `${both} had different plans, not only different rates; only shares of one load can be merged`,
      );
};

/**
 * Checks that the parts are shares of one load: none twice, the same script, targets and plan except for rates, numbers
 * of users and marks, and no share twice. Fails with `merged-twice`, `different-scenario`, `different-target` or
 * `different-plan`.
 */
const checkParts = async (parts: readonly [MergePart, ...MergePart[]]): Promise<void> => {
  const folders = await Promise.all(parts.map(async ({ folder }) => realpath(folder)));
  const again = folders.find((folder, index) => folders.indexOf(folder) !== index);
  if (again !== undefined) {
    throw new HarnessError("merged-twice", `${again} is given twice; counting it twice would overstate the evidence`);
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

/** With more than this many times the arrivals of one plan, the parts were several loads. */
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
 * The plan of the merged load. Segments of one plan all have its full rate, while other parts have a share each, which
 * add up. Without segments, the total number of arrivals shows whether parts with equal rates are one load.
 */
const mergedPlan = (parts: readonly [MergePart, ...MergePart[]]): LoadPlan => {
  const [{ plan }] = parts;
  if (parts.every(({ segment }) => segment !== undefined) && plan.blocks === undefined) {
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

const addCounts = (all: readonly Counts[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
};

/** Settings that the folders do not contain. */
export interface MergeOptions {
  /** Id of the merged run [that of the first part]. */
  readonly id?: string;
  readonly toolVersion?: string;
  /** Replaces the thresholds of the parts. */
  readonly thresholds?: readonly Threshold[];
}

type Parts = readonly [MergePart, ...MergePart[]];

const isNotEmpty = (parts: readonly MergePart[]): parts is Parts => parts.length > 0;

const scriptThresholdsOf = ({ sources, result }: MergePart): readonly LoadThreshold[] =>
  sources.summary === undefined
    ? (result?.thresholds ?? []).filter(({ threshold }) => threshold.startsWith("k6: "))
    : scriptThresholds(sources.summary.thresholds);

/** A threshold of the script passes if it passed in every process. */
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
  const processes = parts.flatMap((part) => part.processes);
  const notBegun = parts.reduce((sum, part) => sum + (part.notBegun ?? 0), 0);
  const generators = parts.flatMap(({ generator }) => (generator === undefined ? [] : [generator]));
  return {
    plan,
    tally: tallySamples(plan, processes),
    saturation: (limits) => saturationOf(plan, processes, limits),
    bestCase: () => tallySamples(plan, processes.map(bestCaseSamples)),
    notBegun,
    violations: addCounts(parts.map(({ violations }) => violations)),
    observations: addCounts(parts.map(({ observations }) => observations)),
    scriptThresholds: mergedScriptThresholds(parts),
    generators,
    ...defined({
      knee: findKnee(plan, processes),
      droppedIterations: droppedOf(parts),
      generator: mergedGenerator(generators),
    }),
    missingData: [...missingShares(parts), ...parts.flatMap(({ missingData }) => missingData)],
  };
};

/**
 * Merges runs that were shares of one load into one result. Each folder has samples, and `load.json` or `k6-summary.json`.
 * Counts are added, percentiles come from the union of all samples, and thresholds are judged once, on that union. The result is
 * incomplete while a share of the load is missing. Fails with a `HarnessError` when the folders are not shares of one load.
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
