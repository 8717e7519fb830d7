import { HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { KnownFailureFile } from "@assay/evidence";
import { bundleFiles, toShellWord, visibleText, writeAtomically } from "@assay/evidence";
import { acceptInList, applyKnownFailureLists, isShippedListName, knownFailureList, listsFailure } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { normalizeUrl } from "../config/file-targets.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { readKnownFailureFile } from "../known-failure-files.ts";
import { readJsonFile } from "../report/read-json-file.ts";
import type { AcceptOptions, EntryDetails } from "./entry-details.ts";
import type { FailuresToAccept } from "./failures-to-accept.ts";

/** Default list file. */
const defaultListName = "known-failures.txt";

type AcceptedFailures = FailuresToAccept & EntryDetails;

/** The settings that select the list. */
export interface ListSettings {
  readonly config: LoadedConfig;
  readonly options: AcceptOptions;
  readonly context: CommandContext;
}

/** A list to write to. */
interface WritableList {
  /** Absolute path. */
  readonly path: string;
  /** Tells the user how to pass the list to the next run. Empty if the configuration already does. */
  readonly hint: string;
}

/** Returns `names` without the lists included in Assay. */
const excludeShippedLists = (names: unknown): readonly string[] =>
  [names].flat().filter((name): name is string => typeof name === "string" && !isShippedListName(name));

/** Returns the absolute paths of the lists configured for this target, and the target's configured name. */
function findConfiguredLists(
  { run }: AcceptedFailures["result"],
  { file, config }: LoadedConfig,
): { readonly paths: readonly string[]; readonly targetName?: string } {
  const targetEntry = Object.entries(config.targets ?? {}).find(
    ([, { url }]) => normalizeUrl(url) === normalizeUrl(run.target),
  );
  const names = targetEntry?.[1].knownFailures ?? config.run?.knownFailures;
  const paths = file === undefined ? [] : excludeShippedLists(names).map((name) => resolve(dirname(file.path), name));
  return { paths, ...(targetEntry === undefined ? {} : { targetName: targetEntry[0] }) };
}

/** Returns the absolute paths of the lists that the run used. */
function findRunLists(folder: string | undefined, cwd: string): readonly string[] {
  const path = join(folder ?? "", bundleFiles.manifest);
  if (folder === undefined || !existsSync(path)) {
    return [];
  }
  const knownFailures = member(readJsonFile(path, path), "knownFailures");
  return (Array.isArray(knownFailures) ? knownFailures : [])
    .flatMap((list) => excludeShippedLists(member(list, "source")))
    .map((name) => resolve(cwd, name));
}

const formatPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);

/** Selects the list that the next run reads. Prefers a list that already contains the failure. */
async function selectList(
  failures: AcceptedFailures,
  { config, options, context }: ListSettings,
): Promise<WritableList> {
  const { cwd } = context;
  const { paths, targetName } = findConfiguredLists(failures.result, config);
  const { file } = options;
  if (file !== undefined && isShippedListName(file)) {
    throw new HarnessError("usage", `${file} is built into Assay; pass your own file with --file`);
  }
  const listPaths = file === undefined ? [...paths, ...findRunLists(failures.folder, cwd)] : [resolve(cwd, file)];
  const candidatePaths = listPaths.length === 0 ? [resolve(cwd, defaultListName)] : listPaths;
  const listTexts = await Promise.all(candidatePaths.map((path) => readListText(path, cwd)));
  const path =
    candidatePaths.find((_, index) => listsFailure(listTexts[index] ?? "", failures)) ??
    candidatePaths[0] ??
    defaultListName;
  if (paths.includes(path)) {
    return { path, hint: "" };
  }
  const flagText = `\`--known-failures ${toShellWord(formatPath(path, cwd))}\``;
  const configHint =
    targetName === undefined || config.file === undefined
      ? ""
      : `, or add it to \`targets.${targetName}.knownFailures\` in ${config.file.displayPath}`;
  return { path, hint: `Pass it to the next run: ${flagText}${configHint}.\n` };
}

const readListText = async (path: string, cwd: string): Promise<string> =>
  existsSync(path) ? readKnownFailureFile(relative(cwd, path), cwd) : "";

/** Returns notes about problems in the written list, and about findings that it does not cover. */
function describeListNotes(list: KnownFailureFile, { result, rules }: AcceptedFailures): string {
  const lists = [knownFailureList(list)];
  const verdictsBefore = result.verdicts.map(({ known: _known, ...rule }) => rule);
  const { mistakes, verdicts } = applyKnownFailureLists(verdictsBefore, lists, {
    target: result.run.target,
    startedAt: new Date().toISOString(),
  });
  const uncovered = verdicts.filter(
    ({ rule, known }) => known === undefined && rules.some((name) => name === rule || name.startsWith(`${rule}:`)),
  );
  return [
    ...mistakes,
    ...uncovered.map(({ rule }) => `\`${rule}\` still fails: the run has findings for it that no entry covers`),
  ]
    .map((note) => `note: ${note}\n`)
    .join("");
}

/** Writes failures to the list that the next run reads. Returns the text to print. If it throws a `HarnessError`, it has written nothing. */
export async function writeAccepted(failures: AcceptedFailures, settings: ListSettings): Promise<string> {
  const { cwd, err } = settings.context;
  const { path, hint } = await selectList(failures, settings);
  const listName = formatPath(path, cwd);
  const oldText = await readListText(path, cwd);
  const update = acceptInList(oldText, failures);
  if ("mistake" in update) {
    throw new HarnessError("usage", update.mistake);
  }
  const realPath = existsSync(path) ? realpathSync(path) : path;
  await writeAtomically(realPath, update.text, existsSync(realPath) ? statSync(realPath).mode & 0o777 : 0o644);
  err(describeListNotes({ source: listName, text: update.text }, failures));
  const action = listsFailure(oldText, failures) ? "renewed" : "accepted";
  const entries = failures.rules.map((rule) => `  ${visibleText(rule, 300)}   ${visibleText(failures.target, 300)}\n`);
  return `${action} until ${failures.expires} in ${listName}:\n${entries.join("")}${hint}`;
}
