import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type ClientCertificate, trustedCertificates } from "@assay/client";
import { defined, isHarnessError } from "@assay/contract";
import { createRedactor } from "@assay/evidence";
import type { Redactor } from "@assay/evidence";
import { createThresholdWatch, loadFiles, startK6, acceptKnownViolations } from "@assay/load";
import type { FoundK6, K6End, LoadProgress as LoadState, ThresholdWatch } from "@assay/load";
import type { LoadPlan, LoadResult, LogEvent } from "@assay/results";
import { defaultQuery, findKnownCodes, openLedger, readLedger } from "@assay/runner";
import type { Progress } from "@assay/report";
import type { CleanUpResult, Ledger } from "@assay/runner";
import { computeMaxIterationMs } from "@assay/scenarios";
import { hasProgress } from "../reporter.ts";
import { startProgress } from "../start-progress.ts";
import type { RunLog } from "../run/run-log.ts";
import type { CommandContext } from "../command-context.ts";
import type { LedgerCleanUpOptions } from "../cleanup/clean-up-ledger.ts";
import { cleanUpBothTargets, cleanUpLedger } from "../cleanup/clean-up-ledger.ts";
import { startCanary } from "./canary.ts";
import { canaryFolder } from "./load-run-file.ts";
import { computeMaxKeptBytes, type LoadExchangesJudge, openLoadJudge } from "../load-judge/load-judge.ts";
import { openUnloadedRequests, countUnloadedQuestions, type UnloadedRequests } from "./unloaded-requests.ts";
import type { Canary, CanaryEnd } from "./canary.ts";
import { createK6ProxyVariables } from "./k6-proxies.ts";
import { announceWarmUp, describeProgress } from "./load-progress-text.ts";
import type { LoadSession } from "./load-session.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTarget, LoadTargets } from "./load-targets.ts";

/** A load run whose conversations are removed from its targets. */
interface LoadCleanUp {
  readonly folder: string;
  readonly targets: Pick<LoadTargets, "base" | "head" | "limits" | "extraHeaders">;
  readonly context: Pick<CommandContext, "env">;
  /** Called with the number of conversations to remove, if there are any. */
  readonly onBegin: (count: number) => void;
}

/** Time limit for removing the conversations from one target. */
const cleanUpDeadlineMs = 60_000;

function buildCleanUp(target: LoadTarget, ledger: Ledger, { targets, context }: LoadCleanUp) {
  const tokens: Readonly<Record<string, string>> = target.token === undefined ? {} : { "access-token": target.token };
  return {
    target: { ...target, tokens },
    env: context.env,
    extraHeaders: targets.extraHeaders,
    entries: ledger.entries(),
    ledger,
    limits: targets.limits.name,
    deadlineMs: cleanUpDeadlineMs,
  } satisfies LedgerCleanUpOptions;
}

function removeOpenConversations(ledger: Ledger, load: LoadCleanUp): Promise<CleanUpResult> {
  const { base, head } = load.targets;
  const baseCleanUp = buildCleanUp(base, ledger, load);
  if (head === undefined) {
    return cleanUpLedger(baseCleanUp);
  }
  const { ledger: _ledger, ...readOnlyCleanUp } = baseCleanUp;
  return cleanUpBothTargets(readOnlyCleanUp, buildCleanUp(head, ledger, load));
}

/**
 * Deletes the conversations that a load run created and did not delete, also after an interrupt. Returns undefined if
 * it created none. Never throws because of the target: reports the conversations that could not be deleted.
 */
async function cleanUpLoad(load: LoadCleanUp): Promise<LoadResult["cleanUp"]> {
  const entries = (await readLedger(load.folder)) ?? [];
  const createdCount = entries.filter(({ state }) => state !== "nothing").length;
  const openCount = entries.filter(({ state }) => state === "open").length;
  if (openCount === 0) {
    return createdCount === 0 ? undefined : { created: createdCount, removed: createdCount, left: [] };
  }
  load.onBegin(openCount);
  const ledger = await openLedger(load.folder);
  try {
    const { leftovers } = await removeOpenConversations(ledger, load);
    return {
      created: createdCount,
      removed: createdCount - leftovers.length,
      left: leftovers.map(({ label, reason }) => `${label}: ${reason}`),
    };
  } finally {
    await ledger.close();
  }
}

/** Converts progress to an event of the log. */
const createProgressEvent = ({
  elapsedMs,
  ok,
  failed,
  busyUsers: underWay,
  violations,
  p50Ms,
  metric,
}: LoadState): LogEvent => ({
  event: "load-progress",
  elapsedMs,
  ok,
  failed,
  violations,
  ...defined({ underWay, p50Ms, metric }),
});

