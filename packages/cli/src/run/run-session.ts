import { randomBytes, randomInt } from "node:crypto";
import { resolve } from "node:path";
import { type Client, createRunClock, parseBaseUrl, type RunClock } from "@assay/client";
import { EvidenceError, createBundleWriter, createRedactor, credentialKinds } from "@assay/evidence";
import type {
  BundleWriter,
  ExchangeDraft,
  FooterInfo,
  HeaderField,
  KnownFailureFile,
  Manifest,
  Redactor,
  Secret,
} from "@assay/evidence";
import {
  catalogueDigest,
  createPace,
  driveRun,
  findProfile,
  judgedInterfaces,
  nearestName,
  openApiDigest,
  probesFor,
  selectRules,
  withinInterfaces,
} from "@assay/runner";
import type { ConversationLimits, JudgedInterface, Pace, Selection } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { tool } from "../version.ts";
import { readBaselineRun } from "../baseline/run-baseline.ts";
import { fetchNamedApi, isAddress } from "./api-address.ts";
import { checkApiFile } from "./api-file.ts";
import { documentMs, driveConversations, recordApiDocument, runWait, wantsConversations } from "./conversation-part.ts";
import type { ConversationPart } from "./conversation-part.ts";
import { finishRun } from "./finish-run.ts";
import { type JudgedFacts, resultsHere } from "./run-results.ts";
import { durationNote, limitsFor, whyNothingIsAsked } from "./run-limits.ts";
import { newRunId } from "./run-id.ts";
import { checkLogFile, createRunLog, logged, runStarted } from "./run-log.ts";
import type { RunLog } from "./run-log.ts";
import type { RunOptions } from "./run-options.ts";
import { progressListener } from "./run-progress.ts";
import type { RunProgress } from "./run-progress.ts";
import { openTarget } from "./run-target.ts";
import type { RunTarget } from "./run-target.ts";
import { clientFor, invalidToken, mainCredentialOf, searchSender } from "./target-client.ts";
import type { TargetAccess } from "./target-client.ts";

/** What one run consists of. */
interface Session {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly selection: Selection;
  readonly target: RunTarget;
  readonly manifest: Manifest;
  /** What may be asked of the conversation API. */
  readonly limits: ConversationLimits;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  /** Sent with every search to a target that this process did not start. */
  readonly extraHeaders: readonly HeaderField[];
  readonly clock: RunClock;
  /** How the OpenAPI document was fetched from an address that was named [not at all]. */
  readonly fetchedApi?: readonly ExchangeDraft[];
}

/** Drives, records, judges and reports one run; returns the exit code. Mistakes in the options fail before anything is sent. */
export async function runAgainstTarget(options: RunOptions, context: CommandContext): Promise<number> {
  const before = await readBaselineRun(options.baseline, context.cwd);
  return withSession(options, context, async (session, log) => {
    const { ended, progress } = await record(session, log);
    const leftMs = options.timeout * 1000 - session.clock.nowMicros() / 1000;
    const baseline = before === undefined ? {} : { before };
    return finishRun({ ...session, ...baseline, log, progress, leftMs, isInterrupted: ended === "interrupted" });
  });
}

/** The same without a report: the evidence is written, and what it was judged to be is given. */
export const judgeTarget = (options: RunOptions, context: CommandContext): Promise<JudgedFacts> =>
  withSession(options, context, async (session, log) => {
    await record(session, log);
    return resultsHere(session).judge();
  });

async function withSession<Ended>(
  options: RunOptions,
  context: CommandContext,
  work: (session: Session, log: RunLog) => Promise<Ended>,
): Promise<Ended> {
  const profile = findProfile(options.profile);
  const selection = withinInterfaces(selectRules(profile, options.rule), interfacesOf(options));
  await checkApiFile(options.openapi, context.cwd);
  const knownFailures = await readKnownFailures(options.knownFailures, context.cwd);
  checkLogFile(options, context.cwd);
  const seed = options.seed ?? randomInt(2 ** 32);
  const target = await openTarget(options, context, seed);
  const clock = createRunClock();
  try {
    const fetched = await namedApi(options, { target, extraHeaders: target.extraHeaders, env: context.env }, clock);
    const session = { ...openSession({ options, context, selection, target, seed, knownFailures, clock }), ...fetched };
    const log = createRunLog({ ...session, also: options.log });
    return await logged(log, context, () => work(session, log));
  } finally {
    await target.close();
  }
}

