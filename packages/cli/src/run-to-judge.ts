import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { runsFolder } from "./compare/stored-runs.ts";
import { canaryFolder } from "./load/canary.ts";
import { loadRunFile } from "./load/load-run-file.ts";
import { nearestPath, refuseMistyped } from "./nearest-file.ts";
import { type FoundRun, foundRuns } from "./report/find-runs.ts";

const isBundle = (folder: string): boolean => existsSync(join(folder, bundleFiles.manifest));

const isLoad = (folder: string): boolean => ["load.json", loadRunFile].some((name) => existsSync(join(folder, name)));

const refused = (sentence: string): HarnessError => new HarnessError("not-a-bundle", sentence);

/** The error for a load run, whose contract checks are in the folder of its canary. */
function loadRefused(shown: string, folder: string): HarnessError {
  const next = isBundle(join(folder, canaryFolder))
    ? `name ${join(shown, canaryFolder)} for the contract checks of that load run`
    : `\`assay report\` shows it`;
  return refused(`${shown} is a load run without stored exchanges; ${next}`);
}

/** The error for a folder of several runs. */
function severalRefused(shown: string, found: readonly FoundRun[]): HarnessError {
  const first = found.find(({ path }) => isBundle(path));
  const example = first === undefined ? "" : `, such as ${first.shown}`;
  const count = `${found.length} ${found.length === 1 ? "run" : "runs"}`;
  return refused(`${shown} is not the folder of a run but contains ${count}; name one${example}`);
}

/** Fails for a folder without evidence, and names its content. */
function refuseFolder(folder: string, cwd: string): never {
  const shown = visibleText(relative(cwd, folder) || ".", 200);
  if (isLoad(folder)) {
    throw loadRefused(shown, folder);
  }
  if (existsSync(join(folder, "verdicts.json"))) {
    throw refused(`${shown} contains results without evidence (there is no manifest.json); \`assay report\` shows it`);
  }
  throw severalRefused(shown, foundRuns(folder, cwd) ?? []);
}

const isPath = (text: string): boolean => /[\\/]/u.test(text);

/** The path of a run that is named by its path or by its id below `reports/runs`; undefined if there is none. */
export const storedRunPath = (text: string, cwd: string): string | undefined =>
  [resolve(cwd, text), ...(isPath(text) ? [] : [resolve(cwd, runsFolder, text)])].find((path) => existsSync(path));

/** Fails for a missing run and names the nearest one. The code is `not-a-bundle` or `usage`. */
export function refuseMissingRun(text: string, cwd: string): never {
  const typed = visibleText(text, 200);
  const near = isPath(text) ? undefined : nearestPath(join(runsFolder, text), cwd);
  if (near !== undefined && dirname(near) === join(runsFolder)) {
    throw refused(`there is no run \`${typed}\`; did you mean \`${visibleText(basename(near), 200)}\`?`);
  }
  refuseMistyped(text, cwd);
  throw refused(`there is no such folder: ${typed}; name the folder of a run, or its id below ${runsFolder}`);
}

/**
 * The folder of the run of contract tests that is named by its folder or by its id below `reports/runs`. Does not check that the evidence
 * is complete. Fails with `not-a-bundle` for other content, and with `usage` for a mistyped name.
 */
export function runToJudge(text: string, cwd: string): string {
  const path = storedRunPath(text, cwd) ?? refuseMissingRun(text, cwd);
  if (!statSync(path).isDirectory()) {
    const typed = visibleText(text, 200);
    throw refused(`${typed} is a file, and a run is a folder; \`assay check\` judges the recording of a stream`);
  }
  return isBundle(path) ? path : refuseFolder(path, cwd);
}
