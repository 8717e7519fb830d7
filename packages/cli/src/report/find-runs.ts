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
  /** The path for messages. */
  readonly shown: string;
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** The kind of a folder, by the first of these files that exists. */
const folderKinds = [
  ["verdicts.json", "run-folder"],
  ["load.json", "load-folder"],
  [loadRunFile, "load-part"],
  [bundleFiles.manifest, "evidence"],
] as const;

const folderKind = (folder: string): FoundRun["kind"] | undefined =>
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
  const kind = folderKind(folder);
  if (kind !== undefined) {
    return [{ kind, path: folder, shown: formatRelativePath(cwd, folder) }];
  }
  return listFolders(folder, cwd).flatMap((path) => {
    const inner = folderKind(path);
    return inner === undefined ? [] : [{ kind: inner, path, shown: formatRelativePath(cwd, path) }];
  });
}

/** The kind of a file by its content: it may have been renamed. */
function fileKind(path: string, shown: string): FoundRun["kind"] {
  const value = readJsonFile(path, shown);
  const isLoad = basename(path) === "load.json" || (typeof value === "object" && value !== null && "plan" in value);
  return isLoad ? "load-file" : "run-file";
}

/** Ids of the runs below `reports/runs`. */
function runIds(cwd: string): readonly string[] {
  const folder = resolve(cwd, runsFolder);
  return isFolder(folder) ? findRunsInFolder(folder, cwd).map(({ path }) => basename(path)) : [];
}

/** The error for a missing run. */
export function noSuchRun(text: string, cwd: string, names: readonly string[] = []): HarnessError {
  const typed = visibleText(text, 200);
  const near = nearestName(text, [...names, ...runIds(cwd)]);
  const hint = near === undefined ? suggestNearestFile(text, cwd) : `did you mean \`${visibleText(near, 200)}\`?`;
  return new HarnessError(
    "usage",
    `there is no run \`${typed}\`; ${hint ?? "name the folder of a run, its id, or its verdicts.json"}`,
  );
}

/** The run with this path or with this id below `reports/runs`, or all runs in a folder. Undefined if there is none. */
export function foundRuns(text: string, cwd: string): readonly FoundRun[] | undefined {
  const paths = [resolve(cwd, text), ...(/[\\/]/u.test(text) ? [] : [resolve(cwd, runsFolder, text)])];
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    return undefined;
  }
  if (!isFolder(path)) {
    const shownPath = formatRelativePath(cwd, path);
    return [{ kind: fileKind(path, shownPath), path, shown: shownPath }];
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

/** All named runs, each once, in the given order. Fails with a `HarnessError` that names the nearest one. */
export function findRuns(texts: readonly string[], cwd: string): readonly FoundRun[] {
  const runs = texts.flatMap((text) => {
    const matches = foundRuns(text, cwd);
    if (matches === undefined) {
      throw noSuchRun(text, cwd);
    }
    return matches;
  });
  return [...new Map(runs.map((run) => [run.path, run])).values()];
}

/** Maximum number of ignored folders in a note. */
const maxListedFolders = 5;

/** A note about folders without a run among the runs of a folder; empty if there are none. */
export function describeSkippedFolders(texts: readonly string[], cwd: string): string {
  const parents = texts
    .map((text) => resolve(cwd, text))
    .filter((path) => isFolder(path) && folderKind(path) === undefined);
  const empty = parents.flatMap((parent) => listFolders(parent, cwd)).filter((path) => folderKind(path) === undefined);
  const names = empty.map((path) => formatRelativePath(cwd, path));
  return names.length === 0 ? "" : `note: no run is in ${listNames(names, maxListedFolders)}; left out\n`;
}
