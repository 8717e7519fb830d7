import { HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { type Dirent, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { bundleFiles, visibleText } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import type { CommandContext } from "./command-context.ts";
import { runsFolder } from "./compare/stored-runs.ts";
import { loadRunFile } from "./load/load-run-file.ts";
import { storedRunPath } from "./run-to-judge.ts";

/** The name of the newest run, accepted by all commands that accept a run. */
export const latestName = "latest";

const containsFiles = (folder: string, ...names: readonly string[]): boolean =>
  names.every((name) => existsSync(join(folder, name)));

/** The requirements of commands for a run: a noun for messages, and a check of the run folder. */
const needs = {
  run: {
    noun: "run",
    isMet: (folder) =>
      ["verdicts.json", "load.json", loadRunFile, bundleFiles.manifest].some((name) => containsFiles(folder, name)),
  },
  evidence: { noun: "run of contract tests", isMet: (folder) => containsFiles(folder, bundleFiles.manifest) },
  judgeable: {
    noun: "run that can be judged",
    isMet: (folder) =>
      containsFiles(folder, bundleFiles.manifest) || containsFiles(folder, loadFiles.plan, loadFiles.exchanges),
  },
  verdicts: { noun: "judged run of contract tests", isMet: (folder) => containsFiles(folder, "verdicts.json") },
  result: {
    noun: "run with a result",
    isMet: (folder) => ["verdicts.json", "load.json"].some((name) => containsFiles(folder, name)),
  },
  recorded: {
    noun: "run",
    isMet: (folder) => [bundleFiles.manifest, loadRunFile].some((name) => containsFiles(folder, name)),
  },
  load: { noun: "load run", isMet: (folder) => containsFiles(folder, "load.json") },
  page: { noun: "run with a page", isMet: (folder) => containsFiles(folder, "report.html") },
} as const satisfies Record<string, { readonly noun: string; readonly isMet: (folder: string) => boolean }>;

/** A requirement of a command for its run. */
export type RunNeed = keyof typeof needs;

function readJson(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch {
    // Ignored: the time of the folder is used instead of that of a damaged file.
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

/** The start time of a run in milliseconds. It does not change if the run is judged again. */
function findStartMs(folder: string): number {
  for (const readStartTime of startTimeSources) {
    const text = readStartTime(folder);
    const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(ms)) {
      return ms;
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
 * Returns the folder of the newest run in `reports/runs` that meets `need` and whose absolute path is wanted [any], or undefined if there
 * is none.
 */
export function findNewestRun(
  cwd: string,
  need: RunNeed,
  isWanted: (folder: string) => boolean = () => true,
): string | undefined {
  const { isMet } = needs[need];
  const [first] = listFolders(resolve(cwd, runsFolder))
    .map(({ name }) => join(runsFolder, name))
    .filter((folder) => isMet(resolve(cwd, folder)) && isWanted(resolve(cwd, folder)))
    .map((folder) => ({ folder, ms: findStartMs(resolve(cwd, folder)) }))
    .toSorted((a, b) => b.ms - a.ms || b.folder.localeCompare(a.folder));
  return first?.folder;
}

/** Where to search for the newest run, where to print it, and which run to exclude. */
export interface RunSearch extends Pick<CommandContext, "cwd" | "err"> {
  /** Absolute path of an excluded run [none]. */
  readonly except?: string;
}

/**
 * Returns the run argument, or the newest run if it is `latest` or undefined, and prints that run on standard error. A file or folder
 * called `latest` takes precedence. Throws a `HarnessError` if there is no run yet.
 */
export function runOrLatest(text: string | undefined, { cwd, err, except }: RunSearch, need: RunNeed): string {
  if (text !== undefined && (text !== latestName || storedRunPath(text, cwd) !== undefined)) {
    return text;
  }
  const folder = findNewestRun(cwd, need, (candidate) => candidate !== except);
  const { noun } = needs[need];
  if (folder === undefined) {
    throw new HarnessError("usage", `there is no ${noun} in ${runsFolder} yet; pass a run folder`);
  }
  err(`note: the newest ${noun} is ${visibleText(relative(cwd, resolve(cwd, folder)), 200)}\n`);
  return folder;
}

/** Like `runOrLatest`, but for several run arguments. Returns the newest run if there are none. */
export const runsOrLatest = (
  texts: readonly string[],
  context: Pick<CommandContext, "cwd" | "err">,
  need: RunNeed,
): readonly string[] => (texts.length === 0 ? [latestName] : texts).map((text) => runOrLatest(text, context, need));
