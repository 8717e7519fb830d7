import { counted, HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { runsFolder } from "./compare/stored-runs.ts";
import { canaryFolder } from "./load/canary.ts";
import { loadRunFile } from "./load/load-run-file.ts";
import { findNearestPath, rejectMistypedPath } from "./nearest-file.ts";
import { type FoundRun, foundRuns } from "./report/find-runs.ts";

const isBundle = (folder: string): boolean => existsSync(join(folder, bundleFiles.manifest));

const isLoad = (folder: string): boolean => ["load.json", loadRunFile].some((name) => existsSync(join(folder, name)));

const createBundleError = (sentence: string): HarnessError => new HarnessError("not-a-bundle", sentence);

/** The error for a load run. Its contract checks are in the folder of its canary. */
function createLoadRunError(shown: string, folder: string): HarnessError {
  const next = isBundle(join(folder, canaryFolder))
    ? `use ${join(shown, canaryFolder)} for the contract checks of that load run`
    : `\`assay report\` shows it`;
  return createBundleError(`${shown} is a load run without stored exchanges; ${next}`);
}

/** The error for a folder of several runs. */
function createSeveralRunsError(shown: string, found: readonly FoundRun[]): HarnessError {
  const firstBundle = found.find(({ path }) => isBundle(path));
  const example = firstBundle === undefined ? "" : `, such as ${firstBundle.shown}`;
  const count = counted(found.length, "run");
  return createBundleError(`${shown} is not a run folder but contains ${count}; pass one of them${example}`);
}

/** Throws for a folder without evidence, with a description of its content. */
function rejectFolder(folder: string, cwd: string): never {
  const shownPath = visibleText(relative(cwd, folder) || ".", 200);
  if (isLoad(folder)) {
    throw createLoadRunError(shownPath, folder);
  }
  if (existsSync(join(folder, "verdicts.json"))) {
    throw createBundleError(
      `${shownPath} contains results without evidence (there is no manifest.json); \`assay report\` shows it`,
    );
  }
  throw createSeveralRunsError(shownPath, foundRuns(folder, cwd) ?? []);
}

const isPath = (text: string): boolean => /[\\/]/u.test(text);

/** Returns the path of a run for its path or its id in `reports/runs`, or undefined if there is no such run. */
export const storedRunPath = (text: string, cwd: string): string | undefined =>
  [resolve(cwd, text), ...(isPath(text) ? [] : [resolve(cwd, runsFolder, text)])].find((path) => existsSync(path));

/** Throws `not-a-bundle` or `usage` for a missing run, with the nearest name. */
export function rejectMissingRun(text: string, cwd: string): never {
  const typed = visibleText(text, 200);
  const near = isPath(text) ? undefined : findNearestPath(join(runsFolder, text), cwd);
  if (near !== undefined && dirname(near) === join(runsFolder)) {
    throw createBundleError(`there is no run \`${typed}\`; did you mean \`${visibleText(basename(near), 200)}\`?`);
  }
  rejectMistypedPath(text, cwd);
  throw createBundleError(`there is no such folder: ${typed}; pass a run folder, or the id of a run in ${runsFolder}`);
}

/**
 * Returns the folder of a run of contract tests for its folder or its id in `reports/runs`. Does not check that the evidence is complete.
 * Throws `not-a-bundle` for other content, and `usage` for a mistyped name.
 */
export function runToJudge(text: string, cwd: string): string {
  const path = storedRunPath(text, cwd) ?? rejectMissingRun(text, cwd);
  if (!statSync(path).isDirectory()) {
    const typed = visibleText(text, 200);
    throw createBundleError(`${typed} is a file, and a run is a folder; use \`assay check\` for a recorded stream`);
  }
  return isBundle(path) ? path : rejectFolder(path, cwd);
}
