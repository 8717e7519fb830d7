import { HarnessError } from "@assay/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { visibleText, writeAtomically } from "@assay/evidence";
import { createChecker } from "@assay/reading";
import {
  concludeLoad,
  upgradeFromVersion1,
  isBetter,
  type LoadHistogram,
  type LoadResult,
  LoadResultShape,
  maxBucket,
  type RunOutcome,
  findUnreadableVersion,
} from "@assay/results";
import { parseMembers } from "../samples/json-members.ts";
import { loadFiles } from "./load-sources.ts";

const resultChecker = createChecker(LoadResultShape);

/** Reports whether the buckets of a histogram are in order, possible, and add up to its count. */
const isConsistent = ({ buckets, count }: LoadHistogram): boolean =>
  buckets.every(([bucket], index) => bucket <= maxBucket && bucket > (buckets[index - 1]?.[0] ?? -1)) &&
  buckets.reduce((sum, [, inBucket]) => sum + inBucket, 0) === count;

/** Returns the best outcome that the content of a result allows. `--decide` is not stored, so it is ignored. */
function findBestOutcome(load: LoadResult): RunOutcome {
  const { outcome } = concludeLoad({ ...load, decide: false, okCount: 0 });
  const hasViolation = (load.canary?.failed.length ?? 0) > 0;
  return hasViolation && isBetter(outcome, "failed") ? "failed" : outcome;
}

function findContradiction(result: LoadResult): string | undefined {
  const badIndex = result.histograms.findIndex((entry) => !isConsistent(entry));
  if (badIndex !== -1) {
    return `the buckets of /histograms/${badIndex} are not in order, or do not add up to its count`;
  }
  const maxOutcome = findBestOutcome(result);
  return isBetter(result.outcome, maxOutcome)
    ? `its outcome is ${result.outcome}, but its content means ${maxOutcome}`
    : undefined;
}

/**
 * Reads the result from the JSON of a `load.json` of any schema version. If it cannot be used, returns the reason as the
 * end of a sentence, with the location of the first problem. The file is not trusted: it is checked against the published
 * schema and for contradictions.
 */
export function parseLoadResult(stored: unknown): LoadResult | string {
  const value = upgradeFromVersion1(stored);
  const version = findUnreadableVersion(value);
  if (version !== undefined) {
    return `has schema version ${version}, and only 1 and 2 are read; use the version of Assay that wrote it`;
  }
  if (!resultChecker.fits(value)) {
    return `cannot be used: ${visibleText(resultChecker.problem(value) ?? "it does not fit", 300)}; pass the result of a load run`;
  }
  const contradiction = findContradiction(value);
  return contradiction === undefined ? value : `contradicts itself: ${contradiction}; run the load again`;
}

const createUnreadableError = (path: string, reason: string, cause?: unknown): HarnessError =>
  new HarnessError("unreadable-result", `${path} ${reason}`, cause === undefined ? {} : { cause });

/**
 * Reads `load.json` from the folder of a run. Fails with `unreadable-result`, in one sentence, if it is missing,
 * truncated, invalid, or has an unsupported schema version.
 */
export const readLoadResult = async (folder: string): Promise<LoadResult> => {
  const path = join(folder, loadFiles.result);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw createUnreadableError(path, "cannot be read; pass the folder of a run that has ended", cause);
  });
  const stored = parseMembers(text);
  const result = stored === undefined ? "is not a load result, or was cut off" : parseLoadResult(stored);
  if (typeof result === "string") {
    throw createUnreadableError(path, result);
  }
  return result;
};

/** Returns a result as JSON: indented, with each pair of a histogram on one line. */
export const stringifyLoadResult = (result: LoadResult): string =>
  `${JSON.stringify(result, undefined, 2).replaceAll(/\[\n\s+(\d+),\n\s+(\d+)\n\s+\]/gu, "[$1, $2]")}\n`;

/** Writes `load.json` into the folder of a run, atomically. Fails with the disk's code. */
export const writeLoadResult = async (folder: string, result: LoadResult): Promise<void> =>
  writeAtomically(join(folder, loadFiles.result), stringifyLoadResult(result));
