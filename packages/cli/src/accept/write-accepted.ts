import { HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { KnownFailureFile } from "@assay/evidence";
import { bundleFiles, shellWord, visibleText, writeWhole } from "@assay/evidence";
import { acceptInList, applyKnownFailureLists, isShippedListName, knownFailureList, listsFailure } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { normalizeUrl } from "../config/file-targets.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { readKnownFailureFile } from "../known-failure-files.ts";
import { readJsonFile } from "../report/read-json-file.ts";
import type { AcceptOptions, AcceptedText } from "./accepted-text.ts";
import type { FailuresToAccept } from "./failures-to-accept.ts";

/** The list to write to if no setting selects one. */
const defaultList = "known-failures.txt";

type Accepted = FailuresToAccept & AcceptedText;

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
  /** A note about how the next run can use the list. Empty if the configuration contains it. */
  readonly hint: string;
}

/** Returns the listed names without shipped lists. */
const ownLists = (names: unknown): readonly string[] =>
  [names].flat().filter((name): name is string => typeof name === "string" && !isShippedListName(name));

/** Absolute paths of the lists that the configuration sets for this target, and the name of the target in it. */
function configuredLists(
  { run }: Accepted["result"],
  { file, config }: LoadedConfig,
): { readonly paths: readonly string[]; readonly targetName?: string } {
  const targetEntry = Object.entries(config.targets ?? {}).find(
    ([, { url }]) => normalizeUrl(url) === normalizeUrl(run.target),
  );
  const names = targetEntry?.[1].knownFailures ?? config.run?.knownFailures;
  const paths = file === undefined ? [] : ownLists(names).map((name) => resolve(dirname(file.path), name));
  return { paths, ...(targetEntry === undefined ? {} : { targetName: targetEntry[0] }) };
}

/** Absolute paths of the lists that the run used. */
function findRunLists(folder: string | undefined, cwd: string): readonly string[] {
  const path = join(folder ?? "", bundleFiles.manifest);
  if (folder === undefined || !existsSync(path)) {
    return [];
  }
  const knownFailures = member(readJsonFile(path, path), "knownFailures");
  return (Array.isArray(knownFailures) ? knownFailures : [])
    .flatMap((list) => ownLists(member(list, "source")))
    .map((name) => resolve(cwd, name));
}

const shownPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);

/** Selects the list that the next run reads. Prefers a list that already contains the failure. */
async function selectList(accepted: Accepted, { config, options, context }: ListSettings): Promise<WritableList> {
  const { cwd } = context;
  const { paths, targetName } = configuredLists(accepted.result, config);
  const { file } = options;
  if (file !== undefined && isShippedListName(file)) {
    throw new HarnessError("usage", `${file} is a list included in Assay; set a file of your own with --file`);
  }
  const listPaths = file === undefined ? [...paths, ...findRunLists(accepted.folder, cwd)] : [resolve(cwd, file)];
  const candidates = listPaths.length === 0 ? [resolve(cwd, defaultList)] : listPaths;
  const texts = await Promise.all(candidates.map((path) => readListText(path, cwd)));
  const path =
    candidates.find((_, index) => listsFailure(texts[index] ?? "", accepted)) ?? candidates[0] ?? defaultList;
  if (paths.includes(path)) {
    return { path, hint: "" };
  }
  const flagText = `\`--known-failures ${shellWord(shownPath(path, cwd))}\``;
  const inConfig =
    targetName === undefined || config.file === undefined
      ? ""
      : `, or add it to \`targets.${targetName}.knownFailures\` in ${config.file.shown}`;
  return { path, hint: `Pass it to the next run: ${flagText}${inConfig}.\n` };
}

const readListText = async (path: string, cwd: string): Promise<string> =>
  existsSync(path) ? readKnownFailureFile(relative(cwd, path), cwd) : "";

/** Notes about problems of the written list, and about findings that it does not cover. */
function describeListNotes(list: KnownFailureFile, { result, rules }: Accepted): string {
  const lists = [knownFailureList(list)];
  const before = result.verdicts.map(({ known: _known, ...rule }) => rule);
  const { mistakes, verdicts } = applyKnownFailureLists(before, lists, {
    target: result.run.target,
    startedAt: new Date().toISOString(),
  });
  const uncovered = verdicts.filter(
    ({ rule, known }) => known === undefined && rules.some((name) => name === rule || name.startsWith(`${rule}:`)),
  );
  return [
    ...mistakes,
    ...uncovered.map(({ rule }) => `\`${rule}\` still fails: that run has findings of it that no entry covers`),
  ]
    .map((note) => `note: ${note}\n`)
    .join("");
}

/** Writes failures to the list that the next run reads. Returns the text to print. Throws a `HarnessError` before writing. */
export async function writeAccepted(accepted: Accepted, writing: ListSettings): Promise<string> {
  const { cwd, err } = writing.context;
  const { path, hint } = await selectList(accepted, writing);
  const shownList = shownPath(path, cwd);
  const before = await readListText(path, cwd);
  const after = acceptInList(before, accepted);
  if ("mistake" in after) {
    throw new HarnessError("usage", after.mistake);
  }
  const realPath = existsSync(path) ? realpathSync(path) : path;
  await writeWhole(realPath, after.text, existsSync(realPath) ? statSync(realPath).mode & 0o777 : 0o644);
  err(describeListNotes({ source: shownList, text: after.text }, accepted));
  const action = listsFailure(before, accepted) ? "renewed" : "accepted";
  const entries = accepted.rules.map((rule) => `  ${visibleText(rule, 300)}   ${visibleText(accepted.target, 300)}\n`);
  return `${action} until ${accepted.expires} in ${shownList}:\n${entries.join("")}${hint}`;
}
