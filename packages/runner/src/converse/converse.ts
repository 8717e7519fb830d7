import { defined, neededProbes } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { createCaller } from "./caller.ts";
import type { CallerOptions, CallerStop } from "./caller.ts";
import { cleanUp } from "./clean-up.ts";
import type { CleanUpEnd } from "./clean-up.ts";
import { conversationInterfaces } from "./dialect.ts";
import type { ConversationInterface } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { holdConversations } from "./hold-conversations.ts";
import type { Ledger } from "./ledger.ts";
import { lookAsOther, lookAtLists } from "./look-at-lists.ts";
import { readAcrossInterfaces } from "./read-across-interfaces.ts";
import { createQuestionBudget } from "./question-budget.ts";
import { questionTexts } from "./question-texts.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { RateLimit } from "./rate-limit.ts";
import { removeThreads } from "./remove-threads.ts";
import type { ReasonToStop } from "../drive/drive-run.ts";
import { ask, isDue, learnThread } from "./drive-context.ts";
import type { SharedContext, SkippedProbe, DriveContext } from "./drive-context.ts";
import { tryRefusals } from "./try-refusals.ts";

/** How many reads are on their way at the same moment. */
const readsAtOnce = 4;

/**
 * Reads conversations of the run all at the same moment, in turn until there are four reads, so that a target which keeps
 * what it answers in a place that calls share is seen to. With one conversation nothing could be mixed up, and nothing is sent.
 */
async function readInParallel(context: DriveContext): Promise<void> {
  const { threads, mainCredential: credential, dialect } = context;
  const ours = threads.filter((thread) => thread.isOurs && thread.credential === credential).slice(-readsAtOnce);
  if (ours.length < 2 || !isDue(context, "parallel-reads")) {
    return;
  }
  const inTurn = Array.from({ length: readsAtOnce }, (_, index) => ours[index % ours.length] ?? []).flat();
  await Promise.all(
    inTurn.map(async (thread, index) => {
      const session = `${dialect.interface}-parallel-${index + 1}`;
      const answer = await ask(context, "parallel-reads", { call: dialect.get(thread.id), session });
      // What was told last is what lists are asked for by.
      if (answer !== undefined) {
        learnThread(context, thread, answer);
      }
    }),
  );
}

export interface ConverseOptions extends Omit<CallerOptions, "writer" | "rateLimit" | "leftMs" | "signal"> {
  readonly interfaces: ReadonlySet<ConversationInterface>;
  readonly writer: NonNullable<CallerOptions["writer"]>;
  /** Given besides the main one. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Cannot be made from those that were given; nothing is sent with them [none]. */
  readonly unmade?: ReadonlySet<CredentialKind>;
  /** Ids of the selected rules: what none of them needs is not sent. */
  readonly rules: ReadonlySet<string>;
  /** Id of the run: a word of 8 to 100 characters. It stands in each question. */
  readonly marker: string;
  /** Texts, without the mark; each is asked in turn. */
  readonly questions: readonly string[];
  readonly sharing: "on" | "off" | "undeclared";
  /** That of the whole run [one of its own, as the limits say]. */
  readonly rateLimit?: RateLimit;
  /** Stays open. */
  readonly ledger: Ledger;
  /** From 0 to below 1; seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** Whether the time of the whole run is used up; asked before each call. Cleaning up goes on all the same. */
  readonly isOverdue: () => boolean;
  /** Of the time of the whole run: no call and no wait takes longer, but each may take a second [no limit]. */
  readonly leftMs?: () => number;
  /** Aborted with the name of the signal when the user interrupts. Cleaning up goes on all the same. */
  readonly signal: AbortSignal;
  /** Asked between the steps, when nothing is on its way [never]. */
  readonly reasonToStop?: ReasonToStop;
  /** For cleaning up [20,000]. */
  readonly cleanUpDeadlineMs?: number;
}

/** How the conversations of a run ended. */
export interface ConverseEnd {
  /** Why not everything was sent; absent where nothing stopped it. */
  readonly stop?: CallerStop;
  /** Why no more questions were asked, a clause; absent where nothing kept the run from asking. */
  readonly distress?: string;
  readonly questionsAsked: number;
  /** What was wanted and not sent, in the order of noticing. */
  readonly skipped: readonly SkippedProbe[];
  readonly cleanUp: CleanUpEnd;
}

