import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type ClientCertificate, trustedCertificates } from "@assay/client";
import { defined, isHarnessError } from "@assay/contract";
import { createRedactor } from "@assay/evidence";
import type { Redactor } from "@assay/evidence";
import { createThresholdWatch, loadFiles, startK6, withoutKnown } from "@assay/load";
import type { K6End, LoadProgress as LoadState, ThresholdWatch } from "@assay/load";
import type { LoadPlan, LoadResult, LogEvent } from "@assay/results";
import { defaultQuery, knownCodes, openLedger, readLedger } from "@assay/runner";
import type { Progress } from "@assay/report";
import type { CleanUpEnd, Ledger } from "@assay/runner";
import { maxIterationMs } from "@assay/scenarios";
import { hasProgress } from "../reporter.ts";
import { shownProgress } from "../shown-progress.ts";
import type { RunLog } from "../run/run-log.ts";
import type { CommandContext } from "../command-context.ts";
import type { LedgerCleanUp } from "../cleanup/clean-up-ledger.ts";
import { cleanUpBoth, cleanUpLedger } from "../cleanup/clean-up-ledger.ts";
import { canaryFolder, startCanary } from "./canary.ts";
import { keptBytesAtMost, type LoadExchangesJudge, openLoadJudge } from "./judge-exchanges-of-load.ts";
import { openUnloadedRequests, unloadedQuestions, type UnloadedRequests } from "./unloaded-requests.ts";
import type { Canary, CanaryEnd } from "./canary.ts";
import { k6ProxyVariables } from "./k6-proxies.ts";
import { announceWarmUp, loadState } from "./load-progress-text.ts";
import type { LoadSession } from "./load-session.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTarget, LoadTargets } from "./load-targets.ts";

/** A load run that has ended. */
interface LoadCleanUp {
  readonly folder: string;
  readonly targets: Pick<LoadTargets, "a" | "b" | "limits" | "extraHeaders">;
  readonly context: Pick<CommandContext, "env">;
  /** Told how many conversations are to be removed, when there are some. */
  readonly onBegin: (count: number) => void;
}

const deadlineMs = 60_000;

function cleanUpOf(target: LoadTarget, ledger: Ledger, { targets, context }: LoadCleanUp) {
  const tokens: Readonly<Record<string, string>> = target.token === undefined ? {} : { "access-token": target.token };
  return {
    target: { ...target, tokens },
    env: context.env,
    extraHeaders: targets.extraHeaders,
    entries: ledger.entries(),
    ledger,
    limits: targets.limits.name,
    deadlineMs,
  } satisfies LedgerCleanUp;
}

function removeOpen(ledger: Ledger, load: LoadCleanUp): Promise<CleanUpEnd> {
  const { a, b } = load.targets;
  const first = cleanUpOf(a, ledger, load);
  if (b === undefined) {
    return cleanUpLedger(first);
  }
  const { ledger: _later, ...looking } = first;
  return cleanUpBoth(looking, cleanUpOf(b, ledger, load));
}

/**
 * Deletes what a load run has created and not deleted itself, also after an interruption. Undefined where nothing was created.
 * Never fails for what the target does: what could not be deleted is told.
 */
async function cleanUpLoad(load: LoadCleanUp): Promise<LoadResult["cleanUp"]> {
  const entries = (await readLedger(load.folder)) ?? [];
  const created = entries.filter(({ state }) => state !== "nothing").length;
  const open = entries.filter(({ state }) => state === "open").length;
  if (open === 0) {
    return created === 0 ? undefined : { created, removed: created, left: [] };
  }
  load.onBegin(open);
  const ledger = await openLedger(load.folder);
  try {
    const { left } = await removeOpen(ledger, load);
    return { created, removed: created - left.length, left: left.map(({ what, why }) => `${what}: ${why}`) };
  } finally {
    await ledger.close();
  }
}

/** The same for the log. */
const progressEvent = ({ elapsedMs, ok, failed, underWay, violations, p50Ms, metric }: LoadState): LogEvent => ({
  event: "load-progress",
  elapsedMs,
  ok,
  failed,
  violations,
  ...defined({ underWay, p50Ms, metric }),
});

