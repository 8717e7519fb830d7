import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createRunClock } from "@assay/client";
import type { Client, RunClock } from "@assay/client";
import { isHarnessError, type LoadSide } from "@assay/contract";
import { createBundleWriter, createRedactor, recordDraft } from "@assay/evidence";
import type { BundleWriter, Redactor } from "@assay/evidence";
import { seededRandom } from "@assay/reference-server";
import type { LoadPlan, LoadQuery } from "@assay/results";
import {
  ApiWatch,
  catalogueDigest,
  createContractDriver,
  conversationLimits,
  createPace,
  findProfile,
  openApiDigest,
  selectRules,
  wait,
  limitToInterfaces,
} from "@assay/runner";
import type { ContractDriver, Pace } from "@assay/runner";
import { createTargetClient } from "../run/target-client.ts";
import { tool } from "../version.ts";
import { listInterfaces, unloadedFolders } from "../load-judge/judge-kept-exchanges.ts";
import { writeLoadRunFile } from "./load-run-file.ts";
import type { LoadSession } from "./load-session.ts";
import type { LoadTarget } from "./load-targets.ts";

/** Number of searches before the load, and again after it. */
const maxSearches = 6;
const minSearches = 3;
const searchTimeoutMs = 15_000;
/** Time limit of all searches before the load, or after it. */
const maxSearchPhaseMs = 60_000;

/** Time limit of one question before the load, or after it. */
const maxQuestionMs = 60_000;
/** Additional time for the rest of a conversation. */
const extraConversationMs = 30_000;
/** With longer intervals, a short state would rarely be observed. */
const minUnloadedPollMs = 200;

/**
 * Requests like the load's own, sent before and after it: searches one by one, and one conversation. They show which
 * failures occur only under load.
 */
export interface UnloadedRequests {
  send(phase: "before" | "after"): Promise<void>;
  /** Returns false if the API has not answered any search of a target so far. Returns true if none was sent. */
  readonly hasApiAnswered: () => boolean;
  /** Returns why a target accepted no search, in one sentence. Returns undefined if it accepted one or none was sent. */
  readonly describeUnreachable: () => string | undefined;
  /** Returns clauses that describe what conversations left on the targets. */
  readonly listLeftovers: () => readonly string[];
  /** Ends the recording. May be called more than once. */
  close(): Promise<void>;
}

const noRequests: UnloadedRequests = {
  send: () => Promise.resolve(),
  hasApiAnswered: () => true,
  describeUnreachable: () => undefined,
  listLeftovers: () => [],
  close: () => Promise.resolve(),
};

/** Reports whether requests without load are needed: exchanges are kept for comparison, and the canary is enabled. */
const areRequestsNeeded = ({ options, plan }: Pick<LoadSession, "options" | "plan">): boolean =>
  options.canary && options.keepMb !== 0 && (plan.queries.length > 0 || plan.conversation !== undefined);

type QuestionSession = Pick<LoadSession, "options" | "plan" | "targets" | "chosenScenario">;

/**
 * Counts the questions to each target: one before and one after the load, if the load leaves enough. None for a user's file,
 * because questions cost money and it is unknown whether it asks any.
 */
function countTargetQuestions(session: QuestionSession): number {
  const { plan, targets, chosenScenario } = session;
  if (plan.conversation === undefined || chosenScenario.source !== chosenScenario.name || !areRequestsNeeded(session)) {
    return 0;
  }
  const remainingQuestions = targets.limits.questions - plan.conversation.budget;
  return Math.min(2, Math.floor(remainingQuestions / (targets.head === undefined ? 1 : 2)));
}

/** Counts the questions without load to all targets together. */
export const countUnloadedQuestions = (session: QuestionSession): number =>
  countTargetQuestions(session) * (session.targets.head === undefined ? 1 : 2);

/** Creates the parameters of a scenario's search. */
function createSearchParameters(text: string, { chosenScenario }: Pick<LoadSession, "chosenScenario">) {
  const isExhaustive = chosenScenario.defaultsFrom === "search-exhaustive";
  const q = isExhaustive && !/(?:^|\s)count:/u.test(text) ? `${text} count:all` : text;
  return { q, v: "V3", ...(isExhaustive ? { cm: "true", cl: "10" } : {}) };
}

/** Returns the first queries of a plan, repeated in rotation up to the minimum. */
function selectSearches({ queries }: Pick<LoadPlan, "queries">): readonly LoadQuery[] {
  const selectedQueries = queries.slice(0, maxSearches);
  const count = selectedQueries.length === 0 ? 0 : Math.max(minSearches, selectedQueries.length);
  return Array.from({ length: count }, (_, index) => selectedQueries[index % selectedQueries.length] ?? []).flat();
}

