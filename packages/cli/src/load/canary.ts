import { defined } from "@assay/contract";
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createRunClock } from "@assay/client";
import type { RunClock } from "@assay/client";
import { createBundleWriter, createRedactor, readBundle } from "@assay/evidence";
import type { BundleWriter, FooterInfo, HeaderField, Manifest, Redactor, Secret } from "@assay/evidence";
import { seededRandom } from "@assay/reference-server";
import type { CanaryReport, RunResult } from "@assay/results";
import {
  findAnswerGroup,
  catalogueDigest,
  createContractDriver,
  conversationLimits,
  findProfile,
  mergeFooters,
  isNotFromApi,
  openApiDigest,
  planProbes,
  selectRules,
  limitToInterfaces,
} from "@assay/runner";
import type {
  ContractDriver,
  ConversationLimitName,
  JudgedInterface,
  KnownLoadFailures,
  Selection,
  SendSearch,
} from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { openResults } from "../run/results-in-worker.ts";
import { canaryFolder } from "./load-run-file.ts";
import { createTargetClient } from "../run/target-client.ts";
import { tool } from "../version.ts";
import {
  countCanaryRounds,
  countCanaryStreams,
  adviseLongerLoad,
  spreadEvenly,
  rotateProbes,
} from "./canary-schedule.ts";
import type { LoadTarget } from "./load-targets.ts";

export interface CanaryOptions {
  readonly context: CommandContext;
  readonly target: LoadTarget;
  readonly extraHeaders: readonly HeaderField[];
  readonly secrets: readonly Secret[];
  /** Folder of the load run. The canary writes to a subfolder. */
  readonly folder: string;
  readonly runId: string;
  readonly seed: number;
  /** A query with matches. */
  readonly query: string;
  readonly limits: ConversationLimitName;
  /** Number of questions that the load does not use. `Infinity` if there is no limit. */
  readonly questions: number;
  /** Duration of the load, warm-up included. */
  readonly durationMs: number;
  /** Known failures of the load run. */
  readonly knownFailures?: KnownLoadFailures;
  /** Interface on which the load asks questions. Undefined if it asks none. */
  readonly conversationInterface?: Exclude<JudgedInterface, "stream">;
}

/** A running canary. */
export interface Canary {
  /** Ends the canary early. */
  stop(): void;
  /** Rejects if the canary cannot be recorded. */
  readonly result: Promise<CanaryEnd>;
}

/** The result of a canary, and clauses that describe what it left on the target. */
export interface CanaryEnd {
  readonly report: CanaryReport;
  readonly leftovers: readonly string[];
}

/** Rules whose probes create, read, poll and delete conversations. The others are checked on the same requests. */
const conversationRules = ["create-is-accepted", "get-returns-the-conversation", "delete-is-accepted"] as const;

/** The canary must not add load. */
const minCanaryPollMs = 200;

/** Maximum time for a conversation after the load has ended. */
const graceMs = 30_000;

interface CanarySession {
  readonly options: CanaryOptions;
  readonly clock: RunClock;
  readonly tokens: Readonly<Record<string, string>>;
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly rounds: number;
  /** Aborted when no further request may begin. */
  readonly stopSignal: AbortSignal;
  readonly driver: ContractDriver;
}

const selectInterfaces = (rounds: number, { conversationInterface }: CanaryOptions): ReadonlySet<JudgedInterface> =>
  new Set<JudgedInterface>(
    rounds > 0 && conversationInterface !== undefined ? ["stream", conversationInterface] : ["stream"],
  );

/** Marks the known-failure files as shipped, so that the few canary streams do not report stale entries. The load's exchanges do. */
const createKnownFailures = ({ knownFailures }: CanaryOptions): Pick<Manifest, "knownFailures"> =>
  knownFailures === undefined
    ? {}
    : { knownFailures: knownFailures.files.map((file) => ({ ...file, isShipped: true })) };

function buildManifest(options: CanaryOptions, selection: Selection): Manifest {
  const { target, runId, seed } = options;
  return {
    schemaVersion: 1,
    runId: `${runId}-canary`,
    tool,
    startedAt: new Date().toISOString(),
    target: {
      url: target.url,
      access: target.embedded ? "private" : "undeclared",
      sharing: "undeclared",
      embedded: target.embedded,
    },
    profile: "smoke",
    seed,
    rules: selection.rules,
    strict: false,
    digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    ...createKnownFailures(options),
  };
}