/** Settings of outputs of k6 that people give by variables: where figures go, never what is sent. */
const ofOutputs = /^(?:OTEL_|K6_OTEL_|K6_PROMETHEUS_RW_|K6_WEB_DASHBOARD_)/u;

const outputVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => ofOutputs.test(name)));

function dashboardVariables(dashboard: LoadOptions["dashboard"], cwd: string, folder: string): NodeJS.ProcessEnv {
  if (dashboard === undefined) {
    return {};
  }
  return {
    K6_WEB_DASHBOARD: "true",
    // No port is opened: the page is made of what was seen, at the end.
    K6_WEB_DASHBOARD_PORT: "-1",
    // A test that is shorter than a period has no page.
    K6_WEB_DASHBOARD_PERIOD: "1s",
    K6_WEB_DASHBOARD_EXPORT: dashboard === true ? join(folder, "dashboard.html") : resolve(cwd, dashboard),
  };
}

/** The run that variables are for. */
interface K6Setting {
  readonly options: Pick<LoadOptions, "dashboard" | "k6Out" | "keepMb">;
  readonly context: Pick<CommandContext, "env" | "cwd">;
  readonly targets: Pick<LoadTargets, "a" | "b" | "secrets" | "extraHeaders">;
  readonly folder: string;
  readonly scenarioSha256: string;
}

/** The key is one line, so that it would be found if k6 ever repeated it. */
const certificateVariables = (certificate: ClientCertificate | undefined): NodeJS.ProcessEnv =>
  certificate === undefined
    ? {}
    : {
        ASSAY_CLIENT_CERT_PEM: certificate.certificates,
        ASSAY_CLIENT_KEY_PEM: certificate.key.replaceAll(/-----.*?-----|\s/gu, ""),
      };

/**
 * What k6 trusts where the environment names authorities: the same as every other request of the run. It reads one file, on Linux; elsewhere it
 * trusts what the system trusts. Fails with `bad-ca` when a file cannot be used.
 */
async function trustVariables(env: NodeJS.ProcessEnv, folder: string): Promise<NodeJS.ProcessEnv> {
  const certificates = trustedCertificates(env);
  if (certificates === undefined) {
    return {};
  }
  const path = join(folder, loadFiles.authorities);
  await writeFile(path, certificates.join("\n"));
  return { SSL_CERT_FILE: path };
}

/** What the extension of k6 keeps of exchanges, and what it replaces before it writes. The key is stored nowhere. */
const keepingVariables = (
  options: Pick<LoadOptions, "keepMb">,
  { secrets, extraHeaders }: Pick<LoadTargets, "secrets" | "extraHeaders">,
  folder: string,
): NodeJS.ProcessEnv => ({
  ASSAY_EXCHANGES: join(folder, loadFiles.exchanges),
  ASSAY_KEEP_BYTES: String(keptBytesAtMost(options)),
  ASSAY_REDACTION_KEY: randomBytes(32).toString("hex"),
  ASSAY_SECRETS: JSON.stringify(secrets.map(({ value }) => value)),
  ASSAY_SECRET_HEADERS: JSON.stringify(extraHeaders.map(([name]) => name)),
});

/** Variables for the script and for outputs of k6. Tokens and keys go this way and no other. */
function k6Variables({ options, context, targets, folder, scenarioSha256 }: K6Setting): NodeJS.ProcessEnv {
  const { a, b, extraHeaders } = targets;
  return {
    ...outputVariables(context.env),
    ...dashboardVariables(options.dashboard, context.cwd, folder),
    ASSAY_SCENARIO_SHA256: scenarioSha256,
    ...defined({ ASSAY_TOKEN: a.token }),
    ...(b?.token === undefined ? {} : { ASSAY_TOKEN_B: b.token }),
    ...keepingVariables(options, targets, folder),
    ...certificateVariables(a.clientCertificate ?? b?.clientCertificate),
    ...(extraHeaders.length === 0 ? {} : { ASSAY_EXTRA_HEADERS: JSON.stringify(Object.fromEntries(extraHeaders)) }),
  };
}

