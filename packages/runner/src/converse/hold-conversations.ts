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
  sendProbe,
  callWithRetry,
  isDue,
  updateConversation,
  createUnsentReason,
  recordSkipped,
} from "./drive-context.ts";
import type { RunConversation } from "./run-conversation.ts";
import { askFollowUp, createConversation } from "./write-question.ts";

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
async function cancelLastQuestion(context: DriveContext, conversation: RunConversation): Promise<Answer | undefined> {
  const call = context.dialect.cancel(conversation.id, conversation.view.lastQuestionId);
  if (call === undefined || !conversation.hasRunMark) {
    recordSkipped(context, "cancel", createUnsentReason("no answer had the id of the question to cancel"));
    return undefined;
  }
  conversation.wasCancelled = true;
  return callWithRetry(context, "cancel", { call, credential: conversation.credential });
}

/** Cancels a question at its deadline, so that it does not use more credits. */
async function pollOrCancel(
  context: DriveContext,
  probe: ConversationProbeId,
  conversation: RunConversation,
): Promise<PollEnd> {
  // Two concurrent pollers show differences between replicas; one such question is enough.
  const sessions = createPollerSessions(context).slice(0, probe === "poll" ? 2 : 1);
  const end = await pollToEnd(context, { probe, conversation, sessions });
  if (end === "deadline") {
    await cancelLastQuestion(context, conversation);
  }
  return end;
}

