import { isBusy } from "@assay/reading";
import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import { createLegacyList } from "./legacy-dialect.ts";
import { type PollEnd, pollToEnd } from "./poll.ts";
import { createLongQuestion } from "./question-texts.ts";
import {
  type DriveContext,
  type UnsentReason,
  ask,
  callWithRetry,
  isDue,
  updateThread,
  createUnsentReason,
  recordSkipped,
} from "./drive-context.ts";
import type { Thread } from "./thread.ts";
import { askFollowUp, createThread } from "./write-question.ts";

const createPollerSessions = ({ dialect }: DriveContext): readonly string[] => [
  `${dialect.interface}-poller-1`,
  `${dialect.interface}-poller-2`,
];

const unfinishedReasons: Readonly<Record<Exclude<PollEnd, "finished">, string>> = {
  deadline: "the previous question did not end in time",
  unclear: "the answers did not show whether the previous question had ended",
  stopped: "polling was stopped",
};

/** Cancels the last question of one of this run's conversations. Returns the answer if the call was sent. */
async function cancelLastQuestion(context: DriveContext, thread: Thread): Promise<Answer | undefined> {
  const call = context.dialect.cancel(thread.id, thread.view.lastQuestionId);
  if (call === undefined || !thread.hasRunMark) {
    recordSkipped(context, "cancel", createUnsentReason("no answer had the id of the question to cancel"));
    return undefined;
  }
  thread.wasCancelled = true;
  return callWithRetry(context, "cancel", { call, credential: thread.credential });
}

/** Cancels a question at its deadline, so that it does not use more credits. */
async function pollOrCancel(context: DriveContext, probe: ConversationProbeId, thread: Thread): Promise<PollEnd> {
  const end = await pollToEnd(context, { probe, thread, sessions: createPollerSessions(context) });
  if (end === "deadline") {
    await cancelLastQuestion(context, thread);
  }
  return end;
}

async function followUp(context: DriveContext, thread: Thread, end: PollEnd): Promise<void> {
  const isDueNow = isDue(context, "follow-up", {
    missingPreconditions: [
      [end !== "finished", end === "finished" ? "" : unfinishedReasons[end]],
      [!thread.hasRunMark, "no answer showed the conversation with the question that was asked"],
    ],
  });
  if (isDueNow && (await askFollowUp(context, thread)) && isDue(context, "follow-up-poll")) {
    await pollOrCancel(context, "follow-up-poll", thread);
  }
}

/** Returns a clause if this answer to a creation shows that the interface is unusable. */
function findUnusableReason({ kind, status, json }: Answer): string | undefined {
  const isMissing = kind === "not-api" || [404, 405, 501].includes(status);
  return isMissing || (kind === "success" && json === undefined)
    ? `the creation of a conversation returned ${isMissing ? `status ${status}` : "something that is not JSON"}`
    : undefined;
}

/** Returns the reason for a missing conversation if the target was too busy to create it. */
const findCreationReason = (answer: Answer | undefined): UnsentReason | undefined =>
  answer !== undefined && isBusy(answer.status)
    ? {
        cause: "busy",
        reason: `the creation of a conversation returned status ${answer.status}`,
      }
    : undefined;

/** A conversation and how its polling ended. */
interface HeldConversation {
  readonly thread: Thread;
  readonly end: PollEnd;
}

/**
 * Lists conversations while the first one is in progress, since lists show questions too. The list has an order, so that rules do not
 * expect it to be complete: a new conversation may appear a little later.
 */
async function listWhileProcessing(context: DriveContext, thread: Thread | undefined): Promise<void> {
  // Summaries of the current interface may omit questions.
  if (context.dialect.interface === "legacy" && thread !== undefined && isDue(context, "list-at-work")) {
    await ask(context, "list-at-work", { call: createLegacyList([["sort", "-created_at"]]) });
  }
}

/** Holds the first conversation: a question and its answer. It shows whether the interface is usable. */
async function holdFirstConversation(context: DriveContext): Promise<HeldConversation | undefined> {
  const { answer, thread } = await createThread(context, "create", {
    question: context.nextQuestion(),
  });
  const unusable = answer === undefined ? undefined : findUnusableReason(answer);
  if (unusable !== undefined) {
    context.unusableReason = unusable;
  }
  const noConversation = "there is no conversation to read";
  if (thread === undefined) {
    recordSkipped(context, "follow-up", findCreationReason(answer) ?? createUnsentReason(noConversation));
  }
  await listWhileProcessing(context, thread);
  return isDue(context, "poll", { missingPreconditions: [[thread === undefined, noConversation]] }) &&
    thread !== undefined
    ? { thread, end: await pollOrCancel(context, "poll", thread) }
    : undefined;
}

