import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { randomBytes, randomInt } from "node:crypto";
import { resolve } from "node:path";
import { createRunClock, parseBaseUrl } from "@assay/client";
import type { Client, RunClock } from "@assay/client";
import { createBundleWriter, createRedactor } from "@assay/evidence";
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
  documentMs,
  findProfile,
  judgedInterfaces,
  nearestName,
  openApiDigest,
  rulesAsOf,
  runContract,
  selectRules,
  wait,
  withinInterfaces,
  withoutRules,
  withTags,
} from "@assay/runner";
import type { ConversationLimits, JudgedInterface, Profile, ReasonToStop, Selection } from "@assay/runner";
import { seededRandom } from "@assay/reference-server";
import type { CommandContext } from "../command-context.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { selectReporter } from "../reporter.ts";
import { tool } from "../version.ts";
import { readBaselineRun } from "../baseline/run-baseline.ts";
import { fetchNamedApi, isUrl } from "./api-address.ts";
import { checkApiFile, readApiFile } from "./api-file.ts";
import { replaceFailedRules } from "./failed-rules.ts";
import { finishRun } from "./finish-run.ts";
import { createBail } from "./bail.ts";
import { prepareResults, type ResultsPlace } from "./results-in-worker.ts";
import { openResultsInThisThread } from "./run-results.ts";
import type { JudgingFacts, RunResults } from "./run-results.ts";
import { durationNote, selectLimits, estimateProbes, reasonForNoQuestions } from "./run-limits.ts";
import { newRunId } from "./run-id.ts";
import { checkLogFile, createRunLog, logged, runStarted } from "./run-log.ts";
import type { RunLog } from "./run-log.ts";
import type { RunOptions } from "./run-options.ts";
import { progressListener } from "./run-progress.ts";
import type { RunProgress } from "./run-progress.ts";
import { openTarget } from "./run-target.ts";
import type { RunTarget } from "./run-target.ts";
import { createTargetClient } from "./target-client.ts";
import type { TargetAccess } from "./target-client.ts";

/** All settings of one run. */
interface Session {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly selection: Selection;
  readonly target: RunTarget;
  readonly manifest: Manifest;
  /** Limits for the conversation API. */
  readonly limits: ConversationLimits;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  /** Sent with every request to a target that this process did not start. */
  readonly extraHeaders: readonly HeaderField[];
  readonly clock: RunClock;
  /** The exchanges that fetched the OpenAPI document from its URL [none]. */
  readonly fetchedApi?: readonly ExchangeDraft[];
}

/** Drives, records, judges and reports one run. Returns the exit code. Rejects wrong options before any request. */
export async function runAgainstTarget(options: RunOptions, context: CommandContext): Promise<number> {
  const before = await readBaselineRun(options.baseline, context);
  return withSession(options, context, async (session, log) => {
    const place = prepareResults();
    try {
      const { ended, progress } = await record(session, log, place);
      const leftMs = options.timeout * 1000 - session.clock.nowMicros() / 1000;
      const rest = { ...defined({ before }), log, progress, leftMs, isInterrupted: ended === "interrupted" };
      return await finishRun({ ...session, ...rest, place });
    } finally {
      await place.close();
    }
  });
}

/**
 * Like `runAgainstTarget`, but returns the verdicts instead of reporting them. For tests that judge in their own process.
 * @testonly
 */
export const judgeTarget = (options: RunOptions, context: CommandContext): Promise<JudgingFacts> =>
  withSession(options, context, async (session, log) => {
    await record(session, log, { open: openResultsInThisThread });
    return openResultsInThisThread(session).judge();
  });