/** Arguments for k6 besides those of every run. */
const k6Arguments = ({ k6Out = [] }: Pick<LoadOptions, "k6Out">): readonly string[] =>
  k6Out.flatMap((output) => ["--out", output]);

/** Besides what the plan takes, and what is under way at its end. */
const wallSlackMs = 60_000;

const plannedMs = ({ warmupMs, durationMs }: LoadPlan): number => warmupMs + durationMs;

function canaryOf(session: LoadSession): Canary | undefined {
  const { options, context, targets, folder, runId, plan } = session;
  // Two servers of this run are there to be compared; what they keep is known, and judging would disturb what is measured.
  if (!options.canary || (targets.a.embedded && targets.b !== undefined)) {
    return undefined;
  }
  return startCanary({
    context,
    // Of two targets the second one is what is asked about.
    target: targets.b ?? targets.a,
    extraHeaders: targets.extraHeaders,
    secrets: targets.secrets,
    folder,
    runId,
    seed: options.seed,
    query: plan.queries.length > 0 && options.query !== undefined ? (plan.queries[0]?.text ?? "") : defaultQuery,
    limits: targets.limits.name,
    questions: targets.limits.questions - (plan.conversation?.budget ?? 0) - unloadedQuestions(session),
    durationMs: plannedMs(plan),
    ...defined({ known: session.known }),
    ...(plan.conversation === undefined ? {} : { asks: plan.conversation.interface }),
  });
}

/** How driving ended. */
export interface Driven {
  readonly end: K6End;
  readonly canary: CanaryEnd | undefined;
  /** What conversations before and after the load left on the targets, clauses. */
  readonly leftUnloaded: readonly string[];
  /** Why the canary could not go on, one sentence. */
  readonly canaryError?: string;
  readonly judgement?: LoadResult["judgement"];
  readonly unjudged?: LoadResult["unjudged"];
  /** Why the exchanges of the load were not judged, one sentence. */
  readonly judgementError?: string;
  readonly cleanUp: LoadResult["cleanUp"];
}

/** What all rules say of what was kept. What keeps them from being judged costs the figures nothing, and is told. */
async function judgedExchanges(
  { folder, context }: LoadSession,
  judge: LoadExchangesJudge,
): Promise<Pick<Driven, "judgement" | "unjudged" | "judgementError">> {
  const later = `\`assay judge ${relative(context.cwd, folder) || "."}\` judges them`;
  try {
    const judged = await judge.judged(context.signal);
    return "unjudged" in judged ? { unjudged: `${judged.unjudged}; ${later}` } : judged;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const sentence = `the exchanges of the load were not judged: ${why}; ${later}`;
    return { unjudged: sentence, judgementError: sentence };
  }
}

const nothingSeen = {
  outcome: "incomplete",
  exchanges: 0,
  observedRules: 0,
  failed: [],
  folder: canaryFolder,
} as const;

/** What the canary saw, or why it could not go on: a full disk must keep nobody from cleaning up. */
async function whatWasSeen(canary: Canary | undefined): Promise<Pick<Driven, "canary" | "canaryError">> {
  try {
    return { canary: await canary?.seen };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const summary = `they could not go on: ${why}`;
    // A disk that is full is no bug: the load may have been recorded all the same.
    return isHarnessError(error)
      ? { canary: { report: { ...nothingSeen, summary }, left: [] } }
      : { canary: undefined, canaryError: `the judges beside the load: ${summary}` };
  }
}

/** Whether thresholds can still be kept, where what is known counts as well. */
function thresholdsOf({ thresholds, plan, known }: LoadSession): ThresholdWatch {
  const watch = createThresholdWatch(thresholds, plan);
  const codes = known === undefined ? {} : knownCodes(known);
  return { ...watch, see: (sample) => watch.see(withoutKnown(sample, codes)) };
}

