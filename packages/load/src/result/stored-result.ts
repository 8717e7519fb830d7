import { HarnessError, loadSides } from "@assay/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "@assay/evidence";
import { fromVersion1, maxBucket, type LoadHistogram, type LoadResult } from "@assay/results";
import { isCount, type JsonMembers, membersOf, parseMembers } from "../samples/json-members.ts";
import { isLoadPlan } from "./is-load-plan.ts";
import { loadFiles } from "./load-sources.ts";

const hasStrings = (value: unknown, names: readonly string[]): boolean => {
  const members = membersOf(value);
  return members !== undefined && names.every((name) => typeof members[name] === "string");
};

const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((one) => isOne(one));

const hasNumbers = (value: unknown, names: readonly string[]): boolean => {
  const members = membersOf(value);
  return members !== undefined && names.every((name) => typeof members[name] === "number");
};

const isBucket = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && isCount(value[0]) && value[0] <= maxBucket && isCount(value[1]);

const isPhase = (value: unknown): value is LoadHistogram["phase"] => value === "warmup" || value === "measure";

const hasExtent = ({ count, minMicros, maxMicros, sumMicros }: JsonMembers): boolean =>
  isCount(count) && isCount(minMicros) && isCount(maxMicros) && isCount(sumMicros);

const isInOrder = (buckets: readonly (readonly [number, number])[], count: unknown): boolean =>
  buckets.every(([bucket], index) => index === 0 || bucket > (buckets[index - 1]?.[0] ?? bucket)) &&
  buckets.reduce((sum, [, inBucket]) => sum + inBucket, 0) === count;

/** Checks a value for a histogram with ordered buckets that add up to its count. */
const isLoadHistogram = (value: unknown): value is LoadHistogram => {
  const members = membersOf(value);
  if (members === undefined || !hasExtent(members)) {
    return false;
  }
  const { metric, side, phase, buckets, count } = members;
  return (
    typeof metric === "string" &&
    loadSides.some((one) => one === side) &&
    isPhase(phase) &&
    Array.isArray(buckets) &&
    buckets.every(isBucket) &&
    isInOrder(buckets, count)
  );
};

const hasHead = ({ run, environment, trust }: JsonMembers): boolean => {
  const { checks } = membersOf(trust) ?? {};
  return (
    hasStrings(run, ["id", "startedAt", "target", "limits", "scenarioSha256"]) &&
    hasNumbers(run, ["seed", "processes"]) &&
    hasStrings(environment, ["platform", "k6Version", "k6Sha256", "fingerprint"]) &&
    isListOf(checks, (check) => hasStrings(check, ["check", "sentence"]))
  );
};

const hasFigures = ({ metrics, histograms, intervals, thresholds, incomplete }: JsonMembers): boolean =>
  isListOf(metrics, (metric) => hasStrings(metric, ["metric", "side"]) && hasNumbers(metric, ["count", "meanMs"])) &&
  isListOf(histograms, isLoadHistogram) &&
  isListOf(intervals, (interval) => hasNumbers(interval, ["fromMs", "toMs", "planned", "ok", "failed"])) &&
  isListOf(thresholds, (threshold) => hasStrings(threshold, ["threshold"])) &&
  isListOf(incomplete, (reason) => hasStrings(reason, ["code", "message"]));

const isCounts = (value: unknown): boolean => Object.values(membersOf(value) ?? { "": "" }).every(isCount);

const hasCounts = ({ outcomes, violations, observations }: JsonMembers): boolean =>
  isCounts(violations) && isCounts(observations) && Object.values(membersOf(outcomes) ?? { "": "" }).every(isCounts);

const isLoadResult = (value: unknown): value is LoadResult => {
  const members = membersOf(value);
  return (
    members !== undefined &&
    isLoadPlan(members["plan"]) &&
    hasStrings(members, ["outcome", "summary"]) &&
    isCount(members["exitCode"]) &&
    hasHead(members) &&
    hasFigures(members) &&
    hasCounts(members)
  );
};

const unreadable = (path: string, why: string, cause?: unknown): HarnessError =>
  new HarnessError("unreadable-result", `${path} is not a load result: ${why}`, cause === undefined ? {} : { cause });

/**
 * Reads `load.json` from the folder of a run. Fails with `unreadable-result`, in one sentence, if it is missing,
 * truncated, of another version, or lacks required members. Unknown members are kept.
 */
export const readLoadResult = async (folder: string): Promise<LoadResult> => {
  const path = join(folder, loadFiles.result);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw unreadable(path, "it cannot be read; give the folder of a run that has ended", cause);
  });
  const stored = parseMembers(text);
  if (stored === undefined) {
    throw unreadable(path, "it is truncated");
  }
  const value = membersOf(fromVersion1(stored));
  if (value?.["schemaVersion"] !== 2) {
    throw unreadable(path, "its schema version is neither 1 nor 2; use the version of Assay that wrote it");
  }
  if (!isLoadResult(value)) {
    throw unreadable(path, "required members are missing or invalid");
  }
  return value;
};

/** The stored JSON of a result: indented, with each pair of a histogram on one line. */
export const stringifyLoadResult = (result: LoadResult): string =>
  `${JSON.stringify(result, undefined, 2).replaceAll(/\[\n\s+(\d+),\n\s+(\d+)\n\s+\]/gu, "[$1, $2]")}\n`;

/** Writes `load.json` into the folder of a run, atomically. Fails with the disk's code. */
export const writeLoadResult = async (folder: string, result: LoadResult): Promise<void> =>
  writeWhole(join(folder, loadFiles.result), stringifyLoadResult(result));