/** Maximum number of conversations cancelled until a cancellation takes effect. */
const maxCancelTries = 3;

/**
 * Creates another conversation and cancels it as soon as the creation returns. Returns true if this should be repeated: the
 * question was answered anyway, or before the cancellation arrived.
 */
async function holdCancelledConversation(context: DriveContext): Promise<boolean> {
  const { thread } = await createThread(context, "cancel", { question: context.nextQuestion() });
  if (thread === undefined) {
    return false;
  }
  const session = `${context.dialect.interface}-${thread.credential}`;
  const cancelAnswer = await cancelLastQuestion(context, thread);
  const end = await pollToEnd(context, { probe: "cancel", thread, sessions: [session] });
  await cancelAgain(context, { thread, end });
  const isAnswered = end === "finished" && thread.view.isAnswered === true;
  const isConclusive = thread.wasProcessing === true || cancelAnswer?.kind === "refused";
  return isAnswered && isConclusive;
}

/** Cancels a question that has ended, which must not change it, whatever the answer. */
async function cancelAgain(context: DriveContext, { thread, end }: HeldConversation): Promise<void> {
  const call = context.dialect.cancel(thread.id, thread.view.lastQuestionId);
  if (end !== "finished" || !thread.hasRunMark || call === undefined || !isDue(context, "cancel-again")) {
    return;
  }
  const { credential } = thread;
  await callWithRetry(context, "cancel-again", { call, credential });
  const answer = await ask(context, "cancel-again", { call: context.dialect.get(thread.id), credential });
  if (answer !== undefined) {
    updateThread(context, thread, answer);
  }
}

/**
 * Holds two conversations and cancels the second. Then the first one continues, so it was created first but updated last, and the two list
 * orders differ.
 */
async function holdMainConversations(context: DriveContext): Promise<void> {
  const noToken = [context.mainCredential === "none", "no token is set"] as const;
  const first = isDue(context, "create", { missingToken: noToken }) ? await holdFirstConversation(context) : undefined;
  const isCancelling = isDue(context, "cancel", { missingToken: noToken });
  const shouldRepeat = isCancelling && (await holdCancelledConversation(context));
  if (first !== undefined) {
    await followUp(context, first.thread, first.end);
  }
  for (let tries = 1, shouldContinue = shouldRepeat; shouldContinue && tries < maxCancelTries; tries += 1) {
    shouldContinue = await holdCancelledConversation(context);
  }
}

interface FailingQuestion {
  readonly probe: ConversationProbeId;
  readonly credential: CredentialKind;
  readonly question: string;
}

/** Asks a question whose processing must fail. */
async function holdFailingQuestion(
  context: DriveContext,
  { probe, credential, question }: FailingQuestion,
): Promise<void> {
  const { thread } = await createThread(context, probe, { question, credential });
  if (thread !== undefined) {
    await pollToEnd(context, {
      probe,
      thread,
      sessions: [`${context.dialect.interface}-${credential}`],
    });
    const lastAnswer = await ask(context, probe, { call: context.dialect.get(thread.id), credential });
    if (lastAnswer !== undefined) {
      updateThread(context, thread, lastAnswer);
    }
  }
}

const failureCredentials = { quota: "quota-token", entitlement: "entitlement-token" } as const;

/** Asks all needed questions in sequence. */
export async function holdConversations(context: DriveContext): Promise<void> {
  const { credentials, limits, mainCredential, nextQuestion } = context;
  const noToken = [mainCredential === "none", "no token is set"] as const;
  await holdMainConversations(context);
  const notLocal = [
    limits.name !== "local",
    "such a long question is sent only to local targets, since its cost elsewhere is unknown",
  ] as const;
  if (isDue(context, "token-limit", { missingToken: noToken, missingPreconditions: [notLocal] })) {
    await holdFailingQuestion(context, {
      probe: "token-limit",
      credential: mainCredential,
      question: createLongQuestion(nextQuestion()),
    });
  }
  for (const probe of ["quota", "entitlement"] as const) {
    const credential = failureCredentials[probe];
    if (isDue(context, probe, { missingToken: [!credentials.has(credential), `no ${credential} is set`] })) {
      await holdFailingQuestion(context, { probe, credential, question: nextQuestion() });
    }
  }
}