/** The OpenAPI document, where an address was named for it. */
async function namedApi(
  options: RunOptions,
  access: TargetAccess,
  clock: RunClock,
): Promise<Pick<Session, "fetchedApi">> {
  const { openapi } = options;
  if (openapi === undefined || !isAddress(openapi)) {
    return {};
  }
  const client = clientFor(access, clock);
  const limits = limitsFor(options, access.target);
  const { signal } = new AbortController();
  const leftMs = (): number => options.timeout * 1000 - clock.nowMicros() / 1000;
  const pace = createPace({ limits, clock, wait: runWait, signal, leftMs });
  const describe: Client["describe"] = async (request) => {
    await pace.turn();
    return client.describe({ ...request, totalTimeoutMs: documentMs(leftMs()) });
  };
  const fetchedApi = await fetchNamedApi(openapi, { describe });
  // What comes next begins to count anew.
  await pace.turn();
  return { fetchedApi };
}

/** The interfaces that were asked for; all without any. */
function interfacesOf({ interface: names }: RunOptions): ReadonlySet<JudgedInterface> {
  const wanted = judgedInterfaces.filter((name) => names === undefined || names.includes(name));
  const unknown = names?.find((name) => !judgedInterfaces.some((known) => known === name));
  if (unknown !== undefined) {
    const near = nearestName(unknown, judgedInterfaces);
    const hint = near === undefined ? `--interface takes ${judgedInterfaces.join(", ")}` : `did you mean \`${near}\`?`;
    throw new UsageError(`there is no interface "${unknown}"; ${hint}`);
  }
  return new Set(wanted);
}

interface SessionParts extends Pick<Session, "options" | "context" | "selection" | "target" | "clock"> {
  readonly seed: number;
  readonly knownFailures: readonly KnownFailureFile[];
}

