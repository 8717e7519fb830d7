import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { HarnessError, defined } from "@assay/contract";
import type { LoadPlan, LoadResult, LoadThreshold } from "@assay/results";
import type { K6End } from "../k6/k6-end.ts";
import { assembleLoadResult } from "../result/assemble-load-result.ts";
import type { LoadFindings, LoadRunFacts } from "../result/assemble-load-result.ts";
import { causesWithCompleteFiles } from "../result/missing-data.ts";
import type { KnownCodes } from "../samples/accept-known-violations.ts";
import { findKnee } from "../result/knee.ts";
import { estimateArrivals } from "../result/planned-arrivals.ts";
import { findSaturation } from "../result/saturation.ts";
import { listScriptThresholds } from "../result/threshold.ts";
import type { Threshold } from "../result/threshold.ts";
import { toBestCaseSamples, tallySamples } from "../result/load-tally.ts";
import { arrivalKinds } from "../result/sample-latencies.ts";
import { formatCanonicalJson } from "./canonical-json.ts";
import { isUnfinished, readMergePart, rejectUnfinishedOnly } from "./merge-part.ts";
import { assertDistinctShares, groupIntoLoads, mergeSegments, describeMissingShares } from "./merged-shares.ts";
import type { MergePart, UnfinishedPart } from "./merge-part.ts";
import {
  mergeCanaries,
  mergeCleanUps,
  mergeEnvironments,
  mergeGenerators,
  mergeJudgements,
  mergeKnownCodes,
  mergeMistakes,
  describeMergedRun,
  mergeThresholds,
} from "./merged-facts.ts";

/** The plan without the members that differ between processes of one load: rates, numbers of users, targets and markers. */
const describeCommonPlan = ({
  ratePerSecond: _rate,
  maxVus: _vus,
  targets: _targets,
  conversation,
  ...plan
}: LoadPlan): string => {
  const { marker: _marker, budget: _budget, ...questions } = conversation ?? {};
  return formatCanonicalJson({ ...plan, conversation: questions });
};

/** Identifies a run. Parts with equal identities are the same run. */
const identifyRun = ({ result, sources: { samples, summary } }: MergePart): string =>
  result?.run.id ?? formatCanonicalJson([samples?.header, summary?.testDurationMs, summary?.generator]);

const rejectRepeatedRuns = async (parts: readonly MergePart[]): Promise<void> => {
  const foldersByIdentity = new Map<string, string>();
  for (const part of parts) {
    for (const identity of [await realpath(part.folder), identifyRun(part)]) {
      const otherFolder = foldersByIdentity.get(identity);
      if (otherFolder !== undefined && otherFolder !== part.folder) {
        throw new HarnessError(
          "merged-twice",
          `${otherFolder} and ${part.folder} are the same run; pass each run once`,
        );
      }
      foldersByIdentity.set(identity, part.folder);
    }
  }
};

const findDifference = (first: MergePart, part: MergePart): HarnessError | undefined => {
  const folders = `${first.folder} and ${part.folder}`;
  if (first.scenarioSha256 !== part.scenarioSha256 || part.scenarioSha256 === "") {
    return new HarnessError(
      "different-scenario",
      `${folders} did not run the same script, or do not record which one; only shares of one load can be merged`,
    );
  }
  if (formatCanonicalJson(first.plan.targets) !== formatCanonicalJson(part.plan.targets)) {
    return new HarnessError(
      "different-target",
      `${folders} loaded different targets: ${first.plan.targets.base} and ${part.plan.targets.base}`,
    );
  }
  return describeCommonPlan(first.plan) === describeCommonPlan(part.plan)
    ? undefined
    : new HarnessError(
        "different-plan",
        `${folders} had different plans, not only different rates; only shares of one load can be merged`,
      );
};

/**
 * Checks that the parts are different shares of one load. They must have the same script, the same targets, and the
 * same plan except for rates, numbers of users and markers. Fails with `merged-twice`, `different-scenario`,
 * `different-target` or `different-plan`.
 */
