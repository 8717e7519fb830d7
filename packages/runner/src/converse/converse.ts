import { defined, findNeededProbes } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { createCaller } from "./caller.ts";
import type { CallerOptions, CallerStop } from "./caller.ts";
import { cleanUp } from "./clean-up.ts";
import type { CleanUpResult } from "./clean-up.ts";
import { conversationInterfaces } from "./dialect.ts";
import type { ConversationInterface } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { holdConversations } from "./hold-conversations.ts";
import type { Ledger } from "./ledger.ts";
import { probeAsOtherUser, probeLists } from "./probe-lists.ts";
import { readAcrossInterfaces } from "./read-across-interfaces.ts";
import { createQuestionBudget } from "./question-budget.ts";
import { createQuestionTexts } from "./question-texts.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { RateLimit } from "./rate-limit.ts";
import { exploreSequences } from "./explore-sequences.ts";
import { finishConversations } from "./finish-conversations.ts";
import type { ReasonToStop } from "../drive/drive-run.ts";
import { sendProbe, isDue, updateConversation } from "./drive-context.ts";
import type { SharedContext, SkippedProbe, DriveContext } from "./drive-context.ts";
import { tryRefusals } from "./try-refusals.ts";

const parallelReadCount = 3;

/**
 * Reads the run's conversations in three concurrent calls, to detect a target that mixes up the responses of concurrent calls. Sends
 * nothing if there is only one conversation.
 */
async function readInParallel(context: DriveContext): Promise<void> {
  const { conversations, mainCredential: credential, dialect } = context;
  const ownConversations = conversations
    .filter((conversation) => conversation.hasRunMark && conversation.credential === credential)
    .slice(-parallelReadCount);
  if (ownConversations.length < 2 || !isDue(context, "parallel-reads")) {
    return;
  }
  const conversationsToRead = Array.from(
    { length: parallelReadCount },
    (_, index) => ownConversations[index % ownConversations.length] ?? [],
  ).flat();
  await Promise.all(
    conversationsToRead.map(async (conversation, index) => {
      const session = `${dialect.interface}-parallel-${index + 1}`;
      const answer = await sendProbe(context, "parallel-reads", { call: dialect.get(conversation.id), session });
      // Lists are filtered by the values of the last answer.
      if (answer !== undefined) {
        updateConversation(context, conversation, answer);
      }
    }),
  );
}

export interface ConverseOptions extends Omit<CallerOptions, "writer" | "rateLimit" | "remainingMs" | "signal"> {
  readonly interfaces: ReadonlySet<ConversationInterface>;
  readonly writer: NonNullable<CallerOptions["writer"]>;
  /** Credentials in addition to the main one. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Credentials that cannot be derived from the configured ones and are not used. Default: none. */
  readonly unavailableCredentials?: ReadonlySet<CredentialKind>;
  /** Ids of the selected rules. Only probes that they need are sent. */
  readonly rules: ReadonlySet<string>;
  /** Id of the run: a word of 8 to 100 characters. Each question contains it. */
  readonly marker: string;
  /** Texts without the mark, asked in turn. */
  readonly questions: readonly string[];
  readonly sharing: "on" | "off" | "undeclared";
  /** Shared with the rest of the run. Default: a new one from the limits. */
  readonly rateLimit?: RateLimit;
  /** The caller closes it. */
  readonly ledger: Ledger;
  /** Returns a number from 0 to below 1. Seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** True if the time of the run is up; checked before each call, except during clean-up. */
  readonly isOverdue: () => boolean;
  /** Remaining time of the run. Calls and waits end by then, but each may take a second. Default: no limit. */
  readonly remainingMs?: () => number;
  /** Aborted with the name of the signal when the user interrupts. Clean-up still runs. */
  readonly signal: AbortSignal;
  /** Called between the steps, when no request is in flight. */
  readonly reasonToStop?: ReasonToStop;
  /** Time limit of the clean-up, in milliseconds. Default: 20,000. */
  readonly cleanUpDeadlineMs?: number;
}

/** How the conversations of a run ended. */
export interface ConverseEnd {
  /** The reason sending stopped early. Absent if it did not. */
  readonly stop?: CallerStop;
  /** The reason, as a clause, why no more questions were asked. Absent if they were not limited. */
  readonly distress?: string;
  readonly questionsAsked: number;
  /** Needed probes that were not sent, in order. */
  readonly skippedProbes: readonly SkippedProbe[];
  readonly cleanUp: CleanUpResult;
}