/** Variables that configure k6's outputs. They never change the load. */
const outputVariablePattern = /^(?:OTEL_|K6_OTEL_|K6_PROMETHEUS_RW_|K6_WEB_DASHBOARD_)/u;

const selectOutputVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => outputVariablePattern.test(name)));

function createDashboardVariables(dashboard: LoadOptions["dashboard"], cwd: string, folder: string): NodeJS.ProcessEnv {
  if (dashboard === undefined) {
    return {};
  }
  return {
    K6_WEB_DASHBOARD: "true",
    // No port is opened. The page is written at the end.
    K6_WEB_DASHBOARD_PORT: "-1",
    // A test shorter than one period has no page.
    K6_WEB_DASHBOARD_PERIOD: "1s",
    K6_WEB_DASHBOARD_EXPORT: dashboard === true ? join(folder, "dashboard.html") : resolve(cwd, dashboard),
  };
}

/** Inputs for k6's variables. */
interface K6VariableInput {
  readonly options: Pick<LoadOptions, "dashboard" | "k6Out" | "keepMb">;
  readonly context: Pick<CommandContext, "env" | "cwd">;
  readonly targets: Pick<LoadTargets, "base" | "head" | "secrets" | "extraHeaders">;
  readonly folder: string;
  readonly scenarioSha256: string;
}

/** Passes the key as one line, so that the search for secrets finds it if k6 ever prints it. */
const createCertificateVariables = (certificate: ClientCertificate | undefined): NodeJS.ProcessEnv =>
  certificate === undefined
    ? {}
    : {
        ASSAY_CLIENT_CERT_PEM: certificate.certificates,
        ASSAY_CLIENT_KEY_PEM: certificate.key.replaceAll(/-----.*?-----|\s/gu, ""),
      };

/**
 * Makes k6 trust the same authorities as the other requests of the run, if variables set any. k6 reads one file on Linux;
 * elsewhere it trusts the system. Throws `bad-ca` if a file cannot be used.
 */
async function createTrustVariables(env: NodeJS.ProcessEnv, folder: string): Promise<NodeJS.ProcessEnv> {
  const certificates = trustedCertificates(env);
  if (certificates === undefined) {
    return {};
  }
  const path = join(folder, loadFiles.authorities);
  await writeFile(path, certificates.join("\n"));
  return { SSL_CERT_FILE: path };
}

/** Settings for the kept exchanges and their redaction. The key is not stored. */
const createRecordingVariables = (
  options: Pick<LoadOptions, "keepMb">,
  { secrets, extraHeaders }: Pick<LoadTargets, "secrets" | "extraHeaders">,
  folder: string,
): NodeJS.ProcessEnv => ({
  ASSAY_EXCHANGES: join(folder, loadFiles.exchanges),
  ASSAY_KEEP_BYTES: String(computeMaxKeptBytes(options)),
  ASSAY_REDACTION_KEY: randomBytes(32).toString("hex"),
  ASSAY_SECRETS: JSON.stringify(secrets.map(({ value }) => value)),
  ASSAY_SECRET_HEADERS: JSON.stringify(extraHeaders.map(([name]) => name)),
});

/** Variables for the script and k6's outputs. Tokens and keys are passed only here. */
function createK6Variables({ options, context, targets, folder, scenarioSha256 }: K6VariableInput): NodeJS.ProcessEnv {
  const { base, head, extraHeaders } = targets;
  return {
    ...selectOutputVariables(context.env),
    ...createDashboardVariables(options.dashboard, context.cwd, folder),
    ASSAY_SCENARIO_SHA256: scenarioSha256,
    ...defined({ ASSAY_TOKEN: base.token }),
    ...(head?.token === undefined ? {} : { ASSAY_AGAINST_TOKEN: head.token }),
    ...createRecordingVariables(options, targets, folder),
    ...createCertificateVariables(base.clientCertificate ?? head?.clientCertificate),
    ...(extraHeaders.length === 0 ? {} : { ASSAY_EXTRA_HEADERS: JSON.stringify(Object.fromEntries(extraHeaders)) }),
  };
}

const createK6Arguments = ({ k6Out = [] }: Pick<LoadOptions, "k6Out">): readonly string[] =>
  k6Out.flatMap((output) => ["--out", output]);

/** Time allowed beyond the plan and its last iterations. */
const wallSlackMs = 60_000;

const computePlannedMs = ({ warmupMs, durationMs }: LoadPlan): number => warmupMs + durationMs;