/** Waits until a time of the run's clock, or until no further request may begin. */
async function waitUntil(atMs: number, { clock, stopSignal, options }: CanarySession): Promise<void> {
  const signal = AbortSignal.any([stopSignal, options.context.signal]);
  const remainingMs = atMs - clock.nowMicros() / 1000;
  await (remainingMs > 0 ? wait(remainingMs, undefined, { signal }).catch(() => undefined) : undefined);
}

/** Delays each search until its scheduled time. */
const sendOnSchedule =
  (session: CanarySession) =>
  (send: SendSearch): SendSearch => {
    const times = spreadEvenly(session.options.durationMs, countCanaryStreams(session.options.durationMs));
    return async (request) => {
      await waitUntil(times[Number(request.id) - 1] ?? 0, session);
      return send(request);
    };
  };

const computeRemainingMs = ({ clock, options }: Pick<CanarySession, "clock" | "options">): number =>
  options.durationMs + graceMs - clock.nowMicros() / 1000;

const isOverdue = (session: Omit<CanarySession, "driver">): boolean =>
  session.stopSignal.aborted || computeRemainingMs(session) < 0;

function createDriver(session: Omit<CanarySession, "driver">, rules: Selection["rules"]): ContractDriver {
  const { options, clock, tokens, writer, redactor } = session;
  const { context, target, extraHeaders, folder, runId, seed, limits, query } = options;
  const { minPollMs } = conversationLimits(limits);
  return createContractDriver(
    {
      client: createTargetClient({ target, extraHeaders, env: context.env }, clock),
      tokens,
      sharing: "undeclared",
    },
    {
      rules,
      query,
      limits: conversationLimits(limits, { questions: 1, minPollMs: Math.max(minCanaryPollMs, minPollMs) }),
      parallel: 1,
      // Differs from the load's own, so that each cleans up only its own conversations.
      marker: `${runId}-canary`,
      seed,
      random: seededRandom(seed, "conversations"),
      folder: `${folder}/${canaryFolder}`,
      writer,
      redact: (text) => redactor.text(text),
      clock,
      remainingMs: () => computeRemainingMs(session),
      isOverdue: () => isOverdue(session),
      signal: context.signal,
    },
  );
}

function sendStreams(session: CanarySession, rules: Selection["rules"]): Promise<FooterInfo> {
  const { options, driver } = session;
  const { probes } = planProbes(rules, options.query);
  const plan = { probes: rotateProbes(probes, countCanaryStreams(options.durationMs)), followUps: () => [] };
  return driver.sendSearches({ plan, wrapSend: sendOnSchedule(session) });
}

async function runConversations(session: CanarySession): Promise<FooterInfo> {
  const { driver } = session;
  if (session.rounds === 0 || driver.mainCredential === "none") {
    return { ended: "complete" };
  }
  await driver.recordApiDocument();
  let footer: FooterInfo = { ended: "complete" };
  // The last round begins early enough to end in time.
  const times = spreadEvenly(session.options.durationMs, session.rounds * 2).filter((_, index) => index % 2 === 0);
  for (const atMs of times) {
    await waitUntil(session.rounds === 1 ? 0 : atMs, session);
    if (footer.ended === "complete" && !isOverdue(session)) {
      const roundFooter = await driver.holdConversations(
        conversationRules.map((rule) => `${session.options.conversationInterface}/${rule}`),
      );
      footer = { ...roundFooter, ...defined({ left: footer.left }) };
    }
  }
  return footer;
}

const judgedOutcomes: ReadonlySet<string> = new Set(["passed", "failed", "warned"]);

/** Returns the ids of searches whose response did not come from the API. They violate no rule: a session may expire during a load. */
async function findForeignResponses(folder: string): Promise<ReadonlySet<string>> {
  const { exchanges } = await readBundle(folder);
  return new Set(
    exchanges.filter((exchange) => isNotFromApi(findAnswerGroup(exchange))).map(({ record }) => record.id),
  );
}