/** A target that gets requests without load. */
interface UnloadedTarget {
  readonly session: LoadSession;
  readonly target: LoadTarget;
  readonly folder: string;
  readonly client: Client;
  readonly clock: RunClock;
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly apiWatch: ApiWatch;
}

const createSessionRedactor = ({ targets: { secrets, extraHeaders } }: LoadSession): Redactor =>
  createRedactor({ secrets, secretHeaderNames: extraHeaders.map(([name]) => name), key: randomBytes(32) });

async function openUnloadedTarget(session: LoadSession, side: LoadSide, target: LoadTarget): Promise<UnloadedTarget> {
  const { targets, context, folder, runId, options, plan } = session;
  const directory = join(folder, unloadedFolders[side]);
  const clock = createRunClock();
  const redactor = createSessionRedactor(session);
  const writer = await createBundleWriter({
    directory,
    redactor,
    manifest: {
      schemaVersion: 1,
      runId: `${runId}-unloaded`,
      tool,
      startedAt: new Date().toISOString(),
      target: { url: target.url, access: "undeclared", sharing: "undeclared", embedded: target.embedded },
      profile: "smoke",
      seed: options.seed,
      rules: limitToInterfaces(selectRules(findProfile("smoke"), undefined), listInterfaces(plan)).rules,
      strict: false,
      proof: false,
      digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    },
  });
  if (side === "head") {
    // After a kill, this file shows that the folder belongs to the head and its token.
    const urls = [targets.base.url, target.url];
    await writeLoadRunFile(directory, {
      assay: "load-run",
      version: 1,
      runId,
      targets: urls,
      embedded: target.embedded,
    });
  }
  const client = createTargetClient({ target, extraHeaders: targets.extraHeaders, env: context.env }, clock);
  return { session, target, folder: directory, client, clock, writer, redactor, apiWatch: new ApiWatch() };
}

const createUnloadedPace = (
  { session: { targets, context }, clock }: UnloadedTarget,
  remainingMs: () => number,
): Pace =>
  createPace({
    limits: conversationLimits(targets.limits.name),
    clock,
    wait,
    signal: context.signal,
    remainingMs,
  });

async function sendSearches(unloadedTarget: UnloadedTarget, phase: "before" | "after"): Promise<void> {
  const { session, target, client, clock, writer, apiWatch } = unloadedTarget;
  const { signal } = session.context;
  const credential =
    target.token === undefined
      ? ({ credential: "none" } as const)
      : ({ credential: "access-token", token: target.token } as const);
  const endMs = clock.nowMicros() / 1000 + maxSearchPhaseMs;
  const remainingMs = (): number => endMs - clock.nowMicros() / 1000;
  const pace = createUnloadedPace(unloadedTarget, remainingMs);
  for (const [index, query] of selectSearches(session.plan).entries()) {
    await pace.waitForTurn();
    if (signal.aborted || remainingMs() <= 0) {
      return;
    }
    const parameters = createSearchParameters(query.text, session);
    const exchange = await client.search({ parameters, ...credential, totalTimeoutMs: searchTimeoutMs, signal });
    const draft = { ...exchange, id: `${phase}-${index + 1}`, probe: "load" };
    pace.adviceAfter(draft);
    apiWatch.add(recordDraft(draft));
    await writer.writeExchange(draft);
  }
}

/** Rules whose probes do what a load does: create a conversation, read it with two pollers, and delete it. */
const listConversationRules = ({ interface: name }: NonNullable<LoadPlan["conversation"]>): readonly string[] =>
  ["create-is-accepted", "get-returns-the-conversation", "delete-is-accepted"].map((rule) => `${name}/${rule}`);

const computeQuestionDeadlineMs = ({ deadlineMs }: NonNullable<LoadPlan["conversation"]>): number =>
  Math.min(maxQuestionMs, deadlineMs);