const assertPartsOfOneLoad = async (parts: readonly [MergePart, ...MergePart[]]): Promise<void> => {
  const folders = await Promise.all(parts.map(async ({ folder }) => realpath(folder)));
  const repeatedFolder = folders.find((folder, index) => folders.indexOf(folder) !== index);
  if (repeatedFolder !== undefined) {
    throw new HarnessError("merged-twice", `${repeatedFolder} was passed twice; pass each run once`);
  }
  await rejectRepeatedRuns(parts);
  for (const part of parts.slice(1)) {
    const error = findDifference(parts[0], part);
    if (error !== undefined) {
      throw error;
    }
  }
  assertDistinctShares(parts);
};

/** Parts with more than this many times the arrivals of one plan were several loads. */
const maxArrivalFactor = 1.5;

const countArrivals = (parts: readonly MergePart[]): number =>
  parts.reduce((sum, { tally, droppedIterations = 0 }) => {
    const kinds = arrivalKinds.map((kind) =>
      Object.values(tally.outcomes[kind] ?? {}).reduce((total, count) => total + count, 0),
    );
    return sum + droppedIterations + Math.max(...kinds);
  }, 0);

const sumMember = (plans: readonly LoadPlan[], member: "ratePerSecond" | "maxVus"): number =>
  plans.reduce((sum, plan) => sum + plan[member], 0);

const sumPlans = (plans: readonly LoadPlan[], plan: LoadPlan): LoadPlan => ({
  ...plan,
  ratePerSecond: sumMember(plans, "ratePerSecond"),
  maxVus: sumMember(plans, "maxVus"),
});

/**
 * Returns the plan of the merged load. Segments of one plan all have its full rate. The rates of other parts are added.
 * Without segments, the total number of arrivals shows whether parts with equal rates were one load.
 */
const mergePlans = (parts: readonly [MergePart, ...MergePart[]]): LoadPlan => {
  const [{ plan }] = parts;
  if (parts.every(({ segment }) => segment !== undefined) && plan.blocks === undefined) {
    return sumPlans(
      groupIntoLoads(parts).map(([part]) => part?.plan ?? plan),
      plan,
    );
  }
  const haveEqualRates = parts.every((part) => part.plan.ratePerSecond === plan.ratePerSecond);
  const plannedCount = estimateArrivals(plan);
  const isOneLoad =
    haveEqualRates &&
    (plan.blocks !== undefined || countArrivals(parts) <= maxArrivalFactor * Math.max(plannedCount, 1));
  return parts.length === 1 || isOneLoad
    ? plan
    : sumPlans(
        parts.map((part) => part.plan),
        plan,
      );
};

type CountsByCode = Readonly<Record<string, number>>;

