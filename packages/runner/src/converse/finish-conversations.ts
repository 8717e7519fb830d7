import { deletionPatienceMs } from "@assay/contract";
import { readList } from "@assay/reading";
import type { Answer } from "./answer.ts";
import type { PlainCall } from "./dialect.ts";
import { createLegacyList } from "./legacy-dialect.ts";
import { type DriveContext, sendProbe, callWithRetry, isDue, updateConversation } from "./drive-context.ts";
import { pollToEnd } from "./poll.ts";
import { askFollowUp } from "./write-question.ts";
import { type RunConversation, isMarked, isSameConversation } from "./run-conversation.ts";

/** Reports whether the answer to a deletion shows that the conversation no longer exists. */
export const isGone = ({ kind, status }: Answer): boolean => kind === "success" || status === 404;

/** Longer than a deleted conversation may still be shown, so that the last read is after that time. */
export const lastReadDelayMs = deletionPatienceMs + 300;

/** Interval between reads. */
export const readIntervalMs = 700;

/** Polls until nothing deleted is shown, or the run stops. Otherwise the last poll is just after the allowed time. */
async function pollUntilGone(context: DriveContext, isShown: () => Promise<boolean>): Promise<void> {
  const { caller, clock } = context;
  const startMs = clock.nowMicros() / 1000;
  while (await isShown()) {
    const remainingMs = startMs + lastReadDelayMs - clock.nowMicros() / 1000;
    if (remainingMs <= 0 || caller.stop !== undefined) {
      return;
    }
    await caller.pause(Math.min(readIntervalMs, Math.max(1, remainingMs)));
  }
}

/** Deletes a conversation. Returns true if that was accepted. */
async function deleteConversation(context: DriveContext, conversation: RunConversation): Promise<boolean> {
  const { credential } = conversation;
  const answer = await callWithRetry(context, "delete", { call: context.dialect.delete(conversation.id), credential });
  return answer !== undefined && isGone(answer);
}

/** Reports whether a deleted conversation can still be read. */
async function isReadable(context: DriveContext, { id, credential }: RunConversation): Promise<boolean> {
  const answer = await sendProbe(context, "read-after-delete", { call: context.dialect.get(id), credential });
  return answer?.kind === "success" && isMarked(context.dialect.read(answer.json), context.marker);
}

/** Reports whether a list of the main user still contains any of these conversations. */
async function isAnyListed(
  context: DriveContext,
  conversations: readonly RunConversation[],
  call: PlainCall = context.dialect.list(),
): Promise<boolean> {
  const { dialect } = context;
  const answer = await sendProbe(context, "read-after-delete", { call });
  const entries = readList(dialect.interface, answer?.json)?.entries ?? [];
  const views = entries.map(({ json }) => dialect.read(json));
  return (
    answer?.kind === "success" &&
    conversations.some((conversation) => views.some((view) => isSameConversation(view, conversation)))
  );
}

/** Finds a conversation of the main user that was answered and not cancelled. */
const findAnsweredConversation = ({ mainCredential, conversations }: DriveContext): RunConversation | undefined =>
  conversations.find(
    ({ hasRunMark, isFinished, credential, wasCancelled, view }) =>
      hasRunMark &&
      isFinished &&
      credential === mainCredential &&
      wasCancelled === undefined &&
      view.isAnswered === true,
  );

/**
 * Cancels a question that was answered. The question must not change, even if the target accepts the cancellation. No other call
 * concerns this conversation until it is read again.
 */
async function cancelAnsweredQuestion(context: DriveContext): Promise<void> {
  const conversation = findAnsweredConversation(context);
  const call = conversation && context.dialect.cancel(conversation.id, conversation.view.lastQuestionId);
  if (call !== undefined && isDue(context, "cancel-late")) {
    await callWithRetry(context, "cancel-late", { call });
  }
}

/**
 * Asks a further question and cancels it as soon as it is accepted. Earlier questions must not change, whether they were answered or, in
 * the legacy interface, cancelled. This is the last step, since it makes the conversation unlike the others.
 */
async function cancelFollowUps(context: DriveContext): Promise<void> {
  const { dialect, mainCredential, conversations } = context;
  const cancelledConversation = conversations.find(
    ({ hasRunMark, isFinished, credential, wasCancelled }) =>
      hasRunMark && isFinished && credential === mainCredential && wasCancelled === true,
  );
  const conversationsToCancel = [
    findAnsweredConversation(context),
    dialect.interface === "legacy" ? cancelledConversation : undefined,
  ];
  const missingPreconditions = [
    [conversationsToCancel.every((conversation) => conversation === undefined), "no conversation of the run has ended"],
  ] as const;
  if (isDue(context, "cancel-follow-up", { missingPreconditions })) {
    for (const conversation of conversationsToCancel) {
      await (conversation === undefined ? undefined : cancelFollowUp(context, conversation));
    }
  }
}

