import { HarnessError } from "@assay/contract";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { readLoadResult, type StoredRun } from "@assay/load";
import { nearestName } from "@assay/runner";
import { nearestPath } from "../nearest-file.ts";

/** Where runs and baselines are kept, below the working folder. */
export const runsFolder = "reports/runs";
export const baselinesFolder = "reports/baselines";

/** What has to lie in a folder for it to be what is asked for. */
export type RunFiles = readonly [string, ...string[]];
const resultFile: RunFiles = ["load.json"];

/** What one process of a distributed run leaves behind, with a result or without. */
export const partFiles: RunFiles = ["load.json", "k6-summary.json", "samples.ndjson"];

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
const holds = (folder: string, files: RunFiles): boolean => files.some((file) => existsSync(join(folder, file)));

const foldersIn = (folder: string): readonly string[] =>
  isFolder(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
        .toSorted()
    : [];

/** Where and for what is looked. */
interface Search {
  readonly cwd: string;
  /** [load.json] */
  readonly files?: RunFiles;
  /** Other things that could have been meant [none]. */
  readonly names?: readonly string[];
}

/** A load run by the path of its folder, by its id below `reports/runs`, or all that a folder holds; undefined where there is nothing. */
function foundBy(text: string, { cwd, files = resultFile }: Search): readonly string[] | undefined {
  const candidates = [resolve(cwd, text), resolve(cwd, runsFolder, text)];
  const run = candidates.find((folder) => holds(folder, files));
  if (run !== undefined) {
    return [run];
  }
  const runs = candidates.map((folder) => foldersIn(folder).filter((inner) => holds(inner, files)));
  return runs.find((list) => list.length > 0);
}

/** The run that a mistyped text may mean: of a path the nearest one that leads to runs, else the nearest name or id. */
function nearestRun(text: string, search: Search): string | undefined {
  const { cwd, files = resultFile, names = [] } = search;
  const paths = [nearestPath(text, cwd), nearestPath(text, resolve(cwd, runsFolder))];
  const meant = paths.find((path) => path !== undefined && foundBy(path, search) !== undefined);
  if (meant !== undefined && /[\\/]/u.test(text)) {
    return meant;
  }
  const ids = foldersIn(resolve(cwd, runsFolder))
    .filter((folder) => holds(folder, files))
    .map((folder) => relative(resolve(cwd, runsFolder), folder));
  return nearestName(text.replace(/\/+$/u, "").split("/").at(-1) ?? text, [...names, ...ids]) ?? meant;
}

function refuseUnknown(text: string, search: Search): never {
  const { cwd, files = resultFile, names = [] } = search;
  const shown = relative(cwd, resolve(cwd, text)) || ".";
  if (isFolder(resolve(cwd, text))) {
    throw new HarnessError("usage", `${shown} holds no load run: there is no ${files[0]} in it, nor in a folder in it`);
  }
  const near = nearestRun(text, search);
  const hint = near === undefined ? "name the folder of a load run" : `did you mean \`${visibleText(near, 200)}\`?`;
  const kinds = names.length === 0 ? "no load run" : "neither a load run nor a baseline";
  throw new HarnessError("usage", `there is ${kinds} \`${text}\`; ${hint}`);
}

/**
 * Folders of the load runs that a person named: one by its folder or its id, several with commas between, or all in a folder.
 * Fails with a `HarnessError` that names the nearest one.
 */
export function loadRunFolders(text: string, search: Search): readonly string[] {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) {
    throw new HarnessError("usage", "no load run was named; name the folder of one, or several with commas between");
  }
  return parts.flatMap((part) => foundBy(part, search) ?? refuseUnknown(part, search));
}

/**
 * The load runs that a person named, each with its folder as he is told of it. Fails with a `HarnessError`, also
 * for a result that cannot be read.
 */
export async function namedLoadRuns(text: string, search: Search): Promise<readonly StoredRun[]> {
  const shown = (folder: string): string => visibleText(relative(search.cwd, folder) || ".", 200);
  const folders = loadRunFolders(text, search);
  return Promise.all(folders.map(async (folder) => ({ ...(await readLoadResult(folder)), folder: shown(folder) })));
}

/** Whether a text names load runs at all. */
export const namesLoadRuns = (text: string, cwd: string): boolean =>
  text.split(",").every((part) => foundBy(part.trim(), { cwd }) !== undefined);