/** Why no load is to be sent, when nothing without load was answered by the API; undefined where one may be. */
function noLoad(unloaded: UnloadedRequests, { aborted }: AbortSignal): K6End | undefined {
  if (aborted) {
    return { cause: "not-started", sentence: "no load was sent, since the run was interrupted before it" };
  }
  const why = unloaded.unreachable();
  if (why !== undefined) {
    return {
      cause: "not-started",
      sentence: `no load was sent, since nothing was answered before it: ${why}`,
    };
  }
  return unloaded.isApi() ? undefined : { cause: "not-started", sentence: "no load was sent" };
}

/** Whoever interrupts once more has no other word of it. */
function tellOfInterrupt({ context, folder }: LoadSession, progress: Progress): void {
  const where = relative(context.cwd, folder) || ".";
  const note = (): void =>
    progress.note(
      `interrupted: the load is being ended. What was recorded is in ${where}; \`assay judge ${where}\` judges it, should there be no time for that now`,
    );
  context.signal.addEventListener("abort", note, { once: true });
}

const redactorFor = ({ secrets, extraHeaders }: LoadSession["targets"]): Redactor =>
  createRedactor({ secrets, secretHeaderNames: extraHeaders.map(([name]) => name), key: randomBytes(32) });

/** Runs k6, the canary beside it, and removes what was created. */
export async function driveLoad(session: LoadSession, log: RunLog): Promise<Driven> {
  const { options, context, k6, targets, folder, plan, known } = session;
  const progress = shownProgress(hasProgress(options), context);
  const tell = (text: string): void => progress.state({ text });
  const redactor = redactorFor(targets);
  const trust = await trustVariables(context.env, folder);
  const proxies = k6ProxyVariables({ targets, env: context.env });
  const unloaded = await openUnloadedRequests(session, (when) => tell(`a few requests ${when} the load`));
  tellOfInterrupt(session, progress);
  announceWarmUp(plan, progress);
  await unloaded.send("before");
  const unsent = noLoad(unloaded, context.signal);
  const canary = unsent === undefined ? canaryOf(session) : undefined;
  const judge = openLoadJudge(folder, { plan, capBytes: keptBytesAtMost(options), ...defined({ known }) });
  const thresholds = thresholdsOf(session);
  const sendLoad = (): Promise<K6End> =>
    startK6({
      k6,
      folder,
      env: { ...k6Variables(session), ...trust, ...proxies },
      extraArgs: k6Arguments(options),
      wallLimitMs: plannedMs(plan) + maxIterationMs(plan) + wallSlackMs,
      signal: context.signal,
      redact: (text) => redactor.text(text),
      endsWhen: (sample) => thresholds.see(sample),
      endsWhenUnderWay: (streams) => thresholds.seeUnderWay(streams),
      // Where the limit of the target is looked for, finding it is no reason to stop.
      endsOnDistress: plan.shape !== "breakpoint",
      onProgress: (state) => {
        progress.state(loadState(plan, state));
        log.tell(progressEvent(state));
      },
    });
  try {
    const end = unsent ?? (await sendLoad());
    if (end.cause !== "complete") {
      canary?.stop();
    }
    tell("waiting for the judges beside the load");
    const seen = await whatWasSeen(canary);
    if (unsent === undefined) {
      await unloaded.send("after");
    }
    await unloaded.close();
    const onBegin = (count: number): void => tell(`removing ${count} conversations`);
    // Before anything that takes long: whoever interrupts a second time leaves nothing on the target.
    const cleanUp = await cleanUpLoad({ folder, targets, context, onBegin });
    tell("judging the exchanges of the load");
    const judged = await judgedExchanges(session, judge);
    return { end, ...seen, leftUnloaded: unloaded.left(), ...judged, cleanUp };
  } finally {
    // k6 has read it, and nobody else needs some 600 kB of public certificates in each folder.
    await rm(join(folder, loadFiles.authorities), { force: true });
    canary?.stop();
    progress.end();
    await judge.close();
    await unloaded.close();
  }
}
