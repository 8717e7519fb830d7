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
  contractDriver,
  conversationLimits,
  createPace,
  findProfile,
  openApiDigest,
  selectRules,
  wait,
  withinInterfaces,
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
const maxSearchingMs = 60_000;

/** Time limit of one question before the load, or after it. */
const maxQuestionMs = 60_000;
/** Additional time for the rest of a conversation. */
const extraConversationMs = 30_000;
/** A shorter state is rarely seen. */
const minUnloadedPollMs = 200;

/**
 * Requests like those of the load, sent before and after it: searches one by one, and one conversation. They show which
 * failures occur only under load.
 */
export interface UnloadedRequests {
  send(when: "before" | "after"): Promise<void>;
  /** Returns false if the API has not answered any search of a target so far. Returns true if none was sent. */
  readonly isApi: () => boolean;
  /** Returns why a target accepted no search, in one sentence. Returns undefined if it accepted one or none was sent. */
  readonly unreachable: () => string | undefined;
  /** Returns clauses that describe what conversations left on the targets. */
  readonly left: () => readonly string[];
  /** Ends the recording. Idempotent. */
  close(): Promise<void>;
}

const noRequests: UnloadedRequests = {
  send: () => Promise.resolve(),
  isApi: () => true,
  unreachable: () => undefined,
  left: () => [],
  close: () => Promise.resolve(),
};

/** Reports whether these requests are needed: exchanges are kept to compare with, and the canary is enabled. */
const isNeeded = ({ options, plan }: Pick<LoadSession, "options" | "plan">): boolean =>
  options.canary && options.keepMb !== 0 && (plan.queries.length > 0 || plan.conversation !== undefined);

type AskingSession = Pick<LoadSession, "options" | "plan" | "targets" | "chosen">;

/**
 * Number of questions to each target: one before and one after the load, if the load leaves enough. None for a user's
 * file, since questions cost and it is unknown whether it asks any.
 */
function countTargetQuestions(session: AskingSession): number {
  const { plan, targets, chosen } = session;
  if (plan.conversation === undefined || chosen.scenario !== chosen.name || !isNeeded(session)) {
    return 0;
  }
  const remainingQuestions = targets.limits.questions - plan.conversation.budget;
  return Math.min(2, Math.floor(remainingQuestions / (targets.head === undefined ? 1 : 2)));
}

/** Number of questions without load to all targets together. */
export const countUnloadedQuestions = (session: AskingSession): number =>
  countTargetQuestions(session) * (session.targets.head === undefined ? 1 : 2);

/** Parameters of a scenario's search besides its query. */
function searchParameters(text: string, { chosen }: Pick<LoadSession, "chosen">) {
  const isExhaustive = chosen.defaultsFrom === "search-exhaustive";
  const q = isExhaustive && !/(?:^|\s)count:/u.test(text) ? `${text} count:all` : text;
  return { q, v: "V3", ...(isExhaustive ? { cm: "true", cl: "10" } : {}) };
}

/** The first queries of a plan, repeated evenly up to the minimum. */
function selectSearches({ queries }: Pick<LoadPlan, "queries">): readonly LoadQuery[] {
  const selected = queries.slice(0, maxSearches);
  const count = selected.length === 0 ? 0 : Math.max(minSearches, selected.length);
  return Array.from({ length: count }, (_, index) => selected[index % selected.length] ?? []).flat();
}

/** A target of requests without load. */
interface UnloadedTarget {
  readonly session: LoadSession;
  readonly target: LoadTarget;
  readonly folder: string;
  readonly client: Client;
  readonly clock: RunClock;
  readonly writer: BundleWriter;
  readonly redactor: Redactor;
  readonly api: ApiWatch;
}

const buildRedactor = ({ targets: { secrets, extraHeaders } }: LoadSession): Redactor =>
  createRedactor({ secrets, secretHeaderNames: extraHeaders.map(([name]) => name), key: randomBytes(32) });

async function openTarget(session: LoadSession, side: LoadSide, target: LoadTarget): Promise<UnloadedTarget> {
  const { targets, context, folder, runId, options, plan } = session;
  const directory = join(folder, unloadedFolders[side]);
  const clock = createRunClock();
  const redactor = buildRedactor(session);
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
      rules: withinInterfaces(selectRules(findProfile("smoke"), undefined), listInterfaces(plan)).rules,
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
  return { session, target, folder: directory, client, clock, writer, redactor, api: new ApiWatch() };
}

const buildPace = ({ session: { targets, context }, clock }: UnloadedTarget, leftMs: () => number): Pace =>
  createPace({
    limits: conversationLimits(targets.limits.name),
    clock,
    wait,
    signal: context.signal,
    leftMs,
  });

