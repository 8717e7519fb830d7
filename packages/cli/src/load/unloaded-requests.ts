import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createRunClock } from "@assay/client";
import type { Client, RunClock } from "@assay/client";
import { isHarnessError } from "@assay/contract";
import { createBundleWriter, createRedactor, recordDraft } from "@assay/evidence";
import type { BundleWriter, Redactor } from "@assay/evidence";
import { seededRandom } from "@assay/reference-server";
import type { LoadArm, LoadPlan, LoadQuery } from "@assay/results";
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
import { clientFor } from "../run/target-client.ts";
import { tool } from "../version.ts";
import { interfacesOf, unloadedFolders } from "./judge-kept-load.ts";
import { writeLoadRunFile } from "./load-run-file.ts";
import type { LoadSession } from "./load-session.ts";
import type { LoadTarget } from "./load-targets.ts";

/** So many searches are sent before the load, and as many after it. */
const mostSearches = 6;
const fewestSearches = 3;
const searchTimeoutMs = 15_000;
/** For all searches before, or after. */
const mostSearchingMs = 60_000;

/** Nobody waits longer for the answer of one question before a load, or after it. */
const mostQuestionMs = 60_000;
/** Besides that, for everything else that a conversation needs. */
const restOfConversationMs = 30_000;
/** A state that lasts shorter is rarely seen. */
const denselyMs = 200;

/** What a load sends, sent while there is none: searches one by one, and one conversation; to tell what breaks under load from what is broken. */
export interface UnloadedRequests {
  send(when: "before" | "after"): Promise<void>;
  /** False where something else than the API has answered all searches of a target so far; of what was not asked nothing is known. */
  readonly isApi: () => boolean;
  /** Why a target took no search at all, one sentence; undefined where it took one, or none was sent. */
  readonly unreachable: () => string | undefined;
  /** What conversations left on the targets, clauses. */
  readonly left: () => readonly string[];
  /** Ends the recording; may be called again. */
  close(): Promise<void>;
}

const nothing: UnloadedRequests = {
  send: () => Promise.resolve(),
  isApi: () => true,
  unreachable: () => undefined,
  left: () => [],
  close: () => Promise.resolve(),
};

/** Whether anything is sent: not where nothing is kept that it could be compared with, and not where nothing else than the load is wanted. */
const isWanted = ({ options, plan }: Pick<LoadSession, "options" | "plan">): boolean =>
  options.canary && options.keepMb !== 0 && (plan.queries.length > 0 || plan.conversation !== undefined);

type AskingSession = Pick<LoadSession, "options" | "plan" | "targets" | "chosen">;

/**
 * How many questions are asked of each target: one before and one after the load, as far as it leaves any over. None for a file
 * of the user: questions cost, and whether it asks any is not known.
 */
function questionsOfTarget(session: AskingSession): number {
  const { plan, targets, chosen } = session;
  if (plan.conversation === undefined || chosen.scenario !== chosen.name || !isWanted(session)) {
    return 0;
  }
  const leftOver = targets.limits.questions - plan.conversation.budget;
  return Math.min(2, Math.floor(leftOver / (targets.b === undefined ? 1 : 2)));
}

/** How many questions are asked without load, of all targets together. */
export const unloadedQuestions = (session: AskingSession): number =>
  questionsOfTarget(session) * (session.targets.b === undefined ? 1 : 2);

/** What a scenario asks of a search besides its query. */
function parametersOf(text: string, { chosen }: Pick<LoadSession, "chosen">) {
  const isExhaustive = chosen.like === "search-exhaustive";
  const q = isExhaustive && !/(?:^|\s)count:/u.test(text) ? `${text} count:all` : text;
  return { q, v: "V3", ...(isExhaustive ? { cm: "true", cl: "10" } : {}) };
}

/** The first queries of a plan, each as often as the others or once more. */
function searchesOf({ queries }: Pick<LoadPlan, "queries">): readonly LoadQuery[] {
  const some = queries.slice(0, mostSearches);
  const count = some.length === 0 ? 0 : Math.max(fewestSearches, some.length);
  return Array.from({ length: count }, (_, index) => some[index % some.length] ?? []).flat();
}

/** One target that is asked without load. */
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

const redactorOf = ({ targets: { secrets, extraHeaders } }: LoadSession): Redactor =>
  createRedactor({ secrets, secretHeaderNames: extraHeaders.map(([name]) => name), key: randomBytes(32) });

async function openTarget(session: LoadSession, arm: LoadArm, target: LoadTarget): Promise<UnloadedTarget> {
  const { targets, context, folder, runId, options, plan } = session;
  const directory = join(folder, unloadedFolders[arm]);
  const clock = createRunClock();
  const redactor = redactorOf(session);
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
      rules: withinInterfaces(selectRules(findProfile("smoke"), undefined), interfacesOf(plan)).rules,
      strict: false,
      proof: false,
      digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    },
  });
  if (arm === "b") {
    // Only so is it known that its token is that of a second target, should the run be killed.
    const both = [targets.a.url, target.url];
    await writeLoadRunFile(directory, {
      assay: "load-run",
      version: 1,
      runId,
      targets: both,
      embedded: target.embedded,
    });
  }
  const client = clientFor({ target, extraHeaders: targets.extraHeaders, env: context.env }, clock);
  return { session, target, folder: directory, client, clock, writer, redactor, api: new ApiWatch() };
}

