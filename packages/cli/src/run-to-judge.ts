import { counted, HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { runsFolder } from "./compare/stored-runs.ts";
import { canaryFolder, loadRunFile } from "./load/load-run-file.ts";
import { findNearestPath, rejectMistypedPath } from "./nearest-file.ts";
import { type FoundRun, tryFindRuns } from "./report/find-runs.ts";

const isBundle = (folder: string): boolean => existsSync(join(folder, bundleFiles.manifest));

const isLoadRun = (folder: string): boolean =>
  ["load.json", loadRunFile].some((name) => existsSync(join(folder, name)));

const createBundleError = (message: string): HarnessError => new HarnessError("not-a-bundle", message);

/** Creates the error for a load run. Its contract checks are in the folder of its canary. */
function createLoadRunError(displayPath: string, folder: string): HarnessError {
  const advice = isBundle(join(folder, canaryFolder))
    ? `use ${join(displayPath, canaryFolder)} for the contract checks of that load run`
    : `\`assay report\` shows it`;
  return createBundleError(`${displayPath} is a load run without stored exchanges; ${advice}`);
}

/** Creates the error for a folder of several runs. */
function createSeveralRunsError(displayPath: string, runs: readonly FoundRun[]): HarnessError {
  const firstBundle = runs.find(({ path }) => isBundle(path));
  const example = firstBundle === undefined ? "" : `, such as ${firstBundle.displayPath}`;
  const count = counted(runs.length, "run");
  return createBundleError(`${displayPath} is not a run folder but contains ${count}; pass one of them${example}`);
}

/** Throws for a folder without evidence, with a description of its content. */
function rejectFolder(folder: string, cwd: string): never {
  const displayPath = visibleText(relative(cwd, folder) || ".", 200);
  if (isLoadRun(folder)) {
    throw createLoadRunError(displayPath, folder);
  }
  if (existsSync(join(folder, "verdicts.json"))) {
    throw createBundleError(
      `${displayPath} contains results without evidence (there is no manifest.json); \`assay report\` shows it`,
    );
  }
  throw createSeveralRunsError(displayPath, tryFindRuns(folder, cwd) ?? []);
}

const isPath = (text: string): boolean => /[\\/]/u.test(text);

/** Returns the path of a run for its path or its id in `reports/runs`, or undefined if there is no such run. */
export const findRunPath = (runArgument: string, cwd: string): string | undefined =>
  [resolve(cwd, runArgument), ...(isPath(runArgument) ? [] : [resolve(cwd, runsFolder, runArgument)])].find((path) =>
    existsSync(path),
  );

/** Throws `not-a-bundle` or `usage` for a missing run, with the nearest name. */
export function rejectMissingRun(runArgument: string, cwd: string): never {
  const displayName = visibleText(runArgument, 200);
  const nearestPath = isPath(runArgument) ? undefined : findNearestPath(join(runsFolder, runArgument), cwd);
  if (nearestPath !== undefined && dirname(nearestPath) === join(runsFolder)) {
    throw createBundleError(
      `there is no run \`${displayName}\`; did you mean \`${visibleText(basename(nearestPath), 200)}\`?`,
    );
  }
  rejectMistypedPath(runArgument, cwd);
  throw createBundleError(
    `there is no such folder: ${displayName}; pass a run folder, or the id of a run in ${runsFolder}`,
  );
}

/**
 * Returns the folder of a run of contract tests for its folder or its id in `reports/runs`. Does not check that the evidence is complete.
 * Throws `not-a-bundle` for other content, and `usage` for a mistyped name.
 */
export function findRunToJudge(runArgument: string, cwd: string): string {
  const path = findRunPath(runArgument, cwd) ?? rejectMissingRun(runArgument, cwd);
  if (!statSync(path).isDirectory()) {
    const displayName = visibleText(runArgument, 200);
    throw createBundleError(
      `${displayName} is a file, and a run is a folder; use \`assay check\` for a recorded stream`,
    );
  }
  return isBundle(path) ? path : rejectFolder(path, cwd);
}
