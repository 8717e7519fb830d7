import { HarnessError } from "@assay/contract";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { readLoadResult, type StoredRun } from "@assay/load";
import { nearestName } from "@assay/runner";
import { findNearestPath } from "../nearest-file.ts";

/** Folders of runs and baselines, relative to the working folder. */
export const runsFolder = "reports/runs";
export const baselinesFolder = "reports/baselines";

/** A folder must contain at least one of these files. */
export type RunFiles = readonly [string, ...string[]];
const resultFile: RunFiles = ["load.json"];

/** Files of one process of a distributed run, with or without a result. */
export const partFiles: RunFiles = ["load.json", "k6-summary.json", "samples.ndjson"];

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
const containsAnyFile = (folder: string, files: RunFiles): boolean =>
  files.some((file) => existsSync(join(folder, file)));

const listFolders = (folder: string): readonly string[] =>
  isFolder(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
        .toSorted()
    : [];

/** A search for load runs. */
interface LoadRunSearch {
  readonly cwd: string;
  /** Default: `load.json`. */
  readonly files?: RunFiles;
  /** Other valid names, for the hint about a mistyped name. */
  readonly names?: readonly string[];
}

/**
 * Returns the load run with this folder or with this id in `reports/runs`, or all load runs in a folder. Returns
 * undefined if there is none.
 */
function findMatchingRuns(
  runArgument: string,
  { cwd, files = resultFile }: LoadRunSearch,
): readonly string[] | undefined {
  const candidates = [resolve(cwd, runArgument), resolve(cwd, runsFolder, runArgument)];
  const run = candidates.find((folder) => containsAnyFile(folder, files));
  if (run !== undefined) {
    return [run];
  }
  const runs = candidates.map((folder) => listFolders(folder).filter((subfolder) => containsAnyFile(subfolder, files)));
  return runs.find((matches) => matches.length > 0);
}

/** Returns the run that a mistyped argument may mean: for a path the nearest one with runs, otherwise the nearest name or id. */
function findNearestRun(runArgument: string, search: LoadRunSearch): string | undefined {
  const { cwd, files = resultFile, names = [] } = search;
  const paths = [findNearestPath(runArgument, cwd), findNearestPath(runArgument, resolve(cwd, runsFolder))];
  const nearestPath = paths.find((path) => path !== undefined && findMatchingRuns(path, search) !== undefined);
  if (nearestPath !== undefined && /[\\/]/u.test(runArgument)) {
    return nearestPath;
  }
  const ids = listFolders(resolve(cwd, runsFolder))
    .filter((folder) => containsAnyFile(folder, files))
    .map((folder) => relative(resolve(cwd, runsFolder), folder));
  return (
    nearestName(runArgument.replace(/\/+$/u, "").split("/").at(-1) ?? runArgument, [...names, ...ids]) ?? nearestPath
  );
}

function rejectUnknownRun(runArgument: string, search: LoadRunSearch): never {
  const { cwd, files = resultFile, names = [] } = search;
  const displayPath = relative(cwd, resolve(cwd, runArgument)) || ".";
  if (isFolder(resolve(cwd, runArgument))) {
    throw new HarnessError(
      "usage",
      `${displayPath} contains no load run: there is no ${files[0]} in it or its subfolders`,
    );
  }
  const suggestion = findNearestRun(runArgument, search);
  const hint =
    suggestion === undefined ? "pass the folder of a load run" : `did you mean \`${visibleText(suggestion, 200)}\`?`;
  const kindsText = names.length === 0 ? "no load run" : "neither a load run nor a baseline";
  throw new HarnessError("usage", `there is ${kindsText} \`${runArgument}\`; ${hint}`);
}

/**
 * Returns the folders of load runs: one folder or id, several separated by commas, or all in a folder. Throws a `HarnessError` that
 * suggests the nearest name.
 */
export function findLoadRunFolders(runArgument: string, search: LoadRunSearch): readonly string[] {
  const runNames = runArgument
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (runNames.length === 0) {
    throw new HarnessError(
      "usage",
      "no load run was passed; pass the folder of a load run, or several separated by commas",
    );
  }
  return runNames.flatMap((part) => findMatchingRuns(part, search) ?? rejectUnknownRun(part, search));
}

/** Reads load runs, each with the path for messages. Throws a `HarnessError`, also for an unreadable result. */
export async function findLoadRuns(runArgument: string, search: LoadRunSearch): Promise<readonly StoredRun[]> {
  const formatPath = (folder: string): string => visibleText(relative(search.cwd, folder) || ".", 200);
  const folders = findLoadRunFolders(runArgument, search);
  return Promise.all(
    folders.map(async (folder) => ({ ...(await readLoadResult(folder)), folder: formatPath(folder) })),
  );
}

/** Reports whether an argument selects load runs. */
export const selectsLoadRuns = (runArgument: string, cwd: string): boolean =>
  runArgument.split(",").every((part) => findMatchingRuns(part.trim(), { cwd }) !== undefined);