async function withSession<Ended>(
  options: RunOptions,
  context: CommandContext,
  work: (session: Session, log: RunLog) => Promise<Ended>,
): Promise<Ended> {
  const profile = findProfile(options.profile);
  if (profile.name === "release" && !options.proof) {
    throw new HarnessError(
      "usage",
      "the profile `release` requires confirmed passes; remove --no-proof, or use --profile gate",
    );
  }
  const selection = removeNewerRules(
    selectProfileRules(profile, replaceFailedRules(options, context)),
    options,
    context,
  );
  await checkApiFile(options.openapi, context.cwd);
  const knownFailures = await readKnownFailures(options.knownFailures, context.cwd);
  checkLogFile(options, context.cwd);
  const seed = options.seed ?? randomInt(2 ** 32);
  const target = await openTarget(options, context, seed);
  const clock = createRunClock();
  try {
    const fetched = await fetchApiIfNamed(
      options,
      { target, extraHeaders: target.extraHeaders, env: context.env },
      clock,
    );
    const session = { ...openSession({ options, context, selection, target, seed, knownFailures, clock }), ...fetched };
    const log = createRunLog({ ...session, also: options.log });
    return await logged(log, context, () => work(session, log));
  } finally {
    await target.close();
  }
}

/** Returns the rules of a profile that the flags select. */
function selectProfileRules(profile: Profile, options: RunOptions): Selection {
  const within = withinInterfaces(selectRules(profile, options.rule), selectInterfaces(options));
  const tagged = options.tag === undefined ? within : withTags(within, options.tag);
  return withoutRules(tagged, { patterns: options.notRule ?? [], tags: options.notTag ?? [] });
}

/** Removes rules that are newer than `--rules-as-of` and prints them. */
function removeNewerRules(
  selection: Selection,
  { rulesAsOf: version }: RunOptions,
  { err }: CommandContext,
): Selection {
  if (version === undefined) {
    return selection;
  }
  const { newer, ...rest } = rulesAsOf(selection, version);
  if (newer.length > 0) {
    err(`note: not tested, because they are newer than version ${version}: ${newer.join(", ")}\n`);
  }
  return rest;
}

/** Fetches the OpenAPI document if it is specified by its URL. */
async function fetchApiIfNamed(
  options: RunOptions,
  access: TargetAccess,
  clock: RunClock,
): Promise<Pick<Session, "fetchedApi">> {
  const { openapi } = options;
  if (openapi === undefined || !isUrl(openapi)) {
    return {};
  }
  const client = createTargetClient(access, clock);
  const limits = selectLimits(options, access.target);
  const { signal } = new AbortController();
  const leftMs = (): number => options.timeout * 1000 - clock.nowMicros() / 1000;
  const pace = createPace({ limits, clock, wait, signal, leftMs });
  const describe: Client["describe"] = async (request) => {
    await pace.turn();
    return client.describe({ ...request, totalTimeoutMs: documentMs(leftMs()) });
  };
  const fetchedApi = await fetchNamedApi(openapi, { describe });
  // The next request waits for its full interval again.
  await pace.turn();
  return { fetchedApi };
}

/** Returns the interfaces selected by the flags, by default all. */
function selectInterfaces({ interface: names }: RunOptions): ReadonlySet<JudgedInterface> {
  const selectedInterfaces = judgedInterfaces.filter((name) => names === undefined || names.includes(name));
  const unknown = names?.find((name) => !judgedInterfaces.some((known) => known === name));
  if (unknown !== undefined) {
    const near = nearestName(unknown, judgedInterfaces);
    const hint = near === undefined ? `choose one of ${judgedInterfaces.join(", ")}` : `did you mean \`${near}\`?`;
    throw new HarnessError("usage", `there is no interface "${unknown}"; ${hint}`);
  }
  return new Set(selectedInterfaces);
}

interface SessionParts extends Pick<Session, "options" | "context" | "selection" | "target" | "clock"> {
  readonly seed: number;
  readonly knownFailures: readonly KnownFailureFile[];
}