function sharedContextOf(options: ConverseOptions, shared: Pick<SharedContext, "caller" | "nowMs">): SharedContext {
  const { limits, marker, questions, listener } = options;
  return {
    ...shared,
    budget: createQuestionBudget(limits.questions),
    ledger: options.ledger,
    limits,
    marker,
    mainCredential: options.mainCredential,
    credentials: options.credentials,
    unmade: options.unmade ?? new Set(),
    sharing: options.sharing,
    nextQuestion: questionTexts(questions, marker),
    clock: options.clock,
    random: options.random,
    listener,
    skipped: [],
  };
}

/** Runs a step on each context at the same time. Waits for all before it fails. */
async function onAll(contexts: readonly DriveContext[], step: (context: DriveContext) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(contexts.map((context) => step(context)));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}

/**
 * The steps of a run. Each begins when the one before has ended on both interfaces: lists are looked at while nothing changes,
 * and what has to be refused comes last, because a target that accepts it changes what was there.
 */
async function play(
  contexts: readonly DriveContext[],
  { caller, reasonToStop }: Pick<ConverseOptions, "reasonToStop"> & Pick<SharedContext, "caller">,
): Promise<void> {
  const [one, two] = contexts;
  const readAcross = async (context: DriveContext): Promise<void> => {
    if (one !== undefined && two !== undefined) {
      await readAcrossInterfaces(context, context === one ? two : one);
    }
  };
  await onAll(contexts, holdConversations);
  for (const step of [readInParallel, lookAtLists, lookAsOther, readAcross, tryRefusals, removeThreads]) {
    const reason = caller.stop === undefined ? await reasonToStop?.("calls") : undefined;
    if (reason !== undefined) {
      // The steps that follow send nothing, and note what they would have sent.
      caller.halt({ cause: "bail", reason });
    }
    await onAll(contexts, step);
  }
}

const leastMs = 1000;

/**
 * Holds conversations with a target over its interfaces, both at the same time, and records each exchange. Decides nothing
 * about what comes back. At the end, and after anything that stopped it, what was created is deleted. Fails when a call cannot
 * be sent or recorded, or the ledger not be written; what was created is deleted before that, as far as it can be.
 */
export async function converse(options: ConverseOptions): Promise<ConverseEnd> {
  const { clock, limits, isOverdue, signal, ledger, nowMs = Date.now } = options;
  const { rateLimit = createRateLimit(limits.requestsPerSecond, clock) } = options;
  // What was begun in time gets at least a second.
  const leftMs = (): number => (isOverdue() ? 0 : Math.max(leastMs, options.leftMs?.() ?? Number.POSITIVE_INFINITY));
  const caller = createCaller({ ...options, rateLimit, leftMs, signal });
  const production = sharedContextOf(options, { caller, nowMs });
  const contexts = conversationInterfaces
    .filter((name) => options.interfaces.has(name))
    .map((name): DriveContext => {
      const needed = neededProbes(options.rules, name);
      return { ...production, dialect: dialects[name], needed, threads: [] };
    })
    .filter(({ needed }) => needed.size > 0);
  const { signal: _interrupted, writer, cleanUpDeadlineMs: deadlineMs, ...calling } = options;
  const clean = (recorded: boolean): Promise<CleanUpEnd> =>
    cleanUp({
      ...calling,
      credentials: new Set([...options.credentials, options.mainCredential]),
      ...(recorded ? { writer } : {}),
      rateLimit,
      entries: ledger.entries(),
      ledger,
      ...defined({ deadlineMs }),
    });
  try {
    await play(contexts, { caller, ...defined({ reasonToStop: options.reasonToStop }) });
  } catch (cause) {
    // Whatever the reason was, it is what people have to be told.
    await clean(false).catch(() => undefined);
    throw cause;
  }
  const cleaned = await clean(true);
  const { stop, distress } = caller;
  return {
    ...defined({ stop }),
    ...(distress === undefined ? {} : { distress: distress.reason }),
    questionsAsked: production.budget.asked,
    skipped: production.skipped,
    cleanUp: cleaned,
  };
}