async function sendSearches(unloaded: UnloadedTarget, when: "before" | "after"): Promise<void> {
  const { session, target, client, clock, writer, api } = unloaded;
  const { signal } = session.context;
  const credential =
    target.token === undefined
      ? ({ credential: "none" } as const)
      : ({ credential: "access-token", token: target.token } as const);
  const endMs = clock.nowMicros() / 1000 + maxSearchingMs;
  const leftMs = (): number => endMs - clock.nowMicros() / 1000;
  const pace = buildPace(unloaded, leftMs);
  for (const [index, query] of selectSearches(session.plan).entries()) {
    await pace.turn();
    if (signal.aborted || leftMs() <= 0) {
      return;
    }
    const parameters = searchParameters(query.text, session);
    const sent = await client.search({ parameters, ...credential, totalTimeoutMs: searchTimeoutMs, signal });
    const draft = { ...sent, id: `${when}-${index + 1}`, probe: "load" };
    pace.advice(draft);
    api.take(recordDraft(draft));
    await writer.writeExchange(draft);
  }
}

/** Rules whose probes do what a load does: create a conversation, read it with two pollers, and delete it. */
const conversationRules = ({ interface: name }: NonNullable<LoadPlan["conversation"]>): readonly string[] =>
  ["create-is-accepted", "get-returns-the-conversation", "delete-is-accepted"].map((rule) => `${name}/${rule}`);

const questionDeadlineMs = ({ deadlineMs }: NonNullable<LoadPlan["conversation"]>): number =>
  Math.min(maxQuestionMs, deadlineMs);

function createDriver(
  unloaded: UnloadedTarget,
  conversation: NonNullable<LoadPlan["conversation"]>,
  leftMs: () => number,
): ContractDriver {
  const { session, target, folder, client, clock, writer, redactor } = unloaded;
  const { plan, targets, options, context, runId } = session;
  const defaultLimits = conversationLimits(targets.limits.name);
  return contractDriver(
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
        questionDeadlineMs: questionDeadlineMs(conversation),
        callTimeoutMs: Math.min(defaultLimits.callTimeoutMs, plan.timeoutMs),
      }),
      parallel: 1,
      // Differs from that of the load, so that each cleans up only its own conversations.
      marker: `${runId}-unloaded`,
      seed: options.seed,
      random: seededRandom(options.seed, "unloaded"),
      folder,
      writer,
      redact: (text) => redactor.text(text),
      clock,
      leftMs,
      signal: context.signal,
    },
  );
}

/**
 * Returns a function that runs one conversation and returns a clause if it is left on the target. Undefined if no
 * conversation can run, such as without a token.
 */
function createConversationRunner(unloaded: UnloadedTarget): (() => Promise<string | undefined>) | undefined {
  const { session, target, clock } = unloaded;
  const { conversation } = session.plan;
  if (conversation === undefined || target.token === undefined) {
    return undefined;
  }
  let endMs = 0;
  const nowMs = (): number => clock.nowMicros() / 1000;
  // One driver for all of them, since it numbers the exchanges.
  const driver = createDriver(unloaded, conversation, () => endMs - nowMs());
  return async () => {
    endMs = nowMs() + questionDeadlineMs(conversation) + extraConversationMs;
    const { left } = await driver.conversations(conversationRules(conversation));
    return left;
  };
}

function ignoreHarnessError(error: unknown): void {
  if (!isHarnessError(error)) {
    throw error;
  }
}

function openRequests(unloaded: UnloadedTarget): UnloadedRequests {
  const left: string[] = [];
  const questions = countTargetQuestions(unloaded.session);
  const runConversation = createConversationRunner(unloaded);
  let closing: Promise<void> | undefined;
  const isApi = (): boolean => unloaded.api.reason() === undefined;
  const sendAll = async (when: "before" | "after"): Promise<void> => {
    await sendSearches(unloaded, when);
    if (questions > (when === "before" ? 0 : 1) && isApi() && !unloaded.session.context.signal.aborted) {
      const clause = await runConversation?.();
      left.push(...(clause === undefined ? [] : [clause]));
    }
  };
  return {
    // After a full disk it is unknown which failures occur only under load, but the load still runs.
    send: (when) => sendAll(when).catch(ignoreHarnessError),
    isApi,
    unreachable: () => unloaded.api.unreachable()?.message,
    left: () => left,
    close: () => (closing ??= unloaded.writer.close({ ended: "complete" }).then(() => undefined, ignoreHarnessError)),
  };
}

/**
 * Prepares these requests: the queries and questions of the load, to each of its targets, as fast as their limits allow
 * and within the time limits above. Nothing is sent with `--no-canary` or without kept exchanges. `onBegin` is called
 * before something is sent.
 */
export async function openUnloadedRequests(
  session: LoadSession,
  onBegin: (when: "before" | "after") => void,
): Promise<UnloadedRequests> {
  if (!isNeeded(session)) {
    return noRequests;
  }
  const { base, head } = session.targets;
  const opened = await Promise.all([
    openTarget(session, "base", base),
    ...(head === undefined ? [] : [openTarget(session, "head", head)]),
  ]);
  const targets = opened.map(openRequests);
  return {
    send: async (when) => {
      onBegin(when);
      await Promise.all(targets.map((target) => target.send(when)));
    },
    isApi: () => targets.every((target) => target.isApi()),
    unreachable: () => targets.map((target) => target.unreachable()).find((reason) => reason !== undefined),
    left: () => targets.flatMap((target) => target.left()),
    close: async () => {
      await Promise.all(targets.map((target) => target.close()));
    },
  };
}