const paceOf = ({ session: { targets, context }, clock }: UnloadedTarget, leftMs: () => number): Pace =>
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
  const endMs = clock.nowMicros() / 1000 + mostSearchingMs;
  const leftMs = (): number => endMs - clock.nowMicros() / 1000;
  const pace = paceOf(unloaded, leftMs);
  for (const [index, query] of searchesOf(session.plan).entries()) {
    await pace.turn();
    if (signal.aborted || leftMs() <= 0) {
      return;
    }
    const parameters = parametersOf(query.text, session);
    const sent = await client.search({ parameters, ...credential, totalTimeoutMs: searchTimeoutMs, signal });
    const draft = { ...sent, id: `${when}-${index + 1}`, probe: "load" };
    pace.advice(draft);
    api.take(recordDraft(draft));
    await writer.writeExchange(draft);
  }
}

/** As much of a conversation as a load sees: it is created, read by two pollers, and deleted. */
const conversationRules = ({ interface: name }: NonNullable<LoadPlan["conversation"]>): readonly string[] =>
  ["create-is-accepted", "get-returns-the-conversation", "delete-is-accepted"].map((rule) => `${name}/${rule}`);

const questionDeadlineMs = ({ deadlineMs }: NonNullable<LoadPlan["conversation"]>): number =>
  Math.min(mostQuestionMs, deadlineMs);

function driverOf(
  unloaded: UnloadedTarget,
  asked: NonNullable<LoadPlan["conversation"]>,
  leftMs: () => number,
): ContractDriver {
  const { session, target, folder, client, clock, writer, redactor } = unloaded;
  const { plan, targets, options, context, runId } = session;
  const usual = conversationLimits(targets.limits.name);
  return contractDriver(
    {
      client,
      tokens: target.token === undefined ? {} : { "access-token": target.token },
      sharing: "undeclared",
    },
    {
      rules: [],
      query: "",
      questions: asked.questions.map(({ text }) => text),
      limits: conversationLimits(targets.limits.name, {
        questions: 1,
        minPollMs: Math.max(usual.minPollMs, Math.min(denselyMs, asked.pollIntervalMs)),
        questionDeadlineMs: questionDeadlineMs(asked),
        callTimeoutMs: Math.min(usual.callTimeoutMs, plan.timeoutMs),
      }),
      parallel: 1,
      // Not that of the load: what one of them cleans up is none of the other's business.
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
 * What holds a conversation, from creation to deletion, each time it is called; what is left of it, a clause. Undefined where none is to be
 * held: nobody who has no token can.
 */
function conversationHolder(unloaded: UnloadedTarget): (() => Promise<string | undefined>) | undefined {
  const { session, target, clock } = unloaded;
  const { conversation } = session.plan;
  if (conversation === undefined || target.token === undefined) {
    return undefined;
  }
  let endMs = 0;
  const nowMs = (): number => clock.nowMicros() / 1000;
  // One for all of them: the ids of exchanges go on counting.
  const driver = driverOf(unloaded, conversation, () => endMs - nowMs());
  return async () => {
    endMs = nowMs() + questionDeadlineMs(conversation) + restOfConversationMs;
    const { left } = await driver.conversations(conversationRules(conversation));
    return left;
  };
}

function unlessOfDisk(error: unknown): void {
  if (!isHarnessError(error)) {
    throw error;
  }
}

function requestsTo(unloaded: UnloadedTarget): UnloadedRequests {
  const left: string[] = [];
  const questions = questionsOfTarget(unloaded.session);
  const hold = conversationHolder(unloaded);
  let closing: Promise<void> | undefined;
  const isApi = (): boolean => unloaded.api.reason() === undefined;
  const sendAll = async (when: "before" | "after"): Promise<void> => {
    await sendSearches(unloaded, when);
    if (questions > (when === "before" ? 0 : 1) && isApi() && !unloaded.session.context.signal.aborted) {
      const clause = await hold?.();
      left.push(...(clause === undefined ? [] : [clause]));
    }
  };
  return {
    // A disk that is full leaves it open what breaks under load only, and keeps nobody from the load.
    send: (when) => sendAll(when).catch(unlessOfDisk),
    isApi,
    unreachable: () => unloaded.api.unreachable()?.message,
    left: () => left,
    close: () => (closing ??= unloaded.writer.close({ ended: "complete" }).then(() => undefined, unlessOfDisk)),
  };
}

/**
 * Makes them ready: the same queries and questions as the load's, to each of its targets, as fast as their limits allow and no longer than
 * the waits above. Nothing is sent with `--no-canary`, or where nothing is kept that it could be compared with. `onBegin` is told when there is something to send.
 */
export async function openUnloadedRequests(
  session: LoadSession,
  onBegin: (when: "before" | "after") => void,
): Promise<UnloadedRequests> {
  if (!isWanted(session)) {
    return nothing;
  }
  const { a, b } = session.targets;
  const opened = await Promise.all([
    openTarget(session, "a", a),
    ...(b === undefined ? [] : [openTarget(session, "b", b)]),
  ]);
  const all = opened.map(requestsTo);
  return {
    send: async (when) => {
      onBegin(when);
      await Promise.all(all.map((one) => one.send(when)));
    },
    isApi: () => all.every((one) => one.isApi()),
    unreachable: () => all.map((one) => one.unreachable()).find((why) => why !== undefined),
    left: () => all.flatMap((one) => one.left()),
    close: async () => {
      await Promise.all(all.map((one) => one.close()));
    },
  };
}
