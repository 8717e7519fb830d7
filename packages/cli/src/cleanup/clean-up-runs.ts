import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createClient, createRunClock, extraHeadersFrom, resolveCredentials } from "@assay/client";
import type { Credentials } from "@assay/client";
import { credentialKinds, readBundle, visibleText } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import { cleanUp, conversationLimits, createRateLimit, ledgerFile, openLedger } from "@assay/runner";
import type { CleanUpEnd, Ledger } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { readStdin } from "../read-stdin.ts";
import { tokensOf } from "../run/run-target.ts";
import { tool } from "../version.ts";

/** Options of `assay cleanup`, as commander hands them over. */
export interface CleanupOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

const runsFolder = "reports/runs";

/** Folders to look at: those named, which have to hold a run, or all there are. */
function foldersOf(runs: readonly string[], cwd: string): readonly string[] {
  const all = resolve(cwd, runsFolder);
  const named = runs.map((run) => resolve(cwd, run));
  const missing = named.find((folder) => !existsSync(join(folder, "manifest.json")));
  if (missing !== undefined) {
    throw new UsageError(`${relative(cwd, missing) || "."} is not the folder of a run: it holds no manifest.json`);
  }
  const found = runs.length > 0 ? named : existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
  return found.filter((folder) => existsSync(join(folder, ledgerFile))).toSorted();
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

async function cleanUpRun(folder: string, cleaning: Cleaning): Promise<CleanUpEnd> {
  const { manifest } = await readBundle(folder);
  const ledger = await openLedger(folder);
  try {
    const isOpen = ledger.entries().some(({ state }) => state === "open");
    // A server that a run started ended with it, and kept nothing.
    if (!isOpen || manifest.target.embedded) {
      return nothing;
    }
    return await cleanUpLedger(ledger, manifest.target.url, cleaning);
  } finally {
    await ledger.close();
  }
}

function cleanUpLedger(ledger: Ledger, url: string, { options, context, credentials }: Cleaning): Promise<CleanUpEnd> {
  const clock = createRunClock();
  const { env } = context;
  const userAgent = `${tool.name}/${tool.version}`;
  const client = createClient({
    baseUrl: options.url ?? url,
    clock,
    userAgent,
    env,
    extraHeaders: extraHeadersFrom(env),
  });
  const tokens = tokensOf(credentials);
  const mainCredential: CredentialKind = tokens["access-token"] === undefined ? "oauth-token" : "access-token";
  if (tokens[mainCredential] === undefined) {
    throw new UsageError("something is left behind, and no token was given to remove it with; set ASSAY_TOKEN");
  }
  const limits = conversationLimits("staging");
  let next = 0;
  return cleanUp({
    send: async ({ id, probe, ...call }) => {
      const token = tokens[call.credential];
      return { ...(await client.call({ ...call, ...(token === undefined ? {} : { token }) })), id, probe };
    },
    nextId: () => String((next += 1)),
    mainCredential,
    limits,
    rateLimit: createRateLimit(limits.requestsPerSecond, clock),
    clock,
    wait: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
    credentials: new Set(credentialKinds.filter((kind) => tokens[kind] !== undefined)),
    entries: ledger.entries(),
    ledger,
    deadlineMs: 120_000,
    signal: context.signal,
  });
}
