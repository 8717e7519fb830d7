import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { extraHeadersFrom, resolveCredentials } from "@assay/client";
import type { Credentials } from "@assay/client";
import { readBundle, visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import { ledgerFile, openLedger } from "@assay/runner";
import type { CleanUpEnd, Ledger } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { canaryFolder } from "../load/canary.ts";
import { loadRunFile, readLoadRunFile } from "../load/load-run-file.ts";
import { isSameTrust } from "../load/load-targets.ts";
import { readStdin } from "../read-stdin.ts";
import { type RunTarget, tokensOf } from "../run/run-target.ts";
import { type LedgerCleanUp, cleanUpBoth, cleanUpLedger } from "./clean-up-ledger.ts";

/** Options of `assay cleanup`, as commander hands them over. */
export interface CleanupOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

const runsFolder = "reports/runs";

/** Files that tell where a run was: of a run, and of a load run. */
const manifests = ["manifest.json", loadRunFile] as const;

/** Folders to look at: those named, which have to hold a run, or all there are. */
function foldersOf(runs: readonly string[], cwd: string): readonly string[] {
  const all = resolve(cwd, runsFolder);
  const named = runs.map((run) => resolve(cwd, run));
  const missing = named.find((folder) => !manifests.some((name) => existsSync(join(folder, name))));
  if (missing !== undefined) {
    throw new UsageError(`${relative(cwd, missing) || "."} is not the folder of a run: it holds no manifest.json`);
  }
  const found = runs.length > 0 ? named : existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
  // The canary of a load run has its own.
  const both = found.flatMap((folder) => [folder, join(folder, canaryFolder)]);
  return both.filter((folder) => existsSync(join(folder, ledgerFile))).toSorted();
}

/** Deletes what runs have left behind, run by run, and says what; returns the exit code. */
export async function cleanUpRuns(
  runs: readonly string[],
  options: CleanupOptions,
  context: CommandContext,
): Promise<number> {
  const folders = foldersOf(runs, context.cwd);
  const credentials = await credentialsFor(options, context);
  let left = 0;
  let deleted = 0;
  for (const folder of folders) {
    const end = await cleanUpRun(folder, { options, context, credentials });
    context.out(linesOf(relative(context.cwd, folder), end));
    left += end.left.length;
    deleted += end.deleted.length;
  }
  context.out(
    `${deleted} deleted, ${left} left behind, in ${folders.length} ${folders.length === 1 ? "run" : "runs"}\n`,
  );
  return exitCodeOf(left === 0 ? "passed" : "cleanup-incomplete");
}

const linesOf = (folder: string, { deleted, left }: CleanUpEnd): string =>
  [
    ...deleted.map((what) => `${folder}: deleted ${visibleText(what, 200)}`),
    ...left.map(({ what, why }) => `${folder}: left ${visibleText(what, 200)}: ${visibleText(why, 200)}`),
  ]
    .map((line) => `${line}\n`)
    .join("");

const credentialsFor = ({ tokenFile, tokenCommand }: CleanupOptions, { cwd, env, stdin }: CommandContext) =>
  resolveCredentials(env, {
    ...(tokenFile === undefined ? {} : { tokenFile: tokenFile === "-" ? "-" : resolve(cwd, tokenFile) }),
    ...(tokenCommand === undefined ? {} : { tokenCommand }),
    readStdin: () => readStdin(stdin),
  });

interface Cleaning {
  readonly options: CleanupOptions;
  readonly context: CommandContext;
  readonly credentials: Credentials;
}

const nothing: CleanUpEnd = { deleted: [], left: [] };

/** Where a run left what its ledger tells. */
interface LeftOn {
  readonly targets: readonly string[];
  readonly embedded: boolean;
}

async function targetsOf(folder: string): Promise<LeftOn> {
  const load = await readLoadRunFile(folder);
  if (load !== undefined) {
    return load;
  }
  const { manifest } = await readBundle(folder);
  return { targets: [manifest.target.url], embedded: manifest.target.embedded };
}

async function cleanUpRun(folder: string, cleaning: Cleaning): Promise<CleanUpEnd> {
  const { targets, embedded } = await targetsOf(folder);
  const ledger = await openLedger(folder);
  try {
    const isOpen = ledger.entries().some(({ state }) => state === "open");
    // A server that a run started ended with it, and kept nothing.
    return !isOpen || embedded ? nothing : await cleanUpOn(targets, ledger, cleaning);
  } finally {
    await ledger.close();
  }
}

/** Deletes on the target, or on both of a comparison; each with the token for it. */
function cleanUpOn(targets: readonly string[], ledger: Ledger, cleaning: Cleaning): Promise<CleanUpEnd> {
  const { options, context, credentials } = cleaning;
  const [a = "", b] = targets;
  const tokens = tokensOf(credentials);
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    throw new UsageError("something is left behind, and no token was given to remove it with; set ASSAY_TOKEN");
  }
  const on = (url: string, given: RunTarget["tokens"]): LedgerCleanUp & { readonly ledger: Ledger } => ({
    target: { url, embedded: false, tokens: given },
    env: context.env,
    extraHeaders: extraHeadersFrom(context.env),
    entries: ledger.entries(),
    ledger,
    limits: "staging",
    deadlineMs: 120_000,
    signal: context.signal,
  });
  if (b === undefined) {
    return cleanUpLedger(on(options.url ?? a, tokens));
  }
  if (options.url !== undefined) {
    throw new UsageError("a comparison was run on two targets, so --url does not say which; leave it out");
  }
  const own = context.env["ASSAY_AGAINST_TOKEN"];
  const second = own === undefined || own === "" ? (isSameTrust(a, b) ? tokens : {}) : { "access-token": own };
  const { ledger: _later, ...first } = on(a, tokens);
  return cleanUpBoth(first, on(b, second));
}
