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

/** The name of the newest run, wherever a command takes one. */
export const latestName = "latest";

const holds = (folder: string, ...names: readonly string[]): boolean =>
  names.every((name) => existsSync(join(folder, name)));

/** What a command needs of a run: how it is called in a sentence, and whether the folder of a run has it. */
const needs = {
  run: {
    noun: "run",
    isMet: (folder) =>
      ["verdicts.json", "load.json", loadRunFile, bundleFiles.manifest].some((name) => holds(folder, name)),
  },
  evidence: { noun: "run of contract tests", isMet: (folder) => holds(folder, bundleFiles.manifest) },
  judgeable: {
    noun: "run that can be judged",
    isMet: (folder) => holds(folder, bundleFiles.manifest) || holds(folder, loadFiles.plan, loadFiles.exchanges),
  },
  verdicts: { noun: "judged run of contract tests", isMet: (folder) => holds(folder, "verdicts.json") },
  result: {
    noun: "run with a result",
    isMet: (folder) => ["verdicts.json", "load.json"].some((name) => holds(folder, name)),
  },
  recorded: {
    noun: "run",
    isMet: (folder) => [bundleFiles.manifest, loadRunFile].some((name) => holds(folder, name)),
  },
  load: { noun: "load run", isMet: (folder) => holds(folder, "load.json") },
  page: { noun: "run with a page", isMet: (folder) => holds(folder, "report.html") },
} as const satisfies Record<string, { readonly noun: string; readonly isMet: (folder: string) => boolean }>;

/** What a command needs of the run that it takes. */
export type RunNeed = keyof typeof needs;

function valueIn(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch {
    // A damaged file has no time; the folder has one.
    return undefined;
  }
}

/** The time that the id of a run begins with: `20260131T120000Z-1a2b3c`. */
const timeOfId = (id: unknown): unknown =>
  typeof id === "string" ? id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/u, "$1-$2-$3T$4:$5:$6Z") : undefined;

/** The places where the files of a run say when it began, the one to be believed first. */
const times: readonly ((folder: string) => unknown)[] = [
  (folder) => member(valueIn(folder, bundleFiles.manifest), "startedAt"),
  (folder) => timeOfId(member(valueIn(folder, loadRunFile), "runId")),
  (folder) => member(member(valueIn(folder, "load.json"), "run"), "startedAt"),
  (folder) => member(member(valueIn(folder, "verdicts.json"), "run"), "startedAt"),
];

/** When a run began, in milliseconds. Judging it again changes its files, and this not. */
function startedMs(folder: string): number {
  for (const read of times) {
    const text = read(folder);
    const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(ms)) {
      return ms;
    }
  }
  return statSync(folder).mtimeMs;
}

function foldersIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return [];
  }
}

/** Folder of the newest run below `reports/runs` that has what is needed and whose absolute path is wanted [any]; undefined without any. */
export function newestRun(
  cwd: string,
  need: RunNeed,
  isWanted: (folder: string) => boolean = () => true,
): string | undefined {
  const { isMet } = needs[need];
  const [first] = foldersIn(resolve(cwd, runsFolder))
    .map(({ name }) => join(runsFolder, name))
    .filter((folder) => isMet(resolve(cwd, folder)) && isWanted(resolve(cwd, folder)))
    .map((folder) => ({ folder, ms: startedMs(resolve(cwd, folder)) }))
    .toSorted((one, other) => other.ms - one.ms || other.folder.localeCompare(one.folder));
  return first?.folder;
}

/** Where to look for the newest run, and where to print which one it is. */
export interface RunSearch extends Pick<CommandContext, "cwd" | "err"> {
  /** Absolute path of a run that is not meant [none]. */
  readonly except?: string;
}

/**
 * What a person named, or the newest run for `latest` and for nothing; standard error says which one that is. A file or folder that
 * is called `latest` stays what it was. Fails with a `HarnessError` where there is no run yet.
 */
export function runOrLatest(text: string | undefined, { cwd, err, except }: RunSearch, need: RunNeed): string {
  if (text !== undefined && (text !== latestName || storedRunPath(text, cwd) !== undefined)) {
    return text;
  }
  const folder = newestRun(cwd, need, (each) => each !== except);
  const { noun } = needs[need];
  if (folder === undefined) {
    throw new HarnessError("usage", `there is no ${noun} below ${runsFolder} yet; name the folder of one`);
  }
  err(`note: the newest ${noun} is ${visibleText(relative(cwd, resolve(cwd, folder)), 200)}\n`);
  return folder;
}

/** The same for several runs that a person may name; the newest one without any. */
export const runsOrLatest = (
  texts: readonly string[],
  context: Pick<CommandContext, "cwd" | "err">,
  need: RunNeed,
): readonly string[] => (texts.length === 0 ? [latestName] : texts).map((text) => runOrLatest(text, context, need));
