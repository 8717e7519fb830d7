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
  documentTimeoutMs,
  findProfile,
  judgedInterfaces,
  nearestName,
  openApiDigest,
  limitToVersion,
  runContract,
  selectRules,
  wait,
  limitToInterfaces,
  excludeRules,
  limitToTags,
} from "@assay/runner";
import type { ConversationLimits, JudgedInterface, Profile, ReasonToStop, Selection } from "@assay/runner";
import { seededRandom } from "@assay/reference-server";
import type { RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { selectReporter } from "../reporter.ts";
import { tool } from "../version.ts";
import { isUrl } from "./is-url.ts";
import { replaceFailedRules } from "./failed-rules.ts";
import { finishRun } from "./finish-run.ts";
import { createBail } from "./bail.ts";
import { prepareResultsHost, type ResultsHost } from "./results-in-worker.ts";
import type { JudgingFacts, RunResults } from "./run-results.ts";
import { describeExpectedDuration, selectLimits, estimateProbes, findReasonForNoQuestions } from "./run-limits.ts";
import { createRunId } from "./run-id.ts";
import { checkLogFile, createRunLog, runWithLog, createRunStartedEvent } from "./run-log.ts";
import type { RunLog } from "./run-log.ts";
import type { RunOptions } from "./run-options.ts";
import { createProgressListener } from "./run-progress.ts";
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
  /** The exchanges that fetched the OpenAPI document from its URL, if it was specified by one. */
  readonly fetchedApi?: readonly ExchangeDraft[];
}

/** Reads the baseline, if there is one. Few runs need this code, and it loads the code of reports. */
async function readBaseline({ baseline }: RunOptions, context: CommandContext): Promise<RunResult | undefined> {
  return baseline === undefined
    ? undefined
    : (await import("../baseline/run-baseline.ts")).readBaselineRun(baseline, context);
}

/** Loads the code for the OpenAPI document of `--openapi`. */
const loadApiFile = () => import("./api-file.ts");

/** Drives, records, judges and reports one run. Returns the exit code. Rejects invalid options before sending a request. */
export async function runAgainstTarget(options: RunOptions, context: CommandContext): Promise<number> {
  const baseline = await readBaseline(options, context);
  return withSession(options, context, async (session, log) => {
    const resultsHost = prepareResultsHost();
    try {
      const { ended: footerState, progress } = await recordRun(session, log, resultsHost);
      const remainingMs = options.timeout * 1000 - session.clock.nowMicros() / 1000;
      const finishOptions = {
        ...defined({ baseline }),
        log,
        progress,
        remainingMs,
        isInterrupted: footerState === "interrupted",
      };
      return await finishRun({ ...session, ...finishOptions, resultsHost });
    } finally {
      await resultsHost.close();
    }
  });
}

/**
 * Like `runAgainstTarget`, but returns the verdicts instead of reporting them. For tests that judge in their own process.
 * @testonly
 */
export const judgeTarget = (options: RunOptions, context: CommandContext): Promise<JudgingFacts> =>
  withSession(options, context, async (session, log) => {
    const { openResultsInThisThread } = await import("./run-results.ts");
    await recordRun(session, log, { open: openResultsInThisThread, judgeSearches: () => {} });
    return openResultsInThisThread(session).judge();
  });

async function withSession<Result>(
  options: RunOptions,
  context: CommandContext,
  work: (session: Session, log: RunLog) => Promise<Result>,
): Promise<Result> {
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
  if (options.openapi !== undefined) {
    await (await loadApiFile()).checkApiFile(options.openapi, context.cwd);
  }
  const knownFailures = await readKnownFailures(options.knownFailures, context.cwd);
  checkLogFile(options, context.cwd);
  const seed = options.seed ?? randomInt(2 ** 32);
  const target = await openTarget(options, context, seed);
  const clock = createRunClock();
  try {
    const fetchedDocument = await fetchApiIfNamed(
      options,
      { target, extraHeaders: target.extraHeaders, env: context.env },
      clock,
    );
    const session = {
      ...openSession({ options, context, selection, target, seed, knownFailures, clock }),
      ...fetchedDocument,
    };
    const log = createRunLog({ ...session, extraDestination: options.log });
    return await runWithLog(log, context, () => work(session, log));
  } finally {
    await target.close();
  }
}

/** Returns the rules of a profile that the flags select. */
function selectProfileRules(profile: Profile, options: RunOptions): Selection {
  const selectionByInterface = limitToInterfaces(selectRules(profile, options.rule), selectInterfaces(options));
  const taggedSelection =
    options.tag === undefined ? selectionByInterface : limitToTags(selectionByInterface, options.tag);
  return excludeRules(taggedSelection, { patterns: options.notRule ?? [], tags: options.notTag ?? [] });
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
  const { newerRules, ...remainingSelection } = limitToVersion(selection, version);
  if (newerRules.length > 0) {
    err(`note: not tested, because they are newer than version ${version}: ${newerRules.join(", ")}\n`);
  }
  return remainingSelection;
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
  const remainingMs = (): number => options.timeout * 1000 - clock.nowMicros() / 1000;
  const pace = createPace({ limits, clock, wait, signal, remainingMs });
  const describe: Client["describe"] = async (request) => {
    await pace.waitForTurn();
    return client.describe({ ...request, totalTimeoutMs: documentTimeoutMs(remainingMs()) });
  };
  const { fetchNamedApi } = await import("./fetch-named-api.ts");
  const fetchedApi = await fetchNamedApi(openapi, { describe });
  // The next request waits for its full interval again.
  await pace.waitForTurn();
  return { fetchedApi };
}

