import { counted, HarnessError } from "@assay/contract";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { mayShareCredentials } from "@assay/client";
import { readBundle, visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import {
  type CleanUpResult,
  type Ledger,
  conversationLimitNames,
  ledgerFile,
  openLedger,
  readLedger,
} from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { runsFolder } from "../compare/stored-runs.ts";
import { earlierHeadFolder, unloadedFolders } from "../load-judge/judge-kept-exchanges.ts";
import { canaryFolder, loadRunFile, readLoadRunFile } from "../load/load-run-file.ts";
import { type TargetOptions, normalizeUrl, targetFlag } from "../config/file-targets.ts";
import { type OptionsOf, choiceFlag, textFlag } from "../flag.ts";
import { readStdin } from "../read-stdin.ts";
import { certificateFlags, readTargetCertificate } from "../run/certificate-flags.ts";
import { resolveRunArgument } from "../latest-run.ts";
import { rejectMissingRun, findRunPath } from "../run-to-judge.ts";
import { type ResolvedTarget, hasOwnToken, resolveTarget, warnAboutWithheldVariables } from "../run/resolve-target.ts";
import { targetFlags } from "../run/target-flags.ts";
import { selectLimits } from "../run/run-limits.ts";
import { groupTokensByKind } from "../run/run-target.ts";
import { type LedgerCleanUpOptions, cleanUpBothTargets, cleanUpLedger } from "./clean-up-ledger.ts";

/** The flags of `assay cleanup`. */
export const cleanupFlags = {
  url: textFlag("<URL>", "target URL, if it changed since the run (default: the URL in each run)"),
  target: targetFlag,
  limits: choiceFlag("<NAME>", conversationLimitNames, "request rate and question limits (default: same as run)"),
  tokenFile: targetFlags.tokenFile,
  tokenCommand: targetFlags.tokenCommand,
  ...certificateFlags,
};

export type CleanupOptions = OptionsOf<typeof cleanupFlags> & TargetOptions;

/** Files that record the target of a run or a load run. */
const manifestFileNames = ["manifest.json", loadRunFile] as const;

/**
 * Returns the folders of the given runs that contain a ledger. Without arguments, searches all runs. Throws if a
 * given folder contains no run.
 */
function findRunFolders(runs: readonly string[], context: CommandContext): readonly string[] {
  const { cwd } = context;
  const runsPath = resolve(cwd, runsFolder);
  const runArguments = runs.map((run) => resolveRunArgument(run, context, "recorded"));
  const selectedFolders = runArguments.map((run) => findRunPath(run, cwd) ?? rejectMissingRun(run, cwd));
  const folderWithoutRun = selectedFolders.find(
    (folder) => !manifestFileNames.some((name) => existsSync(join(folder, name))),
  );
  if (folderWithoutRun !== undefined) {
    throw new HarnessError(
      "usage",
      `${relative(cwd, folderWithoutRun) || "."} is not a run folder: it contains neither ${manifestFileNames.join(" nor ")}`,
    );
  }
  const runFolders =
    runs.length > 0
      ? selectedFolders
      : existsSync(runsPath)
        ? readdirSync(runsPath).map((name) => join(runsPath, name))
        : [];
  // The contract checks of a load run have separate ledgers in these folders.
  const ledgerFolders = ["", canaryFolder, ...Object.values(unloadedFolders), earlierHeadFolder];
  const candidates = runFolders.flatMap((folder) => ledgerFolders.map((name) => join(folder, name)));
  return candidates.filter((folder) => existsSync(join(folder, ledgerFile))).toSorted();
}

/** Deletes the conversations that runs left behind, and prints one line for each. Returns the exit code. */
export async function cleanUpRuns(
  runs: readonly string[],
  options: CleanupOptions,
  context: CommandContext,
): Promise<number> {
  const folders = findRunFolders(runs, context);
  const runsToCleanUp = await Promise.all(folders.map((folder) => readRunToCleanUp(folder)));
  const selectedRuns = runsToCleanUp.filter(({ targets }) => matchesTarget(targets, options));
  rejectRunsSharingToken(selectedRuns, options);
  const resolveTargetOnce = createTargetResolver(options, context);
  const results: CleanUpResult[] = [];
  for (const run of selectedRuns) {
    const result = run.hasOpenConversations
      ? await cleanUpRun(run, { options, context, resolveTargetOnce })
      : noLeftovers;
    context.out(renderCleanUpResult(relative(context.cwd, run.folder), result));
    results.push(result);
  }
  const leftCount = results.flatMap((result) => result.leftovers).length;
  const deletedCount = results.flatMap((result) => result.deletedNames).length;
  context.out(
    `${counted(deletedCount, "conversation")} deleted, ${leftCount} remaining, in ${counted(results.length, "run")}\n`,
  );
  return exitCodeOf(leftCount === 0 ? "passed" : "cleanup-incomplete");
}

const renderCleanUpResult = (folder: string, { deletedNames, leftovers }: CleanUpResult): string =>
  [
    ...deletedNames.map((name) => `${folder}: deleted ${visibleText(name, 200)}`),
    ...leftovers.map(
      ({ label, reason }) => `${folder}: could not delete ${visibleText(label, 200)}: ${visibleText(reason, 200)}`,
    ),
  ]
    .map((line) => `${line}\n`)
    .join("");

const noLeftovers: CleanUpResult = { deletedNames: [], leftovers: [] };

interface RunTargets {
  readonly targets: readonly string[];
  readonly embedded: boolean;
}

async function readTargets(folder: string): Promise<RunTargets> {
  const loadRun = await readLoadRunFile(folder);
  if (loadRun !== undefined) {
    return loadRun;
  }
  const { manifest } = await readBundle(folder);
  return { targets: [manifest.target.url], embedded: manifest.target.embedded };
}

interface RunToCleanUp extends Pick<RunTargets, "targets"> {
  readonly folder: string;
  readonly hasOpenConversations: boolean;
}

async function readRunToCleanUp(folder: string): Promise<RunToCleanUp> {
  const { targets, embedded } = await readTargets(folder);
  const entries = (await readLedger(folder)) ?? [];
  // An embedded server stops with its run, so nothing is left to delete.
  return { folder, targets, hasOpenConversations: !embedded && entries.some(({ state }) => state === "open") };
}

/** Reports whether a run used the target selected with `--target`. */
function matchesTarget(targets: readonly string[], { target: name, fileTargets }: CleanupOptions): boolean {
  const target = name === undefined ? undefined : fileTargets?.targets[name];
  return target === undefined || targets.some((url) => normalizeUrl(url) === normalizeUrl(target.url));
}

/** Rejects runs against different instances if they would share a token from the environment. */
function rejectRunsSharingToken(runsToCleanUp: readonly RunToCleanUp[], options: CleanupOptions): void {
  const urls = runsToCleanUp.flatMap(({ targets: [target = ""], hasOpenConversations }) =>
    hasOpenConversations ? [options.url ?? target] : [],
  );
  const sharedTokenUrls = urls.filter((url) => URL.canParse(url) && !hasOwnToken(url, options));
  const [firstUrl] = sharedTokenUrls;
  const secondUrl = sharedTokenUrls.find((url) => firstUrl !== undefined && !mayShareCredentials(firstUrl, url));
  if (firstUrl !== undefined && secondUrl !== undefined) {
    throw new HarnessError(
      "usage",
      `these runs left conversations on ${new URL(firstUrl).host} and ${new URL(secondUrl).host}; Assay does not send the same token to both; pass runs of only one instance, or select a configured target with --target`,
    );
  }
}

/** Resolves each URL once, so that a token command runs and standard input is read only once. */
function createTargetResolver(
  options: CleanupOptions,
  context: CommandContext,
): (url: string) => Promise<ResolvedTarget> {
  const resolvedTargets = new Map<string, Promise<ResolvedTarget>>();
  let inputText: Promise<string> | undefined;
  const readInput = (): Promise<string> => (inputText ??= readStdin(context.stdin));
  return (url) => {
    const target = resolvedTargets.get(url) ?? resolveTarget({ url, options, context, readInput });
    resolvedTargets.set(url, target);
    return target;
  };
}

interface CleanupContext {
  readonly options: CleanupOptions;
  readonly context: CommandContext;
  readonly resolveTargetOnce: ReturnType<typeof createTargetResolver>;
}

async function cleanUpRun({ folder, targets }: RunToCleanUp, cleanup: CleanupContext): Promise<CleanUpResult> {
  const ledger = await openLedger(folder);
  try {
    return await cleanUpTargets(targets, ledger, cleanup);
  } finally {
    await ledger.close();
  }
}

/** Returns the head's own tokens. Falls back to the base's tokens if both targets may share credentials. */
async function findHeadTokens(
  urls: { readonly base: string; readonly head: string },
  { options, context, resolveTargetOnce }: CleanupContext,
) {
  const ownToken = context.env["ASSAY_AGAINST_TOKEN"];
  if (ownToken !== undefined && ownToken !== "") {
    return { "access-token": ownToken };
  }
  const sourceUrl = hasOwnToken(urls.head, options)
    ? urls.head
    : mayShareCredentials(urls.base, urls.head)
      ? urls.base
      : undefined;
  return sourceUrl === undefined ? {} : groupTokensByKind((await resolveTargetOnce(sourceUrl)).credentials);
}

/** Deletes conversations on the target, or on both targets of a comparison, each with its own token. */
async function cleanUpTargets(
  targets: readonly string[],
  ledger: Ledger,
  cleanup: CleanupContext,
): Promise<CleanUpResult> {
  const { options, context, resolveTargetOnce } = cleanup;
  const [firstTargetUrl = "", headUrl] = targets;
  if (headUrl !== undefined && options.url !== undefined) {
    throw new HarnessError("usage", "a comparison has two targets, so --url is ambiguous; remove it");
  }
  const baseUrl = options.url ?? firstTargetUrl;
  const baseTarget = await resolveTargetOnce(baseUrl);
  warnAboutWithheldVariables(baseTarget, context);
  const tokens = groupTokensByKind(baseTarget.credentials);
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    throw new HarnessError("usage", "conversations remain, but no token is set to delete them; set ASSAY_TOKEN");
  }
  const createCleanUpOptions = (
    target: Omit<LedgerCleanUpOptions["target"], "embedded">,
    extraHeaders: LedgerCleanUpOptions["extraHeaders"],
  ) => ({
    target: { ...target, embedded: false },
    env: context.env,
    extraHeaders,
    entries: ledger.entries(),
    ledger,
    limits: selectLimits(options, target).name,
    // Per target.
    deadlineMs: 120_000,
    signal: context.signal,
  });
  const { clientCertificate } = baseTarget;
  const baseOptions = createCleanUpOptions({ url: baseUrl, tokens, clientCertificate }, baseTarget.extraHeaders);
  if (headUrl === undefined) {
    return cleanUpLedger(baseOptions);
  }
  const headTarget = {
    url: headUrl,
    tokens: await findHeadTokens({ base: baseUrl, head: headUrl }, cleanup),
    clientCertificate: (await readTargetCertificate({ url: headUrl, options, context })) ?? clientCertificate,
  };
  // `cleanUpBothTargets` records the deletions of both targets.
  const { ledger: _ledger, ...readOnlyBaseOptions } = baseOptions;
  return cleanUpBothTargets(
    readOnlyBaseOptions,
    createCleanUpOptions(
      headTarget,
      mayShareCredentials(baseUrl, headUrl) ? baseTarget.extraHeaders : (await resolveTargetOnce(headUrl)).extraHeaders,
    ),
  );
}