function startSessionCanary(session: LoadSession): Canary | undefined {
  const { options, context, targets, folder, runId, plan } = session;
  // Two embedded servers are for comparison only: their failures are known, and checks would disturb the measurement.
  if (!options.canary || (targets.base.embedded && targets.head !== undefined)) {
    return undefined;
  }
  return startCanary({
    context,
    // Of two targets the head is under test.
    target: targets.head ?? targets.base,
    extraHeaders: targets.extraHeaders,
    secrets: targets.secrets,
    folder,
    runId,
    seed: options.seed,
    query: plan.queries.length > 0 && options.query !== undefined ? (plan.queries[0]?.text ?? "") : defaultQuery,
    limits: targets.limits.name,
    questions: targets.limits.questions - (plan.conversation?.budget ?? 0) - countUnloadedQuestions(session),
    durationMs: computePlannedMs(plan),
    ...defined({ knownFailures: session.knownFailures }),
    ...(plan.conversation === undefined ? {} : { conversationInterface: plan.conversation.interface }),
  });
}

/** A load that has ended. */
export interface DrivenLoad {
  readonly end: K6End;
  readonly canary: CanaryEnd | undefined;
  /** Clauses that describe what conversations before and after the load left on the targets. */
  readonly unloadedLeftovers: readonly string[];
  /** Reason for a failed canary, as one sentence. */
  readonly canaryError?: string;
  readonly judgement?: LoadResult["judgement"];
  readonly unjudged?: LoadResult["unjudged"];
  /** Reason for exchanges that were not judged, as one sentence. */
  readonly judgementError?: string;
  readonly cleanUp: LoadResult["cleanUp"];
}

/** Checks the kept exchanges against all rules. An error is reported and does not affect the figures. */
async function judgeExchanges(
  { folder, context }: LoadSession,
  judge: LoadExchangesJudge,
): Promise<Pick<DrivenLoad, "judgement" | "unjudged" | "judgementError">> {
  const judgeAdvice = `\`assay judge ${relative(context.cwd, folder) || "."}\` judges them`;
  try {
    const outcome = await judge.getJudgement(context.signal);
    return "unjudged" in outcome ? { unjudged: `${outcome.unjudged}; ${judgeAdvice}` } : outcome;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `the exchanges of the load were not judged: ${reason}; ${judgeAdvice}`;
    return { unjudged: sentence, judgementError: sentence };
  }
}

const failedCanaryReport = {
  outcome: "incomplete",
  exchanges: 0,
  observedRules: 0,
  failed: [],
  folder: canaryFolder,
} as const;

/** Returns the result of the canary, or why it failed. Never throws, because a full disk must not prevent the clean-up. */
async function awaitCanary(canary: Canary | undefined): Promise<Pick<DrivenLoad, "canary" | "canaryError">> {
  try {
    return { canary: await canary?.result };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const summary = `the canary failed: ${reason}`;
    // A full disk is not a bug, and the load may have been recorded.
    return isHarnessError(error)
      ? { canary: { report: { ...failedCanaryReport, summary }, leftovers: [] } }
      : { canary: undefined, canaryError: summary };
  }
}

/** Watches thresholds. Samples with only known violations count as `ok`. */
function watchThresholds({ thresholds, plan, knownFailures }: LoadSession): ThresholdWatch {
  const watch = createThresholdWatch(thresholds, plan);
  const codes = knownFailures === undefined ? {} : findKnownCodes(knownFailures);
  return { ...watch, add: (sample) => watch.add(acceptKnownViolations(sample, codes)) };
}

/** Returns the end of a load that must not be sent: the run was interrupted, or the API answered no request before it. Otherwise undefined. */
function findNotStartedEnd(unloadedRequests: UnloadedRequests, { aborted }: AbortSignal): K6End | undefined {
  if (aborted) {
    return { cause: "not-started", sentence: "no load was sent, because the run was interrupted before it" };
  }
  const reason = unloadedRequests.describeUnreachable();
  if (reason !== undefined) {
    return {
      cause: "not-started",
      sentence: `no load was sent, because nothing was answered before it: ${reason}`,
    };
  }
  return unloadedRequests.hasApiAnswered() ? undefined : { cause: "not-started", sentence: "no load was sent" };
}

/** Prints a note immediately after an interrupt, because a second one ends the process. */
function printOnInterrupt({ context, folder }: LoadSession, progress: Progress): void {
  const path = relative(context.cwd, folder) || ".";
  const printNote = (): void =>
    progress.note(
      `interrupted: the load is ending. The recording is in ${path}; \`assay judge ${path}\` judges it if there is no time for that now`,
    );
  context.signal.addEventListener("abort", printNote, { once: true });
}