async function followUp(context: DriveContext, conversation: RunConversation, end: PollEnd): Promise<void> {
  const isDueNow = isDue(context, "follow-up", {
    missingPreconditions: [
      [end !== "finished", end === "finished" ? "" : unfinishedReasons[end]],
      [!conversation.hasRunMark, "no answer showed the conversation with the question that was asked"],
    ],
  });
  if (isDueNow && (await askFollowUp(context, conversation)) && isDue(context, "follow-up-poll")) {
    await pollOrCancel(context, "follow-up-poll", conversation);
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
  readonly conversation: RunConversation;
  readonly end: PollEnd;
}

/**
 * Lists conversations while the first question is in progress, since lists show questions too. The request names a sort order, so that
 * rules do not expect a complete list: a new conversation may appear a little later.
 */
async function listWhileProcessing(context: DriveContext, conversation: RunConversation | undefined): Promise<void> {
  // Summaries of the current interface may omit questions.
  if (context.dialect.interface === "legacy" && conversation !== undefined && isDue(context, "list-at-work")) {
    await sendProbe(context, "list-at-work", { call: createLegacyList([["sort", "-created_at"]]) });
  }
}

/** Holds the first conversation: a question and its answer. It shows whether the interface is usable. */
async function holdFirstConversation(context: DriveContext): Promise<HeldConversation | undefined> {
  const { answer, conversation } = await createConversation(context, "create", {
    question: context.nextQuestion(),
  });
  const unusableReason = answer === undefined ? undefined : findUnusableReason(answer);
  if (unusableReason !== undefined) {
    context.unusableReason = unusableReason;
  }
  const noConversation = "there is no conversation to read";
  if (conversation === undefined) {
    recordSkipped(context, "follow-up", findCreationReason(answer) ?? createUnsentReason(noConversation));
  }
  await listWhileProcessing(context, conversation);
  return isDue(context, "poll", { missingPreconditions: [[conversation === undefined, noConversation]] }) &&
    conversation !== undefined
    ? { conversation, end: await pollOrCancel(context, "poll", conversation) }
    : undefined;
}

/** Maximum number of conversations cancelled until a cancellation takes effect. */
const maxCancelTries = 3;

/**
 * Creates another conversation and cancels it as soon as the creation returns. Returns true if this should be repeated: the
 * question was answered anyway, or before the cancellation arrived.
 */
async function holdCancelledConversation(context: DriveContext): Promise<boolean> {
  const { conversation } = await createConversation(context, "cancel", { question: context.nextQuestion() });
  if (conversation === undefined) {
    return false;
  }
  const session = `${context.dialect.interface}-${conversation.credential}`;
  const cancelAnswer = await cancelLastQuestion(context, conversation);
  const end = await pollToEnd(context, { probe: "cancel", conversation, sessions: [session] });
  await cancelAgain(context, { conversation, end });
  const isAnswered = end === "finished" && conversation.view.isAnswered === true;
  const isConclusive = conversation.wasProcessing === true || cancelAnswer?.kind === "refused";
  return isAnswered && isConclusive;
}

/** Cancels a question that has ended. The question must not change, even if the target accepts the cancellation. */
async function cancelAgain(context: DriveContext, { conversation, end }: HeldConversation): Promise<void> {
  const call = context.dialect.cancel(conversation.id, conversation.view.lastQuestionId);
  if (end !== "finished" || !conversation.hasRunMark || call === undefined || !isDue(context, "cancel-again")) {
    return;
  }
  const { credential } = conversation;
  await callWithRetry(context, "cancel-again", { call, credential });
  const answer = await sendProbe(context, "cancel-again", { call: context.dialect.get(conversation.id), credential });
  if (answer !== undefined) {
    updateConversation(context, conversation, answer);
  }
}

/**
 * Holds two conversations and cancels the second. Then the first one continues, so it was created first but updated last, and the two list
 * orders differ.
 */
async function holdMainConversations(context: DriveContext): Promise<void> {
  const noToken = [context.mainCredential === "none", "no token is set"] as const;
  const first = isDue(context, "create", { missingToken: noToken }) ? await holdFirstConversation(context) : undefined;
  const shouldCancel = isDue(context, "cancel", { missingToken: noToken });
  const shouldRepeat = shouldCancel && (await holdCancelledConversation(context));
  await (first === undefined ? undefined : deleteAtWork(context));
  if (first !== undefined) {
    await followUp(context, first.conversation, first.end);
  }
  for (let tries = 1, shouldContinue = shouldRepeat; shouldContinue && tries < maxCancelTries; tries += 1) {
    shouldContinue = await holdCancelledConversation(context);
  }
}

/**
 * Creates a conversation and deletes it while its question is in progress. It is read at the end of the run, when the question would have
 * been answered. The conversations created after it must have other ids.
 */
async function deleteAtWork(context: DriveContext): Promise<void> {
  const probe = "delete-at-work";
  if (!isDue(context, probe)) {
    return;
  }
  const { conversation } = await createConversation(context, probe, { question: context.nextQuestion() });
  if (conversation === undefined || !conversation.hasRunMark) {
    return;
  }
  const { credential, id } = conversation;
  const answer = await callWithRetry(context, probe, { call: context.dialect.delete(id), credential });
  if (answer?.kind === "success") {
    // Later steps use the other conversations.
    context.conversations.splice(context.conversations.indexOf(conversation), 1);
    context.deletedAtWork.push(conversation);
  }
}

/** A question whose processing must fail. */
interface FailingQuestion {
  readonly probe: ConversationProbeId;
  readonly credential: CredentialKind;
  readonly conversation: RunConversation;
}

/** Asks a question whose processing must fail. Returns undefined if that created no conversation. */
async function askFailingQuestion(
  context: DriveContext,
  { probe, credential, question }: Omit<FailingQuestion, "conversation"> & { readonly question: string },
): Promise<FailingQuestion | undefined> {
  const { conversation } = await createConversation(context, probe, { question, credential });
  return conversation && { probe, credential, conversation };
}

async function pollFailingQuestion(
  context: DriveContext,
  { probe, credential, conversation }: FailingQuestion,
): Promise<void> {
  await pollToEnd(context, {
    probe,
    conversation,
    sessions: [`${context.dialect.interface}-${credential}`],
    isPatient: true,
  });
  // A later step may read everything again.
  const lastAnswer = context.neededProbes.has("read-again")
    ? undefined
    : await sendProbe(context, probe, { call: context.dialect.get(conversation.id), credential });
  if (lastAnswer !== undefined) {
    updateConversation(context, conversation, lastAnswer);
  }
}

const failureCredentials = { quota: "quota-token", entitlement: "entitlement-token" } as const;

/** Asks the questions whose processing must fail, one after the other, and waits for all of them together. */
async function holdFailingQuestions(context: DriveContext): Promise<void> {
  const { credentials, limits, mainCredential, nextQuestion } = context;
  const noToken = [mainCredential === "none", "no token is set"] as const;
  const notLocal = [
    limits.name !== "local" && limits.longQuestionTokens === undefined,
    "such a long question is sent only to local targets, since its cost elsewhere is unknown; --long-question-tokens sends one",
  ] as const;
  const asked: (FailingQuestion | undefined)[] = [];
  if (isDue(context, "token-limit", { missingToken: noToken, missingPreconditions: [notLocal] })) {
    const question = createLongQuestion(nextQuestion(), limits.longQuestionTokens);
    asked.push(await askFailingQuestion(context, { probe: "token-limit", credential: mainCredential, question }));
  }
  for (const probe of ["quota", "entitlement"] as const) {
    const credential = failureCredentials[probe];
    if (isDue(context, probe, { missingToken: [!credentials.has(credential), `no ${credential} is set`] })) {
      asked.push(await askFailingQuestion(context, { probe, credential, question: nextQuestion() }));
    }
  }
  await Promise.all(asked.flatMap((failing) => (failing === undefined ? [] : [pollFailingQuestion(context, failing)])));
}

/** Asks all needed questions. */
export async function holdConversations(context: DriveContext): Promise<void> {
  await holdMainConversations(context);
  await holdFailingQuestions(context);
}
