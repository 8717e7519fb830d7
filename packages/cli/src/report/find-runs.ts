import { HarnessError, listNames } from "@assay/contract";
import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";
import { runsFolder } from "../compare/stored-runs.ts";
import { suggestNearestFile } from "../nearest-file.ts";
import { loadRunFile } from "../load/load-run-file.ts";
import { readErrorCode, readJsonFile } from "./read-json-file.ts";

/** A stored run and its kind. `load-part`: a load run that was killed and has no result. */
export interface FoundRun {
  readonly kind: "run-folder" | "load-folder" | "load-part" | "evidence" | "run-file" | "load-file";
  readonly path: string;
  /** Path for messages. */
  readonly displayPath: string;
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** Files that determine the kind of a folder: the first one that exists decides. */
const folderKinds = [
  ["verdicts.json", "run-folder"],
  ["load.json", "load-folder"],
  [loadRunFile, "load-part"],
  [bundleFiles.manifest, "evidence"],
] as const;

const findFolderKind = (folder: string): FoundRun["kind"] | undefined =>
  folderKinds.find(([file]) => existsSync(join(folder, file)))?.[1];

const formatRelativePath = (cwd: string, path: string): string => visibleText(relative(cwd, path) || ".", 300);

function readEntries(folder: string, cwd: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const reason = `${formatRelativePath(cwd, folder)} cannot be read (${readErrorCode(cause)})`;
    throw new HarnessError("usage", `${reason}; check the path and its permissions`, { cause });
  }
}

const listFolders = (folder: string, cwd: string): readonly string[] =>
  readEntries(folder, cwd)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .toSorted();

function findRunsInFolder(folder: string, cwd: string): readonly FoundRun[] {
  const kind = findFolderKind(folder);
  if (kind !== undefined) {
    return [{ kind, path: folder, displayPath: formatRelativePath(cwd, folder) }];
  }
  return listFolders(folder, cwd).flatMap((path) => {
    const subfolderKind = findFolderKind(path);
    return subfolderKind === undefined
      ? []
      : [{ kind: subfolderKind, path, displayPath: formatRelativePath(cwd, path) }];
  });
}

/** Detects the kind of a file by its content, because it may have been renamed. */
function detectFileKind(path: string, displayPath: string): FoundRun["kind"] {
  const value = readJsonFile(path, displayPath);
  const isLoad = basename(path) === "load.json" || (typeof value === "object" && value !== null && "plan" in value);
  return isLoad ? "load-file" : "run-file";
}

/** Lists the ids of the runs in `reports/runs`. */
function listRunIds(cwd: string): readonly string[] {
  const folder = resolve(cwd, runsFolder);
  return isFolder(folder) ? findRunsInFolder(folder, cwd).map(({ path }) => basename(path)) : [];
}

/** Returns the error for a missing run, with the nearest name. */
export function createMissingRunError(runArgument: string, cwd: string, names: readonly string[] = []): HarnessError {
  const displayName = visibleText(runArgument, 200);
  const suggestion = nearestName(runArgument, [...names, ...listRunIds(cwd)]);
  const hint =
    suggestion === undefined
      ? suggestNearestFile(runArgument, cwd)
      : `did you mean \`${visibleText(suggestion, 200)}\`?`;
  return new HarnessError(
    "usage",
    `there is no run \`${displayName}\`; ${hint ?? "name the folder of a run, its id, or its verdicts.json"}`,
  );
}

/**
 * Returns the run with this path or with this id in `reports/runs`, or all runs in a folder. Returns undefined if the
 * path does not exist.
 */
export function tryFindRuns(runArgument: string, cwd: string): readonly FoundRun[] | undefined {
  const paths = [
    resolve(cwd, runArgument),
    ...(/[\\/]/u.test(runArgument) ? [] : [resolve(cwd, runsFolder, runArgument)]),
  ];
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    return undefined;
  }
  if (!isFolder(path)) {
    const displayPath = formatRelativePath(cwd, path);
    return [{ kind: detectFileKind(path, displayPath), path, displayPath }];
  }
  const runs = findRunsInFolder(path, cwd);
  if (runs.length === 0) {
    throw new HarnessError(
      "usage",
      `${formatRelativePath(cwd, path)} contains no run: there is no verdicts.json, load.json or manifest.json in it, nor in a folder in it`,
    );
  }
  return runs;
}

/** Finds all specified runs, without duplicates and in this order. Throws a `HarnessError` that suggests the nearest name. */
export function findRuns(runArguments: readonly string[], cwd: string): readonly FoundRun[] {
  const runs = runArguments.flatMap((text) => {
    const matches = tryFindRuns(text, cwd);
    if (matches === undefined) {
      throw createMissingRunError(text, cwd);
    }
    return matches;
  });
  return [...new Map(runs.map((run) => [run.path, run])).values()];
}

/** Maximum number of ignored folders in a note. */
const maxListedFolders = 5;

/** Returns a note about subfolders without a run, or an empty string if there are none. */
export function describeSkippedFolders(runArguments: readonly string[], cwd: string): string {
  const parents = runArguments
    .map((text) => resolve(cwd, text))
    .filter((path) => isFolder(path) && findFolderKind(path) === undefined);
  const emptyFolders = parents
    .flatMap((parent) => listFolders(parent, cwd))
    .filter((path) => findFolderKind(path) === undefined);
  const names = emptyFolders.map((path) => formatRelativePath(cwd, path));
  return names.length === 0
    ? ""
    : `note: skipped ${listNames(names, maxListedFolders)}, which ${names.length === 1 ? "contains" : "contain"} no run\n`;
}
