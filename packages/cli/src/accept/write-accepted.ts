import { HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { KnownFailureFile } from "@assay/evidence";
import { bundleFiles, shellWord, visibleText, writeWhole } from "@assay/evidence";
import { acceptInList, applyKnownFailureLists, isShippedListName, knownFailureList, listsOneOf } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { plainUrl } from "../config/file-targets.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { readKnownFailureFile } from "../known-failure-files.ts";
import { readJsonFile } from "../report/read-json-file.ts";
import type { AcceptOptions, AcceptedText } from "./accepted-text.ts";
import type { FailuresToAccept } from "./failures-to-accept.ts";

/** The list if nothing names another one. */
const defaultList = "known-failures.txt";

type Accepted = FailuresToAccept & AcceptedText;

/** Sources of the choice of the list. */
export interface Writing {
  readonly config: LoadedConfig;
  readonly options: AcceptOptions;
  readonly context: CommandContext;
}

/** A list to write to. */
interface List {
  /** Absolute. */
  readonly path: string;
  /** A sentence about how the next run can read the list; empty if the configuration names it. */
  readonly hint: string;
}

/** The named lists without the shipped ones. */
const ownLists = (names: unknown): readonly string[] =>
  [names].flat().filter((name): name is string => typeof name === "string" && !isShippedListName(name));

/** Absolute paths of the lists that the configuration has for this target, and the name of the target there. */
function configuredLists(
  { run }: Accepted["result"],
  { file, config }: LoadedConfig,
): { readonly paths: readonly string[]; readonly targetName?: string } {
  const found = Object.entries(config.targets ?? {}).find(([, { url }]) => plainUrl(url) === plainUrl(run.target));
  const names = found?.[1].knownFailures ?? config.run?.knownFailures;
  const paths = file === undefined ? [] : ownLists(names).map((name) => resolve(dirname(file.path), name));
  return { paths, ...(found === undefined ? {} : { targetName: found[0] }) };
}

/** Absolute paths of the lists of the run itself. */
function listsOfRun(folder: string | undefined, cwd: string): readonly string[] {
  const path = join(folder ?? "", bundleFiles.manifest);
  if (folder === undefined || !existsSync(path)) {
    return [];
  }
  const kept = member(readJsonFile(path, path), "knownFailures");
  return (Array.isArray(kept) ? kept : [])
    .flatMap((list) => ownLists(member(list, "source")))
    .map((name) => resolve(cwd, name));
}

const shownPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);

/** The list that the next run reads. A list that already contains the failure comes first. */
async function listFor(accepted: Accepted, { config, options, context }: Writing): Promise<List> {
  const { cwd } = context;
  const { paths, targetName } = configuredLists(accepted.result, config);
  const { file } = options;
  if (file !== undefined && isShippedListName(file)) {
    throw new HarnessError("usage", `${file} is a list that comes with Assay; name a file of your own by --file`);
  }
  const named = file === undefined ? [...paths, ...listsOfRun(accepted.folder, cwd)] : [resolve(cwd, file)];
  const candidates = named.length === 0 ? [resolve(cwd, defaultList)] : named;
  const texts = await Promise.all(candidates.map((path) => textOf(path, cwd)));
  const path = candidates.find((_, index) => listsOneOf(texts[index] ?? "", accepted)) ?? candidates[0] ?? defaultList;
  if (paths.includes(path)) {
    return { path, hint: "" };
  }
  const given = `\`--known-failures ${shellWord(shownPath(path, cwd))}\``;
  const inConfig =
    targetName === undefined || config.file === undefined
      ? ""
      : `, or add it to \`targets.${targetName}.knownFailures\` in ${config.file.shown}`;
  return { path, hint: `Give it to the next run: ${given}${inConfig}.\n` };
}

const textOf = async (path: string, cwd: string): Promise<string> =>
  existsSync(path) ? readKnownFailureFile(relative(cwd, path), cwd) : "";

/** Problems of the written list, and findings that it does not cover: lines for standard error. */
function notesOf(list: KnownFailureFile, { result, rules }: Accepted): string {
  const lists = [knownFailureList(list)];
  const before = result.verdicts.map(({ known: _known, ...rule }) => rule);
  const { mistakes, verdicts } = applyKnownFailureLists(before, lists, {
    target: result.run.target,
    startedAt: new Date().toISOString(),
  });
  const left = verdicts.filter(
    ({ rule, known }) => known === undefined && rules.some((name) => name === rule || name.startsWith(`${rule}:`)),
  );
  return [
    ...mistakes,
    ...left.map(({ rule }) => `\`${rule}\` still fails: that run has findings of it that no entry names`),
  ]
    .map((note) => `note: ${note}\n`)
    .join("");
}

/** Writes failures to the list that the next run reads. Returns the text to print. Fails with a `HarnessError` before it writes anything. */
export async function writeAccepted(accepted: Accepted, writing: Writing): Promise<string> {
  const { cwd, err } = writing.context;
  const { path, hint } = await listFor(accepted, writing);
  const shown = shownPath(path, cwd);
  const before = await textOf(path, cwd);
  const after = acceptInList(before, accepted);
  if ("mistake" in after) {
    throw new HarnessError("usage", after.mistake);
  }
  const place = existsSync(path) ? realpathSync(path) : path;
  await writeWhole(place, after.text, existsSync(place) ? statSync(place).mode & 0o777 : 0o644);
  err(notesOf({ source: shown, text: after.text }, accepted));
  const what = listsOneOf(before, accepted) ? "renewed" : "accepted";
  const entries = accepted.rules.map((rule) => `  ${visibleText(rule, 300)}   ${visibleText(accepted.target, 300)}\n`);
  return `${what} until ${accepted.expires} in ${shown}:\n${entries.join("")}${hint}`;
}
