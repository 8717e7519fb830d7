import { counted, HarnessError } from "@assay/contract";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isSameTrust } from "@assay/client";
import { readBundle, visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import {
  type CleanUpEnd,
  type Ledger,
  conversationLimitNames,
  ledgerFile,
  openLedger,
  readLedger,
} from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { runsFolder } from "../compare/stored-runs.ts";
import { canaryFolder } from "../load/canary.ts";
import { earlierHeadFolder, unloadedFolders } from "../load-judge/judge-kept-exchanges.ts";
import { loadRunFile, readLoadRunFile } from "../load/load-run-file.ts";
import { type TargetOptions, normalizeUrl, targetFlag } from "../config/file-targets.ts";
import { type OptionsOf, choice, text } from "../flag.ts";
import { readStdin } from "../read-stdin.ts";
import { certificateFlags, readTargetCertificate } from "../run/certificate-flags.ts";
import { runOrLatest } from "../latest-run.ts";
import { rejectMissingRun, storedRunPath } from "../run-to-judge.ts";
import { type ReachedTarget, hasOwnToken, resolveTarget, reportWithheld } from "../run/resolve-target.ts";
import { targetFlags } from "../run/target-flags.ts";
import { selectLimits } from "../run/run-limits.ts";
import { groupTokensByKind } from "../run/run-target.ts";
import { type LedgerCleanUp, cleanUpBoth, cleanUpLedger } from "./clean-up-ledger.ts";

/** The flags of `assay cleanup`. */
export const cleanupFlags = {
  url: text("<URL>", "current address of the target (default: the address in each run)"),
  target: targetFlag,
  limits: choice("<NAME>", conversationLimitNames, "pace and cost (default: as run)"),
  tokenFile: targetFlags.tokenFile,
  tokenCommand: targetFlags.tokenCommand,
  ...certificateFlags,
};

export type CleanupOptions = OptionsOf<typeof cleanupFlags> & TargetOptions;

/** Files with the target of a run, and of a load run. */
const manifests = ["manifest.json", loadRunFile] as const;

/** Returns the named folders, each of which must contain a run, or all run folders. */
function findRunFolders(runs: readonly string[], context: CommandContext): readonly string[] {
  const { cwd } = context;
  const runsPath = resolve(cwd, runsFolder);
  const texts = runs.map((run) => runOrLatest(run, context, "recorded"));
  const namedFolders = texts.map((run) => storedRunPath(run, cwd) ?? rejectMissingRun(run, cwd));
  const missing = namedFolders.find((folder) => !manifests.some((name) => existsSync(join(folder, name))));
  if (missing !== undefined) {
    throw new HarnessError(
      "usage",
      `${relative(cwd, missing) || "."} is not a run folder: it contains no manifest.json`,
    );
  }
  const runFolders =
    runs.length > 0
      ? namedFolders
      : existsSync(runsPath)
        ? readdirSync(runsPath).map((name) => join(runsPath, name))
        : [];
  // The contract checks of a load run have separate ledgers.
  const inner = ["", canaryFolder, ...Object.values(unloadedFolders), earlierHeadFolder];
  const candidates = runFolders.flatMap((folder) => inner.map((name) => join(folder, name)));
  return candidates.filter((folder) => existsSync(join(folder, ledgerFile))).toSorted();
}

/** Deletes the conversations that runs left behind, and reports them for each run. Returns the exit code. */
export async function cleanUpRuns(
  runs: readonly string[],
  options: CleanupOptions,
  context: CommandContext,
): Promise<number> {
  const folders = findRunFolders(runs, context);
  const leftoverRuns = await Promise.all(folders.map((folder) => findLeftovers(folder)));
  const chosen = leftoverRuns.filter(({ targets }) => isWanted(targets, options));
  rejectSharedToken(chosen, options);
  const reach = createTargetResolver(options, context);
  const ends: CleanUpEnd[] = [];
  for (const run of chosen) {
    const end = run.isOpen ? await cleanUpRun(run, { options, context, reach }) : noLeftovers;
    context.out(renderCleanUpEnd(relative(context.cwd, run.folder), end));
    ends.push(end);
  }
  const leftCount = ends.flatMap((end) => end.left).length;
  const deleted = ends.flatMap((end) => end.deleted).length;
  context.out(`${deleted} deleted, ${leftCount} left behind, in ${counted(ends.length, "run")}\n`);
  return exitCodeOf(leftCount === 0 ? "passed" : "cleanup-incomplete");
}

const renderCleanUpEnd = (folder: string, { deleted, left }: CleanUpEnd): string =>
  [
    ...deleted.map((what) => `${folder}: deleted ${visibleText(what, 200)}`),
    ...left.map(({ what, why }) => `${folder}: left ${visibleText(what, 200)}: ${visibleText(why, 200)}`),
  ]
    .map((line) => `${line}\n`)
    .join("");

const noLeftovers: CleanUpEnd = { deleted: [], left: [] };

/** The targets on which a run left conversations. */
interface LeftoverTargets {
  readonly targets: readonly string[];
  readonly embedded: boolean;
}

async function readTargets(folder: string): Promise<LeftoverTargets> {
  const load = await readLoadRunFile(folder);
  if (load !== undefined) {
    return load;
  }
  const { manifest } = await readBundle(folder);
  return { targets: [manifest.target.url], embedded: manifest.target.embedded };
}

/** A run that may have left conversations. */
interface LeftoverRun extends Pick<LeftoverTargets, "targets"> {
  readonly folder: string;
  readonly isOpen: boolean;
}

async function findLeftovers(folder: string): Promise<LeftoverRun> {
  const { targets, embedded } = await readTargets(folder);
  const entries = (await readLedger(folder)) ?? [];
  // An embedded server stops with its run and keeps no conversations.
  return { folder, targets, isOpen: !embedded && entries.some(({ state }) => state === "open") };
}

/** Reports whether a run used the target of `--target`. */
function isWanted(targets: readonly string[], { target: name, fileTargets }: CleanupOptions): boolean {
  const target = name === undefined ? undefined : fileTargets?.targets[name];
  return target === undefined || targets.some((url) => normalizeUrl(url) === normalizeUrl(target.url));
}

/** Rejects runs on several instances, because a token of the environment belongs to only one of them. */
function rejectSharedToken(all: readonly LeftoverRun[], options: CleanupOptions): void {
  const urls = all.flatMap(({ targets: [target = ""], isOpen }) => (isOpen ? [options.url ?? target] : []));
  const usual = urls.filter((url) => URL.canParse(url) && !hasOwnToken(url, options));
  const [first] = usual;
  const second = usual.find((url) => first !== undefined && !isSameTrust(first, url));
  if (first !== undefined && second !== undefined) {
    throw new HarnessError(
      "usage",
      `runs left conversations on ${new URL(first).host} and on ${new URL(second).host}, and one token must not be sent to both; pass the runs of one of them, or select a target of the configuration file with --target`,
    );
  }
}

/** Resolves each URL once, so that a token command runs and standard input is read only once. */
function createTargetResolver(
  options: CleanupOptions,
  context: CommandContext,
): (url: string) => Promise<ReachedTarget> {
  const reached = new Map<string, Promise<ReachedTarget>>();
  let input: Promise<string> | undefined;
  const readInput = (): Promise<string> => (input ??= readStdin(context.stdin));
  return (url) => {
    const target = reached.get(url) ?? resolveTarget({ url, options, context, readInput });
    reached.set(url, target);
    return target;
  };
}

interface CleanupContext {
  readonly options: CleanupOptions;
  readonly context: CommandContext;
  readonly reach: ReturnType<typeof createTargetResolver>;
}

async function cleanUpRun({ folder, targets }: LeftoverRun, cleaning: CleanupContext): Promise<CleanUpEnd> {
  const ledger = await openLedger(folder);
  try {
    return await cleanUpTargets(targets, ledger, cleaning);
  } finally {
    await ledger.close();
  }
}

/** The tokens of the head: its own, otherwise those of the base if both have the same trust. */
async function headTokens(
  urls: { readonly base: string; readonly head: string },
  { options, context, reach }: CleanupContext,
) {
  const ownToken = context.env["ASSAY_AGAINST_TOKEN"];
  if (ownToken !== undefined && ownToken !== "") {
    return { "access-token": ownToken };
  }
  const from = hasOwnToken(urls.head, options) ? urls.head : isSameTrust(urls.base, urls.head) ? urls.base : undefined;
  return from === undefined ? {} : groupTokensByKind((await reach(from)).credentials);
}

/** Deletes on the target, or on both targets of a comparison, each with its own token. */
async function cleanUpTargets(
  targets: readonly string[],
  ledger: Ledger,
  cleaning: CleanupContext,
): Promise<CleanUpEnd> {
  const { options, context, reach } = cleaning;
  const [first = "", head] = targets;
  if (head !== undefined && options.url !== undefined) {
    throw new HarnessError("usage", "a comparison has two targets, so --url is ambiguous; remove it");
  }
  const base = options.url ?? first;
  const reached = await reach(base);
  reportWithheld(reached, context);
  const tokens = groupTokensByKind(reached.credentials);
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    throw new HarnessError("usage", "conversations are left, and no token is set to remove them; set ASSAY_TOKEN");
  }
  const on = (target: Omit<LedgerCleanUp["target"], "embedded">, extraHeaders: LedgerCleanUp["extraHeaders"]) => ({
    target: { ...target, embedded: false },
    env: context.env,
    extraHeaders,
    entries: ledger.entries(),
    ledger,
    limits: selectLimits(options, target).name,
    deadlineMs: 120_000,
    signal: context.signal,
  });
  const { clientCertificate } = reached;
  const { ledger: own, ...withoutLedger } = on({ url: base, tokens, clientCertificate }, reached.extraHeaders);
  if (head === undefined) {
    return cleanUpLedger({ ...withoutLedger, ledger: own });
  }
  const headTarget = {
    url: head,
    tokens: await headTokens({ base, head }, cleaning),
    clientCertificate: (await readTargetCertificate({ url: head, options, context })) ?? clientCertificate,
  };
  return cleanUpBoth(
    withoutLedger,
    on(headTarget, isSameTrust(base, head) ? reached.extraHeaders : (await reach(head)).extraHeaders),
  );
}
