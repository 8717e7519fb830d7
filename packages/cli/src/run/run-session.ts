import { createHash, randomBytes, randomInt } from "node:crypto";
import { resolve } from "node:path";
import {
  createClient,
  createRunClock,
  extraHeadersFrom,
  parseBaseUrl,
  secretsOfHeaders,
  secretsOfProxies,
} from "@assay/client";
import { EvidenceError, createBundleWriter, createRedactor, credentialKinds, readBundle } from "@assay/evidence";
import type { HeaderField, KnownFailureFile, Manifest, Secret } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import {
  catalogueDigest,
  driveRun,
  findProfile,
  judgeBundle,
  openApiDigest,
  probesFor,
  selectRules,
} from "@assay/runner";
import type { Selection, SendSearch } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { tool } from "../version.ts";
import { finishRun } from "./finish-run.ts";
import { newRunId } from "./run-id.ts";
import type { RunOptions } from "./run-options.ts";
import { progressListener } from "./run-progress.ts";
import { openTarget } from "./run-target.ts";
import type { RunTarget } from "./run-target.ts";

/** What one run consists of. */
interface Session {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly selection: Selection;
  readonly target: RunTarget;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  /** Sent with every search to a target that this process did not start. */
  readonly extraHeaders: readonly HeaderField[];
}

/** Drives, records, judges and reports one run; returns the exit code. Mistakes in the options fail before anything is sent. */
export async function runAgainstTarget(options: RunOptions, context: CommandContext): Promise<number> {
  const profile = findProfile(options.profile);
  const selection = selectRules(profile, options.rule);
  const knownFailures = await readKnownFailures(options.knownFailures, context.cwd);
  const seed = options.seed ?? randomInt(2 ** 32);
  const target = await openTarget(options, context, seed);
  try {
    const session = openSession({ options, context, selection, target, seed, knownFailures });
    const result = await driveAndJudge(session);
    return await finishRun({ ...session, result });
  } finally {
    await target.close();
  }
}

interface SessionParts extends Pick<Session, "options" | "context" | "selection" | "target"> {
  readonly seed: number;
  readonly knownFailures: readonly KnownFailureFile[];
}

function openSession({ options, context, selection, target, seed, knownFailures }: SessionParts): Session {
  const now = new Date();
  const runId = newRunId(now);
  const { href } = parseBaseUrl(target.url);
  const manifest: Manifest = {
    schemaVersion: 1,
    runId,
    tool,
    startedAt: now.toISOString(),
    target: { url: href.replace(/\/+$/u, ""), access: target.access, embedded: target.embedded },
    profile: options.profile,
    seed,
    rules: selection.rules,
    strict: options.strict ?? false,
    digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    ...(knownFailures.length === 0 ? {} : { knownFailures }),
  };
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${runId}`);
  const extraHeaders = extraHeadersFrom(context.env);
  const secrets = [...target.secrets, ...secretsOfHeaders(extraHeaders), ...secretsOfProxies(context.env)];
  return { options, context, selection, target, manifest, folder, secrets, extraHeaders };
}

async function driveAndJudge(session: Session): Promise<RunResult> {
  const { options, context, selection, target, manifest, folder, secrets, extraHeaders } = session;
  // From here on an interrupt ends the run in good order; before, nothing was written that could be left half done.
  const { signal } = context;
  const headerNames = extraHeaders.map(([name]) => name);
  const redactor = createRedactor({ secrets, secretHeaderNames: headerNames, key: randomBytes(32) });
  const clock = createRunClock();
  const send = searchSender(session, clock);
  const progress = progressListener(options, context);
  const writer = await createBundleWriter({ directory: folder, manifest, redactor }).catch(refuseFolder);
  const overallMicros = options.timeout * 1_000_000;
  const footer = await driveRun({
    plan: probesFor(selection.rules, options.query),
    mainCredential:
      target.tokens["access-token"] !== undefined
        ? "access-token"
        : target.tokens["oauth-token"] !== undefined
          ? "oauth-token"
          : "none",
    credentials: new Set(credentialKinds.filter((kind) => target.tokens[kind] !== undefined)),
    parallel: options.parallel,
    send,
    writer,
    isOverdue: () => clock.nowMicros() > overallMicros,
    signal,
    listener: progress,
  });
  await writer.close(footer);
  progress.judging();
  const result = judgeBundle(await readBundle(folder));
  progress.end();
  return result;
}

/** Before the first search nothing can have been removed or have broken: the folder was badly chosen. */
function refuseFolder(error: unknown): never {
  throw error instanceof EvidenceError && (error.code === "folder-removed" || error.code === "disk-failed")
    ? new UsageError(`${error.message}; --out has to name a folder that is new or empty`, { cause: error })
    : error;
}

/** A token that looks like one and was never issued; the same for the same seed. */
const invalidToken = (seed: number): string => `sgp_${createHash("sha1").update(`never issued ${seed}`).digest("hex")}`;

/** Most time one search may take. */
const maxSearchMs = 120_000;

/** How the last event of a stream is written, after which a short time is enough to see whether more comes. */
const doneEvent = Buffer.from("event: done\ndata: {}\n\n");

function searchSender(
  { context, target, manifest, options, extraHeaders }: Session,
  clock: ReturnType<typeof createRunClock>,
): SendSearch {
  const client = createClient({
    baseUrl: target.url,
    clock,
    userAgent: `${tool.name}/${tool.version}`,
    // The server that this process started is reached without a proxy.
    env: target.embedded ? {} : context.env,
    extraHeaders: target.embedded ? [] : extraHeaders,
  });
  /** What is left of the time for the whole run, at least a second; no search gets more than its share. */
  const leftMs = (): number => Math.max(1000, options.timeout * 1000 - clock.nowMicros() / 1000);
  const tokens = { ...target.tokens, "invalid-token": invalidToken(manifest.seed) };
  return async ({ id, probe, credential }) => {
    const token = tokens[credential];
    const draft = await client.search({
      parameters: Object.entries(probe.parameters),
      credential,
      ...(token === undefined ? {} : { token }),
      // A target that keeps the connection open has said all it has to say.
      lingerAfter: doneEvent,
      totalTimeoutMs: Math.round(Math.min(maxSearchMs, leftMs())),
      signal: context.signal,
    });
    return { ...draft, id, probe: probe.id };
  };
}