function findFailures({ verdicts }: RunResult, foreignIds: ReadonlySet<string>): CanaryReport["failed"] {
  return verdicts.flatMap(({ rule, verdict, known }) => {
    const findings = verdict.outcome === "failed" && known === undefined ? verdict.findings : [];
    const firstFinding = findings.find(({ exchange = "" }) => !foreignIds.has(exchange));
    return firstFinding === undefined ? [] : [{ rule, message: firstFinding.message }];
  });
}

/** Returns the outcome and summary. A run that fails only because of responses that did not come from the API is incomplete. */
function summarizeOutcome(
  { outcome, summary }: RunResult,
  { failed, foreignIds }: { readonly failed: CanaryReport["failed"]; readonly foreignIds: ReadonlySet<string> },
): Pick<CanaryReport, "outcome" | "summary"> {
  return outcome === "failed" && failed.length === 0 && foreignIds.size > 0
    ? { outcome: "incomplete", summary: `${foreignIds.size} of their responses were web pages` }
    : { outcome, summary };
}

async function buildReport(folder: string, asksNoQuestion: boolean): Promise<CanaryReport> {
  const result = await judgeRun(folder);
  const foreignIds = await findForeignResponses(folder);
  const failed = findFailures(result, foreignIds);
  const { outcome, summary } = summarizeOutcome(result, { failed, foreignIds });
  return {
    outcome,
    summary: asksNoQuestion ? `${summary}; no question was asked` : summary,
    exchanges: result.exchanges.length,
    observedRules: result.verdicts.filter(({ verdict }) => judgedOutcomes.has(verdict.outcome)).length,
    failed,
    folder: canaryFolder,
  };
}

/** Waits until both promises have settled, then throws the first error, if any. */
async function awaitBoth(parts: readonly [Promise<FooterInfo>, Promise<FooterInfo>]): Promise<FooterInfo> {
  const [streams, conversations] = await Promise.allSettled(parts);
  if (streams.status === "rejected") {
    throw streams.reason;
  }
  if (conversations.status === "rejected") {
    throw conversations.reason;
  }
  return mergeFooters(streams.value, conversations.value);
}

/** Judges the recorded run and writes its result. In a thread, so that its memory is freed before the load is judged. */
async function judgeRun(folder: string): Promise<RunResult> {
  const results = openResults({ folder });
  try {
    const { result } = await results.judge();
    await results.write();
    return result;
  } finally {
    await results.close();
  }
}

async function runCanary(options: CanaryOptions, stopSignal: AbortSignal): Promise<CanaryEnd> {
  const { target, extraHeaders, secrets, folder } = options;
  const tokens: Readonly<Record<string, string>> = target.token === undefined ? {} : { "access-token": target.token };
  const canAskQuestions = target.token !== undefined && options.conversationInterface !== undefined;
  const rounds = canAskQuestions ? countCanaryRounds(options.durationMs, options.questions, 1) : 0;
  const selection = limitToInterfaces(selectRules(findProfile("smoke"), undefined), selectInterfaces(rounds, options));
  const clock = createRunClock();
  const redactor = createRedactor({
    secrets,
    secretHeaderNames: extraHeaders.map(([name]) => name),
    key: randomBytes(32),
  });
  const directory = `${folder}/${canaryFolder}`;
  const writer = await createBundleWriter({ directory, manifest: buildManifest(options, selection), redactor });
  const sessionWithoutDriver = { options, clock, tokens, writer, redactor, rounds, stopSignal };
  const session: CanarySession = {
    ...sessionWithoutDriver,
    driver: createDriver(sessionWithoutDriver, selection.rules),
  };
  const mergedFooter = await awaitBoth([sendStreams(session, selection.rules), runConversations(session)]);
  const footer = adviseLongerLoad(mergedFooter);
  await writer.close(footer);
  return {
    report: await buildReport(directory, options.conversationInterface !== undefined && rounds === 0),
    leftovers: footer.left === undefined ? [] : [footer.left],
  };
}

/** Starts checking a few streams and conversations during a load. Errors are reported only by `result`. */
export function startCanary(options: CanaryOptions): Canary {
  const stopController = new AbortController();
  const result = runCanary(options, stopController.signal);
  // The caller gets the error from `result`.
  result.catch(() => undefined);
  return { stop: () => stopController.abort(), result };
}
