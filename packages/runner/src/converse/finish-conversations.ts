import { deletionPatienceMs } from "@assay/contract";
import { readList } from "@assay/reading";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";
import { createLegacyList } from "./legacy-dialect.ts";
import { type DriveContext, sendProbe, callWithRetry, isDue, updateConversation } from "./drive-context.ts";
import { readSteps } from "./generate-sequences.ts";
import { pollToEnd } from "./poll.ts";
import { createSubject, runSequence } from "./run-sequence.ts";
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
async function deleteConversation(
  context: DriveContext,
  { credential, id }: RunConversation,
  probe: ConversationProbeId = "delete",
): Promise<boolean> {
  const answer = await callWithRetry(context, probe, { call: context.dialect.delete(id), credential });
  return answer !== undefined && isGone(answer);
}

/** Reports whether a deleted conversation can still be read. */
async function isReadable(
  context: DriveContext,
  { id, credential }: RunConversation,
  probe: ConversationProbeId = "read-after-delete",
): Promise<boolean> {
  const answer = await sendProbe(context, probe, { call: context.dialect.get(id), credential });
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
    for (const [index, conversation] of conversationsToCancel.entries()) {
      await (conversation === undefined ? undefined : cancelFollowUp(context, conversation, index === 0));
    }
  }
}

async function cancelFollowUp(context: DriveContext, conversation: RunConversation, isFirst: boolean): Promise<void> {
  const probe = "cancel-follow-up";
  const { lastQuestionId: questionIdBefore } = conversation.view;
  if (!(await askFollowUp(context, conversation, probe))) {
    return;
  }
  // A target may refuse the second one while the first is in progress. Then the first is cancelled.
  await (isFirst ? askFollowUp(context, conversation, probe) : undefined);
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
 * Sequences on an answered conversation, the most telling first. The interface that did not create it asks the second follow-up; the third
 * and fourth are asked at the same time.
 */
const followUpSequences = [
  {
    probe: "follow-up-across",
    needsOther: true,
    steps: readSteps("follow-up other", "poll other"),
  },
  {
    probe: "two-at-once",
    needsOther: false,
    steps: readSteps("follow-up + follow-up", "poll", "read other"),
  },
] as const;

/** Asks follow-ups through both interfaces, and two at once. */
async function askFurtherFollowUps(context: DriveContext, otherContext: DriveContext | undefined): Promise<void> {
  const conversation = findAnsweredConversation(context);
  for (const { probe, needsOther, steps } of followUpSequences) {
    const subject = conversation && createSubject(context, otherContext, conversation);
    const missingPreconditions = [
      [conversation === undefined, "no conversation of the run has ended"],
      [needsOther && subject?.other === undefined, "the other interface does not show the conversation"],
    ] as const;
    if (isDue(context, probe, { missingPreconditions }) && subject !== undefined) {
      await runSequence(subject, probe, steps);
    }
  }
}

/**
 * Cancels late, reads each conversation of the run again, asks and cancels follow-ups, deletes the conversations, and checks that they
 * are neither readable nor listed. Those that still exist, or were never shown with the mark of the run, are left to the clean-up.
 */
export async function finishConversations(
  context: DriveContext,
  otherContext: DriveContext | undefined,
): Promise<void> {
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
  await askFurtherFollowUps(context, otherContext);
  await cancelFollowUps(context);
  const deletedConversations = await deleteConversations(context, otherContext, [
    ...ownConversations,
    ...context.exploredConversations,
  ]);
  await pollDeleted(context, otherContext, [...deletedConversations, ...context.deletedAtWork]);
}

/** Deletes conversations, the second one through the other interface if that shows it. Returns those whose deletion was accepted. */
async function deleteConversations(
  context: DriveContext,
  otherContext: DriveContext | undefined,
  conversations: readonly RunConversation[],
): Promise<readonly RunConversation[]> {
  const deletedConversations: RunConversation[] = [];
  const [, second] = findShared(context, conversations);
  for (const conversation of conversations) {
    const isAcross = conversation === second && otherContext !== undefined && isDue(context, "delete-across");
    const address = isAcross ? createSubject(context, otherContext, conversation).other : undefined;
    const isDeletedAcross =
      address !== undefined && (await deleteConversation(address.context, address.conversation, "delete-across"));
    if (isDeletedAcross || (await deleteConversation(context, conversation))) {
      deletedConversations.push(conversation);
    }
  }
  return deletedConversations;
}

/** Returns the conversations of the main user that the other interface showed. */
const findShared = (
  { mainCredential }: DriveContext,
  conversations: readonly RunConversation[],
): readonly RunConversation[] =>
  conversations.filter(({ otherId, credential }) => otherId !== undefined && credential === mainCredential);

async function pollDeleted(
  context: DriveContext,
  otherContext: DriveContext | undefined,
  deletedConversations: readonly RunConversation[],
): Promise<void> {
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
  await pollDeletedAcross(context, otherContext, findShared(context, vanishedConversations).slice(0, 2));
  await pollLists(
    context,
    deletedConversations.filter(({ credential }) => credential === context.mainCredential),
  );
}

/** Reads deleted conversations through the other interface until that does not show them either. */
async function pollDeletedAcross(
  context: DriveContext,
  otherContext: DriveContext | undefined,
  conversations: readonly RunConversation[],
): Promise<void> {
  const probe = "delete-across";
  if (otherContext === undefined || !context.neededProbes.has(probe)) {
    return;
  }
  for (const conversation of conversations) {
    const id = conversation.otherId ?? otherContext.dialect.convertId(conversation.id);
    await (id === undefined
      ? undefined
      : pollUntilGone(otherContext, () => isReadable(otherContext, { ...conversation, id }, probe)));
  }
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