async function cancelFollowUp(context: DriveContext, conversation: RunConversation): Promise<void> {
  const probe = "cancel-follow-up";
  const { lastQuestionId: questionIdBefore } = conversation.view;
  if (!(await askFollowUp(context, conversation, probe))) {
    return;
  }
  const { credential, id, view } = conversation;
  const isIdKnown = view.lastQuestionId === undefined || view.lastQuestionId !== questionIdBefore;
  const call = isIdKnown ? context.dialect.cancel(id, view.lastQuestionId) : undefined;
  if (call !== undefined) {
    conversation.wasCancelled = true;
    await sendProbe(context, probe, { call, credential });
    await pollToEnd(context, { probe, conversation, sessions: [`${context.dialect.interface}-${credential}`] });
  }
}

/**
 * Cancels late, reads each conversation of the run again, asks and cancels follow-ups, deletes the conversations, and checks that they
 * are neither readable nor listed. Those that still exist, or were never shown with the mark of the run, are left to the clean-up.
 */
export async function finishConversations(context: DriveContext): Promise<void> {
  const ownConversations = context.conversations.filter(({ hasRunMark }) => hasRunMark);
  await cancelAnsweredQuestion(context);
  if (isDue(context, "read-again")) {
    for (const conversation of ownConversations) {
      const answer = await sendProbe(context, "read-again", {
        call: context.dialect.get(conversation.id),
        credential: conversation.credential,
      });
      if (answer !== undefined) {
        updateConversation(context, conversation, answer);
      }
    }
  }
  await cancelFollowUps(context);
  const deletedConversations: RunConversation[] = [];
  for (const conversation of ownConversations) {
    if (await deleteConversation(context, conversation)) {
      deletedConversations.push(conversation);
    }
  }
  await pollDeleted(context, deletedConversations);
}

async function pollDeleted(context: DriveContext, deletedConversations: readonly RunConversation[]): Promise<void> {
  const visibleConversations = new Set(deletedConversations);
  await pollUntilGone(context, async () => {
    for (const conversation of visibleConversations) {
      if (!(await isReadable(context, conversation))) {
        visibleConversations.delete(conversation);
      }
    }
    return visibleConversations.size > 0;
  });
  const vanishedConversations =
    context.caller.stop === undefined
      ? deletedConversations.filter((conversation) => !visibleConversations.has(conversation))
      : [];
  for (const conversation of vanishedConversations) {
    await context.ledger.recordDeleted(conversation.key);
  }
  const [first] = vanishedConversations;
  if (first !== undefined) {
    await askInDeleted(context, first);
  }
  await pollLists(
    context,
    deletedConversations.filter(({ credential }) => credential === context.mainCredential),
  );
}

/**
 * Reads lists until they no longer show any of these conversations. In the legacy interface this includes lists filtered by the id and by
 * the read token of the first conversation.
 */
async function pollLists(context: DriveContext, conversations: readonly RunConversation[]): Promise<void> {
  const [first] = conversations;
  if (first === undefined || !context.neededProbes.has("read-after-delete")) {
    return;
  }
  await pollUntilGone(context, () => isAnyListed(context, conversations));
  if (context.dialect.interface === "legacy") {
    const { readToken } = first.view;
    const byToken = readToken === undefined ? [] : [createLegacyList([["filter_read_token", readToken]])];
    for (const call of [createLegacyList([["filter_id", first.id]]), ...byToken]) {
      await pollUntilGone(context, () => isAnyListed(context, [first], call));
    }
  }
}

/** Asks a question in a deleted conversation. If it is accepted, asks another one after the allowed time. */
async function askInDeleted(context: DriveContext, { id, credential }: RunConversation): Promise<void> {
  const { dialect, caller, budget, nextQuestion } = context;
  const probe = "follow-up-after-delete";
  for (const waitMs of [0, lastReadDelayMs]) {
    await caller.pause(waitMs);
    if (!isDue(context, probe) || caller.distress !== undefined || budget.charge() !== undefined) {
      return;
    }
    const answer = await sendProbe(context, probe, {
      call: dialect.followUp(id, nextQuestion()),
      credential,
    });
    if (answer === undefined || answer.kind === "refused") {
      budget.refund();
    }
    if (answer?.kind !== "success") {
      return;
    }
  }
}