function openSession({ options, context, selection, target, seed, knownFailures, clock }: SessionParts): Session {
  const now = new Date();
  const runId = newRunId(now);
  const { href } = parseBaseUrl(target.url);
  const limits = selectLimits(options, target);
  const asksNothing = reasonForNoQuestions(limits, target);
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
      ...defined({ asksNothing }),
    },
    profile: options.profile,
    seed,
    rules: selection.rules,
    strict: options.strict ?? false,
    ...(options.proof ? {} : { proof: false }),
    digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    ...(knownFailures.length === 0 ? {} : { knownFailures }),
  };
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${runId}`);
  const { secrets, extraHeaders } = target;
  return { options, context, selection, target, manifest, limits, folder, secrets, extraHeaders, clock };
}

/** A recorded run and its progress listener. */
interface RecordedEvidence extends Pick<FooterInfo, "ended"> {
  readonly progress: RunProgress;
}

/** Sends all requests and writes the evidence. */
async function record(session: Session, log: RunLog, place: Pick<ResultsPlace, "open">): Promise<RecordedEvidence> {
  const { options, manifest, folder, secrets, extraHeaders, context } = session;
  // Reading `signal` installs the listener: from here on an interrupt ends the run in an orderly way. Nothing was written before.
  const { signal } = context;
  const headerNames = extraHeaders.map(([name]) => name);
  const redactor = createRedactor({ secrets, secretHeaderNames: headerNames, key: randomBytes(32) });
  const writer = await createBundleWriter({ directory: folder, manifest, redactor }).catch(rejectUsedFolder);
  log.add(runStarted(manifest));
  const coming = { ...session, rules: session.selection.rules };
  context.err(selectReporter(options) === "quiet" ? "" : durationNote(coming));
  const progress = progressListener({ options, log, expected: estimateProbes(coming) }, context);
  const footer = await drive(session, { writer, redactor, progress, signal, place });
  await writer.close(footer);
  return { ended: footer.ended, progress };
}

interface DriveContext {
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly progress: RunProgress;
  readonly signal: AbortSignal;
  /** Judges the run between requests. */
  readonly place: Pick<ResultsPlace, "open">;
}

/** For `--bail`: checks between requests whether enough rules have failed. */
function createBailCheck(
  { options: { bail: maxFailed }, manifest: { strict }, folder }: Session,
  { place }: DriveContext,
): ReasonToStop | undefined {
  if (maxFailed === undefined) {
    return undefined;
  }
  const judge: RunResults["judge"] = () => place.open({ folder, proves: false }).judge();
  return createBail({ maxFailed, strict, judge, nowMs: () => performance.now() });
}

async function drive(session: Session, driving: DriveContext): Promise<FooterInfo> {
  const { options, selection, manifest, clock, target, context, extraHeaders, limits, folder } = session;
  const { writer, redactor, progress, signal } = driving;
  const { seed, runId } = manifest;
  const apiDocument = await readApiDocument(session);
  return runContract(
    {
      client: createTargetClient({ target, extraHeaders, env: context.env }, clock),
      tokens: target.tokens,
      sharing: target.sharing,
    },
    {
      rules: selection.rules,
      query: options.query,
      limits,
      parallel: options.parallel,
      isBeside: target.embedded,
      marker: runId,
      seed,
      random: seededRandom(seed, "conversations"),
      folder,
      ...defined({ apiDocument, reasonToStop: createBailCheck(session, driving) }),
      writer,
      redact: (text) => redactor.text(text),
      clock,
      leftMs: () => options.timeout * 1000 - clock.nowMicros() / 1000,
      signal,
      listener: progress,
    },
  );
}

/** The OpenAPI document set by the flags, fetched or read from its file. */
const readApiDocument = async ({
  options: { openapi },
  fetchedApi,
  context: { cwd },
  clock,
}: Session): Promise<readonly ExchangeDraft[] | undefined> =>
  openapi === undefined || fetchedApi !== undefined
    ? fetchedApi
    : [await readApiFile(openapi, { cwd, atMicros: clock.nowMicros() })];

/** Turns a disk error into a usage error. Before the first search, its only cause is the choice of the folder. */
export function rejectUsedFolder(error: unknown): never {
  throw isHarnessError(error, "folder-removed", "disk-failed")
    ? new HarnessError("usage", `${error.sentence}; --out must name a new or empty folder`, { cause: error })
    : error;
}