function createDriver(
  unloadedTarget: UnloadedTarget,
  conversation: NonNullable<LoadPlan["conversation"]>,
  remainingMs: () => number,
): ContractDriver {
  const { session, target, folder, client, clock, writer, redactor } = unloadedTarget;
  const { plan, targets, options, context, runId } = session;
  const defaultLimits = conversationLimits(targets.limits.name);
  return createContractDriver(
    {
      client,
      tokens: target.token === undefined ? {} : { "access-token": target.token },
      sharing: "undeclared",
    },
    {
      rules: [],
      query: "",
      questions: conversation.questions.map(({ text }) => text),
      limits: conversationLimits(targets.limits.name, {
        questions: 1,
        minPollMs: Math.max(defaultLimits.minPollMs, Math.min(minUnloadedPollMs, conversation.pollIntervalMs)),
        questionDeadlineMs: computeQuestionDeadlineMs(conversation),
        callTimeoutMs: Math.min(defaultLimits.callTimeoutMs, plan.timeoutMs),
      }),
      parallel: 1,
      // Differs from the load's own, so that each cleans up only its own conversations.
      marker: `${runId}-unloaded`,
      seed: options.seed,
      random: seededRandom(options.seed, "unloaded"),
      folder,
      writer,
      redact: (text) => redactor.text(text),
      clock,
      remainingMs,
      signal: context.signal,
    },
  );
}

/**
 * Returns a function that runs one conversation and returns a clause if the conversation is left on the target. Undefined
 * if no conversation can run, for example without a token.
 */
function createConversationRunner(unloadedTarget: UnloadedTarget): (() => Promise<string | undefined>) | undefined {
  const { session, target, clock } = unloadedTarget;
  const { conversation } = session.plan;
  if (conversation === undefined || target.token === undefined) {
    return undefined;
  }
  let endMs = 0;
  const nowMs = (): number => clock.nowMicros() / 1000;
  // One driver for all conversations, because it numbers the exchanges.
  const driver = createDriver(unloadedTarget, conversation, () => endMs - nowMs());
  return async () => {
    endMs = nowMs() + computeQuestionDeadlineMs(conversation) + extraConversationMs;
    const { left } = await driver.holdConversations(listConversationRules(conversation));
    return left;
  };
}

function ignoreHarnessError(error: unknown): void {
  if (!isHarnessError(error)) {
    throw error;
  }
}

function openRequests(unloadedTarget: UnloadedTarget): UnloadedRequests {
  const leftovers: string[] = [];
  const questions = countTargetQuestions(unloadedTarget.session);
  const runConversation = createConversationRunner(unloadedTarget);
  let closing: Promise<void> | undefined;
  const hasApiAnswered = (): boolean => unloadedTarget.apiWatch.findReason() === undefined;
  const sendAll = async (phase: "before" | "after"): Promise<void> => {
    await sendSearches(unloadedTarget, phase);
    if (
      questions > (phase === "before" ? 0 : 1) &&
      hasApiAnswered() &&
      !unloadedTarget.session.context.signal.aborted
    ) {
      const clause = await runConversation?.();
      leftovers.push(...(clause === undefined ? [] : [clause]));
    }
  };
  return {
    // After a full disk it is unknown which failures occur only under load, but the load still runs.
    send: (phase) => sendAll(phase).catch(ignoreHarnessError),
    hasApiAnswered,
    describeUnreachable: () => unloadedTarget.apiWatch.findUnreachableReason()?.message,
    listLeftovers: () => leftovers,
    close: () =>
      (closing ??= unloadedTarget.writer.close({ ended: "complete" }).then(() => undefined, ignoreHarnessError)),
  };
}

/**
 * Prepares requests without load: the queries and questions of the load, to each of its targets, as fast as their limits
 * allow and within the time limits above. Sends none with `--no-canary` or if no exchanges are kept. Calls `onBegin`
 * before sending.
 */
export async function openUnloadedRequests(
  session: LoadSession,
  onBegin: (phase: "before" | "after") => void,
): Promise<UnloadedRequests> {
  if (!areRequestsNeeded(session)) {
    return noRequests;
  }
  const { base, head } = session.targets;
  const unloadedTargets = await Promise.all([
    openUnloadedTarget(session, "base", base),
    ...(head === undefined ? [] : [openUnloadedTarget(session, "head", head)]),
  ]);
  const targetRequests = unloadedTargets.map(openRequests);
  return {
    send: async (phase) => {
      onBegin(phase);
      await Promise.all(targetRequests.map((target) => target.send(phase)));
    },
    hasApiAnswered: () => targetRequests.every((target) => target.hasApiAnswered()),
    describeUnreachable: () =>
      targetRequests.map((target) => target.describeUnreachable()).find((reason) => reason !== undefined),
    listLeftovers: () => targetRequests.flatMap((target) => target.listLeftovers()),
    close: async () => {
      await Promise.all(targetRequests.map((target) => target.close()));
    },
  };
}