const addCounts = (countsList: readonly CountsByCode[]): CountsByCode => {
  const sums: Record<string, number> = {};
  for (const [name, count] of countsList.flatMap((counts) => Object.entries(counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
};

/** Settings that are not stored in the folders. */
export interface MergeOptions {
  /** The id of the merged run. Default: the id of the first part. */
  readonly id?: string;
  readonly toolVersion?: string;
  /** Replaces the thresholds of the parts. */
  readonly thresholds?: readonly Threshold[];
  /** Replaces the codes of known violations of the parts. */
  readonly knownCodes?: KnownCodes;
  /** How one load with several processes ended, and what is known about it. Undefined for runs that were started separately. */
  readonly load?: MergedLoad;
}

/** One load with several processes, which its caller started. */
export interface MergedLoad {
  /** The plan of all processes together. */
  readonly plan: LoadPlan;
  readonly end: K6End;
  /** Facts that replace those of the parts. */
  readonly facts: Omit<LoadRunFacts, "environment" | "thresholds" | "toolVersion">;
}

type Parts = readonly [MergePart, ...MergePart[]];

const isNotEmpty = (parts: readonly MergePart[]): parts is Parts => parts.length > 0;

const selectScriptThresholds = ({ sources, result }: MergePart): readonly LoadThreshold[] =>
  sources.summary === undefined
    ? (result?.thresholds ?? []).filter(({ threshold }) => threshold.startsWith("k6: "))
    : listScriptThresholds(sources.summary.thresholds);

/** Merges the thresholds of the script. A threshold passes if it passed in every process. */
const mergeScriptThresholds = (parts: Parts): readonly LoadThreshold[] => {
  const thresholds = parts.flatMap(selectScriptThresholds);
  const names = [...new Set(thresholds.map(({ threshold }) => threshold))];
  return names.map((threshold) => ({
    threshold,
    ok: thresholds.filter((result) => result.threshold === threshold).every(({ ok }) => ok === true),
  }));
};

const sumDropped = (parts: Parts): number | undefined => {
  const counts = parts.flatMap(({ droppedIterations }) => (droppedIterations === undefined ? [] : [droppedIterations]));
  return counts.length === parts.length ? counts.reduce((sum, dropped) => sum + dropped, 0) : undefined;
};

const describeUnfinished = ({ folder, reason }: UnfinishedPart): string =>
  `${basename(folder)} ${reason}, so its process did not end as planned and its samples are left out`;

/** Returns why the data of a load is incomplete, if its end is the reason. */
const describeEnd = (end: K6End | undefined): readonly string[] =>
  end === undefined || causesWithCompleteFiles.has(end.cause)
    ? []
    : [end.sentence ?? `the load ended early: ${end.cause}`];

const mergeFindings = (
  parts: Parts,
  unfinished: readonly UnfinishedPart[],
  load: MergedLoad | undefined,
): LoadFindings => {
  const plan = load?.plan ?? mergePlans(parts);
  const processes = parts.flatMap((part) => part.processes);
  const notBegun = parts.reduce((sum, part) => sum + (part.notBegun ?? 0), 0);
  const generators = parts.flatMap(({ generator }) => (generator === undefined ? [] : [generator]));
  return {
    plan,
    tally: tallySamples(plan, processes),
    findSaturation: (limits) => findSaturation(plan, processes, limits),
    tallyBestCase: () => tallySamples(plan, processes.map(toBestCaseSamples)),
    notBegun,
    violations: addCounts(parts.map(({ violations }) => violations)),
    observations: addCounts(parts.map(({ observations }) => observations)),
    scriptThresholds: mergeScriptThresholds(parts),
    generators,
    ...defined({
      knee: findKnee(plan, processes),
      droppedIterations: sumDropped(parts),
      generator: mergeGenerators(generators),
      end: load?.end,
    }),
    missingData: [
      ...describeEnd(load?.end),
      ...unfinished.map(describeUnfinished),
      ...describeMissingShares(parts),
      ...parts.flatMap(({ missingData }) => missingData),
    ],
  };
};

const mergeRunFacts = (parts: Parts, options: MergeOptions): LoadRunFacts => {
  const canary = mergeCanaries(parts);
  const cleanUp = mergeCleanUps(parts);
  const judgement = mergeJudgements(parts);
  const { facts } = options.load ?? {};
  const mergedRun = describeMergedRun(parts, options.id);
  const { scenarioSha256 } = mergedRun;
  return {
    environment: mergeEnvironments(parts),
    toolVersion: options.toolVersion ?? parts[0].result?.tool.version ?? "unknown",
    thresholds: options.thresholds ?? mergeThresholds(parts),
    knownCodes: options.knownCodes ?? mergeKnownCodes(parts),
    ...defined({ canary, judgement, cleanUp, knownFailureMistakes: mergeMistakes(parts) }),
    ...facts,
    run: { ...mergedRun, ...facts?.run, scenarioSha256, ...defined({ segments: mergeSegments(parts) }) },
  };
};

/**
 * Merges runs that were shares of one load into one result. Each folder must contain samples, and `load.json` or
 * `k6-summary.json`. Counts are added. Percentiles and thresholds are computed from all samples together. The result is
 * incomplete if a share of the load is missing, or if a folder has neither file because its process was killed or never
 * began. Fails with a `HarnessError` if the folders are not shares of one load.
 */
export const mergeLoadRuns = async (folders: readonly string[], options: MergeOptions = {}): Promise<LoadResult> => {
  const parts: MergePart[] = [];
  const unfinished: UnfinishedPart[] = [];
  for (const folder of folders) {
    const part = await readMergePart(folder, options.knownCodes);
    if (isUnfinished(part)) {
      unfinished.push(part);
    } else {
      parts.push(part);
    }
  }
  if (!isNotEmpty(parts)) {
    return rejectUnfinishedOnly(unfinished);
  }
  await assertPartsOfOneLoad(parts);
  return assembleLoadResult(mergeRunFacts(parts, options), mergeFindings(parts, unfinished, options.load));
};