function createSharedContext(
  options: ConverseOptions,
  callerAndClock: Pick<SharedContext, "caller" | "nowMs">,
): SharedContext {
  const { limits, marker, questions, listener } = options;
  return {
    ...callerAndClock,
    budget: createQuestionBudget(limits.questions),
    ledger: options.ledger,
    limits,
    marker,
    mainCredential: options.mainCredential,
    credentials: options.credentials,
    unavailableCredentials: options.unavailableCredentials ?? new Set(),
    sharing: options.sharing,
    nextQuestion: createQuestionTexts(questions, marker),
    clock: options.clock,
    random: options.random,
    listener,
    skippedProbes: [],
  };
}

/** Runs a step on all contexts concurrently. Waits for all of them before it fails. */
async function runOnAll(
  contexts: readonly DriveContext[],
  step: (context: DriveContext) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(contexts.map((context) => step(context)));
  const failedEnd = ends.find((end) => end.status === "rejected");
  if (failedEnd !== undefined) {
    throw failedEnd.reason;
  }
}

/**
 * Runs the steps of a run. Each begins after the previous one has ended on both interfaces. Lists are read while nothing changes. Requests
 * that must be refused come late, since a faulty target may carry them out.
 */
async function runSteps(
  contexts: readonly DriveContext[],
  { caller, reasonToStop }: Pick<ConverseOptions, "reasonToStop"> & Pick<SharedContext, "caller">,
): Promise<void> {
  const otherOf = (context: DriveContext): DriveContext | undefined => contexts.find((other) => other !== context);
  const readAcross = async (context: DriveContext): Promise<void> => {
    const otherContext = otherOf(context);
    await (otherContext === undefined ? undefined : readAcrossInterfaces(context, otherContext));
  };
  const finish = (context: DriveContext): Promise<void> => finishConversations(context, otherOf(context));
  await runOnAll(contexts, holdConversations);
  for (const step of [readInParallel, probeLists, probeAsOtherUser, readAcross, tryRefusals, finish]) {
    const reason = caller.stop === undefined ? await reasonToStop?.("calls") : undefined;
    if (reason !== undefined) {
      // The remaining steps send nothing, but note the skipped probes.
      caller.halt({ cause: "bail", reason });
    }
    if (step === finish) {
      await exploreSequences(contexts);
    }
    await runOnAll(contexts, step);
  }
}

const minCallMs = 1000;

/**
 * Holds conversations with a target over both interfaces concurrently, and records each exchange. Does not judge answers. Deletes
 * everything it created at the end, even if it was stopped. Fails if a call cannot be sent or recorded or the ledger cannot be written;
 * it first deletes what it can.
 */
export async function converse(options: ConverseOptions): Promise<ConverseEnd> {
  const { clock, limits, isOverdue, signal, ledger, nowMs = Date.now } = options;
  const { rateLimit = createRateLimit(limits.requestsPerSecond, clock) } = options;
  // A call that started in time gets at least a second.
  const remainingMs = (): number =>
    isOverdue() ? 0 : Math.max(minCallMs, options.remainingMs?.() ?? Number.POSITIVE_INFINITY);
  const caller = createCaller({ ...options, rateLimit, remainingMs, signal });
  const sharedContext = createSharedContext(options, { caller, nowMs });
  const contexts = conversationInterfaces
    .filter((name) => options.interfaces.has(name))
    .map((name): DriveContext => {
      const neededProbes = findNeededProbes(options.rules, name);
      return {
        ...sharedContext,
        dialect: dialects[name],
        neededProbes,
        conversations: [],
        deletedAtWork: [],
        exploredConversations: [],
      };
    })
    .filter(({ neededProbes }) => neededProbes.size > 0);
  const { signal: _interrupted, writer, cleanUpDeadlineMs: deadlineMs, ...callerOptions } = options;
  const runCleanUp = (recordsExchanges: boolean): Promise<CleanUpResult> =>
    cleanUp({
      ...callerOptions,
      credentials: new Set([...options.credentials, options.mainCredential]),
      ...(recordsExchanges ? { writer } : {}),
      rateLimit,
      entries: ledger.entries(),
      ledger,
      ...defined({ deadlineMs }),
    });
  try {
    await runSteps(contexts, { caller, ...defined({ reasonToStop: options.reasonToStop }) });
  } catch (cause) {
    // The original error is reported, even if the clean-up fails too.
    await runCleanUp(false).catch(() => undefined);
    throw cause;
  }
  const cleanUpEnd = await runCleanUp(true);
  const { stop, distress } = caller;
  return {
    ...defined({ stop }),
    ...(distress === undefined ? {} : { distress: distress.reason }),
    questionsAsked: sharedContext.budget.askedCount,
    skippedProbes: sharedContext.skippedProbes,
    cleanUp: cleanUpEnd,
  };
}
