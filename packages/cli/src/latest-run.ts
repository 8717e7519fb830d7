import { HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { type Dirent, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import type { CommandContext } from "./command-context.ts";
import { runsFolder } from "./compare/stored-runs.ts";
import { loadRunFile } from "./load/load-run-file.ts";
import { findRunPath } from "./run-to-judge.ts";

/** The name of the newest run, accepted by all commands that accept a run. */
export const latestName = "latest";

const containsFiles = (folder: string, ...names: readonly string[]): boolean =>
  names.every((name) => existsSync(join(folder, name)));

/** The kinds of runs that commands need: a noun for messages, and a check of the run folder. */
const runNeeds = {
  run: {
    noun: "run",
    isMetBy: (folder) =>
      ["verdicts.json", "load.json", loadRunFile, bundleFiles.manifest].some((name) => containsFiles(folder, name)),
  },
  evidence: { noun: "run of contract tests", isMetBy: (folder) => containsFiles(folder, bundleFiles.manifest) },
  judgeable: {
    noun: "run that can be judged",
    isMetBy: (folder) =>
      containsFiles(folder, bundleFiles.manifest) || containsFiles(folder, loadFiles.plan, loadFiles.exchanges),
  },
  verdicts: { noun: "judged run of contract tests", isMetBy: (folder) => containsFiles(folder, "verdicts.json") },
  result: {
    noun: "run with a result",
    isMetBy: (folder) => ["verdicts.json", "load.json"].some((name) => containsFiles(folder, name)),
  },
  recorded: {
    noun: "run",
    isMetBy: (folder) => [bundleFiles.manifest, loadRunFile].some((name) => containsFiles(folder, name)),
  },
  load: { noun: "load run", isMetBy: (folder) => containsFiles(folder, "load.json") },
  page: { noun: "run with a page", isMetBy: (folder) => containsFiles(folder, "report.html") },
} as const satisfies Record<string, { readonly noun: string; readonly isMetBy: (folder: string) => boolean }>;

/** The kind of run that a command needs. */
export type RunNeed = keyof typeof runNeeds;

function readJson(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch {
    // Ignored: the folder's time is used instead of the damaged file's.
    return undefined;
  }
}

/** Converts the time at the start of a run id such as `20260131T120000Z-1a2b3c` to ISO format. */
const parseIdTime = (id: unknown): unknown =>
  typeof id === "string" ? id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/u, "$1-$2-$3T$4:$5:$6Z") : undefined;

/** The sources of the start time of a run, most reliable first. */
const startTimeSources: readonly ((folder: string) => unknown)[] = [
  (folder) => member(readJson(folder, bundleFiles.manifest), "startedAt"),
  (folder) => parseIdTime(member(readJson(folder, loadRunFile), "runId")),
  (folder) => member(member(readJson(folder, "load.json"), "run"), "startedAt"),
  (folder) => member(member(readJson(folder, "verdicts.json"), "run"), "startedAt"),
];

/** Returns the start time of a run in milliseconds. It does not change if the run is judged again. */
function findStartMs(folder: string): number {
  for (const readStartTime of startTimeSources) {
    const text = readStartTime(folder);
    const startMs = typeof text === "string" ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(startMs)) {
      return startMs;
    }
  }
  return statSync(folder).mtimeMs;
}

function listFolders(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return [];
  }
}

/**
 * Returns the folder of the newest run in `reports/runs` that meets `need` and whose absolute path `isAccepted`.
 * Returns undefined if there is none.
 */
export function findNewestRun(
  cwd: string,
  need: RunNeed,
  isAccepted: (folder: string) => boolean = () => true,
): string | undefined {
  const { isMetBy } = runNeeds[need];
  const [newestRun] = listFolders(resolve(cwd, runsFolder))
    .map(({ name }) => join(runsFolder, name))
    .filter((folder) => isMetBy(resolve(cwd, folder)) && isAccepted(resolve(cwd, folder)))
    .map((folder) => ({ folder, startMs: findStartMs(resolve(cwd, folder)) }))
    .toSorted((a, b) => b.startMs - a.startMs || b.folder.localeCompare(a.folder));
  return newestRun?.folder;
}

/** The working folder to search for the newest run, and the stream to print its name on. */
export interface RunSearch extends Pick<CommandContext, "cwd" | "err"> {
  /** Absolute path of a run to ignore. */
  readonly excludedFolder?: string;
}

/**
 * Returns the run argument, or the newest run if it is `latest` or undefined, and prints that run on standard error. A file or folder
 * called `latest` takes precedence. Throws a `HarnessError` if there is no run yet.
 */
export function resolveRunArgument(
  runArgument: string | undefined,
  { cwd, err, excludedFolder }: RunSearch,
  need: RunNeed,
): string {
  if (runArgument !== undefined && (runArgument !== latestName || findRunPath(runArgument, cwd) !== undefined)) {
    return runArgument;
  }
  const folder = findNewestRun(cwd, need, (candidate) => candidate !== excludedFolder);
  const { noun } = runNeeds[need];
  if (folder === undefined) {
    throw new HarnessError("usage", `there is no ${noun} in ${runsFolder} yet; pass a run folder`);
  }
  err(`note: the newest ${noun} is ${visibleText(relative(cwd, resolve(cwd, folder)), 200)}\n`);
  return folder;
}

/** Like `resolveRunArgument`, but for several run arguments. Returns the newest run if there are none. */
export const resolveRunArguments = (
  runArguments: readonly string[],
  context: Pick<CommandContext, "cwd" | "err">,
  need: RunNeed,
): readonly string[] =>
  (runArguments.length === 0 ? [latestName] : runArguments).map((text) => resolveRunArgument(text, context, need));