function openSession({ options, context, selection, target, seed, knownFailures, clock }: SessionParts): Session {
  const now = new Date();
  const runId = newRunId(now);
  const { href } = parseBaseUrl(target.url);
  const limits = limitsFor(options, target);
  const asksNothing = whyNothingIsAsked(limits, target);
  const manifest: Manifest = {
    schemaVersion: 1,
    runId,
    tool,
    startedAt: now.toISOString(),
    target: {
      url: href.replace(/\/+$/u, ""),
      access: target.access,
      sharing: target.sharing,
      embedded: target.embedded,
      ...(asksNothing === undefined ? {} : { asksNothing }),
    },
    profile: options.profile,
    seed,
    rules: selection.rules,
    strict: options.strict ?? false,
    digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    ...(knownFailures.length === 0 ? {} : { knownFailures }),
  };
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${runId}`);
  const { secrets, extraHeaders } = target;
  return { options, context, selection, target, manifest, limits, folder, secrets, extraHeaders, clock };
}

/** A run that is recorded, and whoever is told how it goes on. */
interface Recorded extends Pick<FooterInfo, "ended"> {
  readonly progress: RunProgress;
}

/** Sends everything and writes what came back. */
async function record(session: Session, log: RunLog): Promise<Recorded> {
  const { options, manifest, folder, secrets, extraHeaders, context } = session;
  // From here on an interrupt ends the run in good order; before, nothing was written that could be left half done. Asking
  // for the signal is what begins to listen.
  const { signal } = context;
  const headerNames = extraHeaders.map(([name]) => name);
  const redactor = createRedactor({ secrets, secretHeaderNames: headerNames, key: randomBytes(32) });
  const writer = await createBundleWriter({ directory: folder, manifest, redactor }).catch(refuseFolder);
  log.tell(runStarted(manifest));
  context.err(options.quiet === true ? "" : durationNote({ ...session, rules: session.selection.rules }));
  const progress = progressListener(options, context, log);
  const footer = await drive(session, { writer, redactor, progress, signal });
  await writer.close(footer);
  return { ended: footer.ended, progress };
}

/** What driving works with. */
interface Driving {
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly progress: RunProgress;
  readonly signal: AbortSignal;
}

/** Sends everything: the searches, then the conversations, unless the searches already ended the run. */
async function drive(session: Session, driving: Driving): Promise<FooterInfo> {
  const { options, selection, manifest, clock } = session;
  const { writer, progress, signal } = driving;
  const { target, context, extraHeaders } = session;
  const client = clientFor({ target, extraHeaders, env: context.env }, clock);
  const overallMicros = options.timeout * 1_000_000;
  const isOverdue = (): boolean => clock.nowMicros() > overallMicros;
  const leftMs = (): number => (overallMicros - clock.nowMicros()) / 1000;
  const pace = createPace({ limits: session.limits, clock, wait: runWait, signal, leftMs });
  const part = conversationPart(session, { ...driving, client, isOverdue, leftMs, pace });
  const streams = await driveRun({
    plan: probesFor(selection.rules, options.query),
    mainCredential: mainCredentialOf(target),
    credentials: new Set(credentialKinds.filter((kind) => target.tokens[kind] !== undefined)),
    parallel: Math.min(options.parallel, session.limits.searchesAtOnce),
    pace,
    send: searchSender({
      client,
      tokens: target.tokens,
      seed: manifest.seed,
      leftMs,
      signal,
    }),
    writer,
    isOverdue,
    signal,
    listener: progress,
  });
  if (streams.ended !== "complete" || !wantsConversations(selection.rules) || part.mainCredential === "none") {
    return streams;
  }
  await recordApiDocument(part);
  const { end: _end, ...footer } = await driveConversations(part);
  const unsent = [...(streams.unsent ?? []), ...(footer.unsent ?? [])];
  return { ...footer, ...(unsent.length === 0 ? {} : { unsent }) };
}

interface ConversationDriving extends Driving {
  readonly client: Client;
  readonly isOverdue: () => boolean;
  readonly leftMs: () => number;
  readonly pace: Pace;
}

/** Ids of calls stand behind those of searches. */
function idsAfterSearches(): () => string {
  let next = 10_000;
  return () => String((next += 1));
}

/** A word of the query that code may hold, else one that most code does. */
const wordOf = (query: string): string =>
  query.split(/\s+/u).find((part) => /^[\p{L}_][\p{L}\p{N}_]{2,40}$/u.test(part)) ?? "test";

function conversationPart(
  { options, context, selection, target, manifest, limits, folder, clock, fetchedApi }: Session,
  { writer, redactor, progress, signal, client, isOverdue, leftMs, pace }: ConversationDriving,
): ConversationPart {
  return {
    client,
    target,
    tokens: { ...target.tokens, "invalid-token": invalidToken(manifest.seed) },
    mainCredential: mainCredentialOf(target),
    rules: selection.rules,
    limits,
    marker: manifest.runId,
    seed: manifest.seed,
    word: wordOf(options.query),
    folder,
    cwd: context.cwd,
    ...(options.openapi === undefined ? {} : { openapi: options.openapi }),
    ...(fetchedApi === undefined ? {} : { fetchedApi }),
    writer,
    redact: (text) => redactor.text(text),
    nextId: idsAfterSearches(),
    nowMicros: () => clock.nowMicros(),
    isOverdue,
    leftMs,
    pace,
    signal,
    listener: progress,
  };
}

/** Before the first search nothing can have been removed or have broken: the folder was badly chosen. */
export function refuseFolder(error: unknown): never {
  throw error instanceof EvidenceError && (error.code === "folder-removed" || error.code === "disk-failed")
    ? new UsageError(`${error.message}; --out has to name a folder that is new or empty`, { cause: error })
    : error;
}