const buildRedactor = ({ secrets, extraHeaders }: LoadSession["targets"]): Redactor =>
  createRedactor({ secrets, secretHeaderNames: extraHeaders.map(([name]) => name), key: randomBytes(32) });

/** A load to send, and what its sender reports while it runs. */
export interface LoadToSend {
  readonly session: LoadSession;
  /** Variables of k6, of which some are secret. */
  readonly variables: NodeJS.ProcessEnv;
  /** Variables that are about this machine: its authorities and its proxies. */
  readonly localVariables: NodeJS.ProcessEnv;
  readonly thresholds: ThresholdWatch;
  /** The time in which the load must have ended. */
  readonly limitMs: number;
  readonly redact: (text: string) => string;
  readonly progress: Progress;
  readonly onProgress: (state: LoadState) => void;
  /** Called when the load begins. */
  readonly onBegin: () => void;
}

/** Sends a load. Its files are in the folder of the session when it has ended. */
export type SendLoad = (load: LoadToSend) => Promise<K6End>;

/** Sends a load with a k6 on this machine. */
export const sendFromThisMachine =
  (k6: FoundK6): SendLoad =>
  ({ session, variables, localVariables, thresholds, limitMs, redact, onProgress, onBegin }) => {
    onBegin();
    return startK6({
      k6,
      folder: session.folder,
      env: { ...variables, ...localVariables },
      extraArgs: createK6Arguments(session.options),
      wallLimitMs: limitMs,
      signal: session.context.signal,
      redact,
      reasonToEnd: (sample) => thresholds.add(sample),
      reasonToEndUnderWay: (streams) => thresholds.checkUnderWay(streams),
      // A breakpoint looks for the limit of the target, so reaching it does not stop the load.
      endsOnDistress: session.plan.shape !== "breakpoint",
      onProgress,
    });
  };

/** Sends the load together with the canary, and removes the conversations they created. */
export async function driveLoad(session: LoadSession, log: RunLog, send: SendLoad): Promise<DrivenLoad> {
  const { options, context, targets, folder, plan, knownFailures } = session;
  const progress = startProgress(hasProgress(options), context);
  const showState = (text: string): void => progress.state({ text });
  const redactor = buildRedactor(targets);
  const trustVariables = await createTrustVariables(context.env, folder);
  const proxyVariables = createK6ProxyVariables({ targets, env: context.env });
  const unloadedRequests = await openUnloadedRequests(session, (phase) =>
    showState(`a few requests ${phase} the load`),
  );
  printOnInterrupt(session, progress);
  announceWarmUp(plan, progress);
  await unloadedRequests.send("before");
  const notStartedEnd = findNotStartedEnd(unloadedRequests, context.signal);
  let canary: Canary | undefined;
  const judge = openLoadJudge(folder, { plan, capBytes: computeMaxKeptBytes(options), ...defined({ knownFailures }) });
  const sendLoad = (): Promise<K6End> =>
    send({
      session,
      variables: createK6Variables(session),
      localVariables: { ...trustVariables, ...proxyVariables },
      thresholds: watchThresholds(session),
      limitMs: computePlannedMs(plan) + computeMaxIterationMs(plan) + wallSlackMs,
      redact: (text) => redactor.text(text),
      progress,
      onProgress: (state) => {
        progress.state(describeProgress(plan, state));
        log.add(createProgressEvent(state));
      },
      onBegin: () => {
        canary = startSessionCanary(session);
      },
    });
  try {
    const end = notStartedEnd ?? (await sendLoad());
    if (end.cause !== "complete") {
      canary?.stop();
    }
    showState("waiting for the canary");
    const canaryResult = await awaitCanary(canary);
    if (notStartedEnd === undefined) {
      await unloadedRequests.send("after");
    }
    await unloadedRequests.close();
    const onBegin = (count: number): void => showState(`removing ${count} conversations`);
    // Comes before any long step, so that a second interrupt leaves nothing on the target.
    const cleanUp = await cleanUpLoad({ folder, targets, context, onBegin });
    showState("judging the exchanges of the load");
    const exchangesJudgement = await judgeExchanges(session, judge);
    return {
      end,
      ...canaryResult,
      unloadedLeftovers: unloadedRequests.listLeftovers(),
      ...exchangesJudgement,
      cleanUp,
    };
  } finally {
    // k6 has read the file, and nothing else needs 600 kB of public certificates in each folder.
    await rm(join(folder, loadFiles.authorities), { force: true });
    canary?.stop();
    progress.end();
    await judge.close();
    await unloadedRequests.close();
  }
}
