import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdir, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { listKeptFiles, parseJson } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import { isRecord, member } from "@assay/reading";
import { ledgerFile } from "@assay/runner";

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

const countMembers = ["sent", "kept", "thinnedOut", "lost"] as const;

const readCount = (counts: unknown, name: string): number => {
  const count = member(counts, name);
  return typeof count === "number" ? count : 0;
};

/** Adds the counts of the runners by group. */
function addGroups(documents: readonly unknown[]): Readonly<Record<string, unknown>> {
  const groupLists = documents.map((document) => member(document, "groups"));
  const names = new Set(groupLists.flatMap((groups) => (isRecord(groups) ? Object.keys(groups) : [])));
  return Object.fromEntries(
    [...names].map((name) => {
      const counts = groupLists.map((groups) => member(groups, name));
      const sums = countMembers.map((key) => [
        key,
        counts.reduce<number>((sum, each) => sum + readCount(each, key), 0),
      ]);
      const halvings = Math.max(...counts.map((each) => readCount(each, "halvings")));
      return [name, { ...Object.fromEntries(sums), halvings }];
    }),
  );
}

/**
 * Moves the kept exchanges of the runners into one folder, as if one process had kept them. The names of their files begin with the number
 * of the runner. Without the counts of a runner, the counts are not written, because some of its exchanges may be missing.
 */
async function gatherExchanges(folder: string, runnerFolders: readonly string[]): Promise<void> {
  const sources = runnerFolders.map((runner) => join(runner, loadFiles.exchanges));
  if (!sources.some((source) => existsSync(source))) {
    return;
  }
  const target = join(folder, loadFiles.exchanges);
  await mkdir(target, { recursive: true });
  for (const [index, source] of sources.entries()) {
    for (const file of listKeptFiles(source)) {
      await rename(file, join(target, `${String(index + 1).padStart(4, "0")}-${basename(file)}`));
    }
  }
  const documents = sources.map((source) => readJsonFile(join(source, "counts.json")));
  const problems = documents.map((document) => member(document, "problem")).filter((problem) => problem !== undefined);
  if (documents.every((document) => document !== undefined)) {
    const counts = { assay: "exchange-counts", version: 1, groups: addGroups(documents) };
    const document = problems.length === 0 ? counts : { ...counts, problem: problems[0] };
    await writeFile(join(target, "counts.json"), `${JSON.stringify(document)}\n`);
  }
}

/** Changes the keys of a ledger, so that they differ from those of other runners. A truncated line is left out. */
function convertLedger(text: string, prefix: string): string {
  return text
    .split("\n")
    .flatMap((line) => {
      const entry = parseJson(line);
      const key = member(entry, "key");
      return isRecord(entry) && typeof key === "string"
        ? [`${JSON.stringify({ ...entry, key: `${prefix}${key}` })}\n`]
        : [];
    })
    .join("");
}

/** Joins the ledgers of the runners, so that the conversations of all of them are removed, also of those that were killed. */
async function gatherLedgers(folder: string, runnerFolders: readonly string[]): Promise<void> {
  for (const [index, runner] of runnerFolders.entries()) {
    const path = join(runner, ledgerFile);
    if (existsSync(path)) {
      await appendFile(join(folder, ledgerFile), convertLedger(readFileSync(path, "utf8"), `runner-${index + 1}-`));
    }
  }
}

/** Joins the files of the runners that belong to the run as a whole: kept exchanges, and ledgers of conversations. */
export async function gatherRunnerFiles(folder: string, runnerFolders: readonly string[]): Promise<void> {
  await gatherExchanges(folder, runnerFolders);
  await gatherLedgers(folder, runnerFolders);
}
