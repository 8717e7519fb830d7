import { HarnessError, defined } from "@assay/contract";
import { readFile } from "node:fs/promises";
import { type GeneratorFacts, highestBucket, type K6Summary, type LoadHistogram, type LoadPlan } from "@assay/results";
import {
  countsOf,
  isAmount,
  isArm,
  isCount,
  type JsonMembers,
  membersOf,
  parseMembers,
} from "../samples/json-members.ts";
import { isLoadPlan } from "./is-load-plan.ts";
import { stockTimingsOf } from "./stock-timings.ts";

const isBucket = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && isCount(value[0]) && value[0] <= highestBucket && isCount(value[1]);

const isPhase = (value: unknown): value is LoadHistogram["phase"] => value === "warmup" || value === "measure";

const hasCounts = ({ count, minMicros, maxMicros, sumMicros }: JsonMembers): boolean =>
  isCount(count) && isCount(minMicros) && isCount(maxMicros) && isCount(sumMicros);

const isInOrder = (buckets: readonly (readonly [number, number])[], count: unknown): boolean =>
  buckets.every(([bucket], index) => index === 0 || bucket > (buckets[index - 1]?.[0] ?? bucket)) &&
  buckets.reduce((sum, [, inBucket]) => sum + inBucket, 0) === count;

/** Whether a value is a histogram whose buckets are in order and add up to its count. */
export const isLoadHistogram = (value: unknown): value is LoadHistogram => {
  const members = membersOf(value);
  if (members === undefined || !hasCounts(members)) {
    return false;
  }
  const { metric, arm, phase, buckets, count } = members;
  return (
    typeof metric === "string" &&
    isArm(arm) &&
    isPhase(phase) &&
    Array.isArray(buckets) &&
    buckets.every(isBucket) &&
    isInOrder(buckets, count)
  );
};

/** Facts about a generator; undefined unless all of them are there. */
export const generatorOf = (value: unknown): GeneratorFacts | undefined => {
  const { cpuSeconds, wallSeconds, cores, maxRssBytes, timerLagP99Ms, timerLagMaxMs } = membersOf(value) ?? {};
  const amounts = [cpuSeconds, wallSeconds, cores, maxRssBytes, timerLagP99Ms, timerLagMaxMs].filter(isAmount);
  const [cpu = 0, wall = 0, coreCount = 0, rss = 0, lagP99 = 0, lagMax = 0] = amounts;
  return amounts.length === 6
    ? {
        cpuSeconds: cpu,
        wallSeconds: wall,
        cores: coreCount,
        maxRssBytes: rss,
        timerLagP99Ms: lagP99,
        timerLagMaxMs: lagMax,
      }
    : undefined;
};

const thresholdsOf = (value: unknown): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(membersOf(value) ?? {}).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
  );

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 200) : "");

const summaryWith = (members: JsonMembers, plan: LoadPlan, histograms: readonly LoadHistogram[]): K6Summary => {
  const { testDurationMs, droppedIterations, notBegun, iterations, maxVus } = members;
  const generator = generatorOf(members["generator"]);
  const timings = stockTimingsOf(members["timings"]);
  const { segment } = members;
  return {
    assay: "k6-summary",
    version: 1,
    k6Version: textOf(members["k6Version"]),
    plan,
    ...(segment === undefined ? {} : { segment: textOf(segment) }),
    scenarioSha256: textOf(members["scenarioSha256"]),
    testDurationMs: isAmount(testDurationMs) ? testDurationMs : 0,
    droppedIterations: isCount(droppedIterations) ? droppedIterations : 0,
    ...(isCount(notBegun) ? { notBegun } : {}),
    iterations: isCount(iterations) ? iterations : 0,
    maxVus: isCount(maxVus) ? maxVus : 0,
    histograms,
    outcomes: countsOf(members["outcomes"]),
    violations: countsOf(members["violations"]),
    observations: countsOf(members["observations"]),
    ...defined({ generator }),
    ...(timings.length === 0 ? {} : { timings }),
    thresholds: thresholdsOf(members["thresholds"]),
  };
};

const bad = (path: string, why: string): HarnessError =>
  new HarnessError("unreadable-summary", `${path} is no summary of a load scenario: ${why}`);

const textAt = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return undefined;
    }
    throw new HarnessError("unreadable-summary", `cannot read ${path}`, { cause });
  }
};

/**
 * Reads `k6-summary.json`; undefined when there is no such file. Unknown members are ignored. Fails with `unreadable-summary`, in
 * one sentence, for anything else than a summary of version 1 whose histograms add up.
 */
export const readK6Summary = async (path: string): Promise<K6Summary | undefined> => {
  const text = await textAt(path);
  if (text === undefined) {
    return undefined;
  }
  const members = parseMembers(text);
  if (members?.["assay"] !== "k6-summary" || members["version"] !== 1) {
    throw bad(path, "it is cut off, or of another version");
  }
  const { plan, histograms } = members;
  if (!isLoadPlan(plan)) {
    throw bad(path, "its plan cannot be read");
  }
  if (!Array.isArray(histograms) || !histograms.every(isLoadHistogram)) {
    throw bad(path, "its histograms do not add up");
  }
  return summaryWith(members, plan, histograms);
};