/** Returns the interfaces that the flags select. Default: all. */
function selectInterfaces({ interface: names }: RunOptions): ReadonlySet<JudgedInterface> {
  const selectedInterfaces = judgedInterfaces.filter((name) => names === undefined || names.includes(name));
  const unknownName = names?.find((name) => !judgedInterfaces.some((candidate) => candidate === name));
  if (unknownName !== undefined) {
    const suggestion = nearestName(unknownName, judgedInterfaces);
    const hint =
      suggestion === undefined ? `choose one of ${judgedInterfaces.join(", ")}` : `did you mean \`${suggestion}\`?`;
    throw new HarnessError("usage", `there is no interface "${unknownName}"; ${hint}`);
  }
  return new Set(selectedInterfaces);
}

interface SessionParts extends Pick<Session, "options" | "context" | "selection" | "target" | "clock"> {
  readonly seed: number;
  readonly knownFailures: readonly KnownFailureFile[];
}

function openSession({ options, context, selection, target, seed, knownFailures, clock }: SessionParts): Session {
  const now = new Date();
  const runId = createRunId(now);
  const { href } = parseBaseUrl(target.url);
  const limits = selectLimits(options, target);
  const asksNothing = findReasonForNoQuestions(limits, target);
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
async function recordRun(
  session: Session,
  log: RunLog,
  resultsHost: Omit<ResultsHost, "close">,
): Promise<RecordedEvidence> {
  const { options, manifest, folder, secrets, extraHeaders, context } = session;
  // Reading `signal` installs the listener: from here on an interrupt ends the run in an orderly way. Nothing was written before.
  const { signal } = context;
  const headerNames = extraHeaders.map(([name]) => name);
  const redactor = createRedactor({ secrets, secretHeaderNames: headerNames, key: randomBytes(32) });
  const writer = await createBundleWriter({ directory: folder, manifest, redactor }).catch(rejectUsedFolder);
  log.add(createRunStartedEvent(manifest));
  const plannedRun = { ...session, rules: session.selection.rules };
  context.err(selectReporter(options) === "quiet" ? "" : describeExpectedDuration(plannedRun));
  const progress = createProgressListener({ options, log, probeCount: estimateProbes(plannedRun) }, context);
  const footer = await driveRun(session, { writer, redactor, progress, signal, resultsHost });
  await writer.close(footer);
  return { ended: footer.ended, progress };
}

interface DriveContext {
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly progress: RunProgress;
  readonly signal: AbortSignal;
  /** Judges the run between requests. */
  readonly resultsHost: Omit<ResultsHost, "close">;
}

/** For `--bail`: checks between requests whether enough rules have failed. */
function createBailCheck(
  { options: { bail: maxFailed }, manifest: { strict }, folder }: Session,
  { resultsHost }: DriveContext,
): ReasonToStop | undefined {
  if (maxFailed === undefined) {
    return undefined;
  }
  const judge: RunResults["judge"] = () => resultsHost.open({ folder, confirmsPasses: false }).judge();
  return createBail({ maxFailed, strict, judge, nowMs: () => performance.now() });
}

async function driveRun(session: Session, driveContext: DriveContext): Promise<FooterInfo> {
  const { options, selection, manifest, clock, target, context, extraHeaders, limits, folder } = session;
  const { writer, redactor, progress, signal, resultsHost } = driveContext;
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
      hasConcurrentConversations: target.embedded,
      marker: runId,
      seed,
      random: seededRandom(seed, "conversations"),
      folder,
      ...defined({ apiDocument, reasonToStop: createBailCheck(session, driveContext) }),
      writer,
      redact: (text) => redactor.text(text),
      clock,
      remainingMs: () => options.timeout * 1000 - clock.nowMicros() / 1000,
      signal,
      // With `--bail`, the same worker judges the run between requests.
      ...(options.bail === undefined ? { onSearchesSent: () => resultsHost.judgeSearches(folder) } : {}),
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
    : [await (await loadApiFile()).readApiFile(openapi, { cwd, atMicros: clock.nowMicros() })];

/** Turns a disk error into a usage error. Before the first search, its only cause is the choice of the folder. */
export function rejectUsedFolder(error: unknown): never {
  throw isHarnessError(error, "folder-removed", "disk-failed")
    ? new HarnessError("usage", `${error.sentence}; --out must name a new or empty folder`, { cause: error })
    : error;
}
