import { deletionPatienceMs } from "@assay/contract";
import { readList } from "@assay/reading";
import type { Answer } from "./answer.ts";
import type { PlainCall } from "./dialect.ts";
import { legacyList } from "./legacy-dialect.ts";
import { type DriveContext, ask, askTwice, isDue, learnThread } from "./drive-context.ts";
import { pollToEnd } from "./poll.ts";
import { addQuestion } from "./write-question.ts";
import { type Thread, isMarked, isSameConversation } from "./thread.ts";

/** Whether a deletion was answered with what means that nothing is there any more. */
export const isGone = ({ kind, status }: Answer): boolean => kind === "success" || status === 404;

/** Longer than what was deleted may still be shown, so that the last look comes too late for that. */
export const lastLookMs = deletionPatienceMs + 300;

/** Until the second look, and between all further ones. */
export const lookAgainMs = 700;

/**
 * Looks again and again until nothing is shown any more, or for the last time after what was deleted may not be shown any
 * more. Whether it was still shown then.
 */
async function lookUntilGone(context: DriveContext, isShown: () => Promise<boolean>): Promise<boolean> {
  const { caller, clock } = context;
  const sinceMs = clock.nowMicros() / 1000;
  while (await isShown()) {
    const leftMs = sinceMs + lastLookMs - clock.nowMicros() / 1000;
    if (leftMs <= 0 || caller.stop !== undefined) {
      return true;
    }
    await caller.pause(Math.min(lookAgainMs, Math.max(1, leftMs)));
  }
  return false;
}

/** Deletes a conversation; whether that was accepted. */
async function remove(context: DriveContext, thread: Thread): Promise<boolean> {
  const { credential } = thread;
  const answer = await askTwice(context, "delete", { call: context.dialect.delete(thread.id), credential });
  return answer !== undefined && isGone(answer);
}

/** Whether a look at a deleted conversation still shows it. */
async function isDelivered(context: DriveContext, { id, credential }: Thread): Promise<boolean> {
  const answer = await ask(context, "read-after-delete", { call: context.dialect.get(id), credential });
  return answer?.kind === "success" && isMarked(context.dialect.read(answer.json), context.marker);
}

/** Whether the list of their user still shows any of these. */
async function isAnyListed(
  context: DriveContext,
  threads: readonly Thread[],
  call: PlainCall = context.dialect.list(),
): Promise<boolean> {
  const { dialect } = context;
  const answer = await ask(context, "read-after-delete", { call });
  const listed = readList(dialect.interface, answer?.json)?.entries ?? [];
  const views = listed.map(({ json }) => dialect.read(json));
  return answer?.kind === "success" && threads.some((thread) => views.some((view) => isSameConversation(view, thread)));
}

/** A conversation of the main user that was answered, and that nothing was cancelled of. */
const answeredThread = ({ mainCredential, threads }: DriveContext): Thread | undefined =>
  threads.find(
    ({ isOurs, isFinished, credential, wasCancelled, view }) =>
      isOurs && isFinished && credential === mainCredential && wasCancelled === undefined && view.isAnswered === true,
  );

/**
 * Cancels a question that was answered: it is to stay as it is, as the next look shows, whatever the cancellation is answered
 * with. Nothing else is sent about it between the two.
 */
async function cancelLate(context: DriveContext): Promise<void> {
  const thread = answeredThread(context);
  const call = thread && context.dialect.cancel(thread.id, thread.view.lastQuestion);
  if (call !== undefined && isDue(context, "cancel-late")) {
    await askTwice(context, "cancel-late", { call });
  }
}

/**
 * A further question that is cancelled as soon as it is accepted: those before it are to stay as they are, whether they were
 * answered or, in the legacy interface, cancelled themselves. It comes last, since the conversation is no longer like others then.
 */
async function cancelFollowUps(context: DriveContext): Promise<void> {
  const { dialect, mainCredential, threads } = context;
  const cancelled = threads.find(
    ({ isOurs, isFinished, credential, wasCancelled }) =>
      isOurs && isFinished && credential === mainCredential && wasCancelled === true,
  );
  const those = [answeredThread(context), dialect.interface === "legacy" ? cancelled : undefined];
  const unless = [[those.every((thread) => thread === undefined), "no conversation of the run has ended"]] as const;
  if (isDue(context, "cancel-follow-up", { unless })) {
    for (const thread of those) {
      await (thread === undefined ? undefined : cancelFollowUp(context, thread));
    }
  }
}

async function cancelFollowUp(context: DriveContext, thread: Thread): Promise<void> {
  const probe = "cancel-follow-up";
  const { lastQuestion: before } = thread.view;
  if (!(await addQuestion(context, thread, probe))) {
    return;
  }
  const { credential, id, view } = thread;
  const isTold = view.lastQuestion === undefined || view.lastQuestion !== before;
  const call = isTold ? context.dialect.cancel(id, view.lastQuestion) : undefined;
  if (call !== undefined) {
    thread.wasCancelled = true;
    await ask(context, probe, { call, credential });
    await pollToEnd(context, { probe, thread, sessions: [`${context.dialect.interface}-${credential}`] });
  }
}

/**
 * Looks at each conversation of the run once more, deletes it, and looks whether it is gone, and gone from the list. What is
 * still there, and what no answer showed with the mark of the run, is left to cleaning up.
 */
export async function removeThreads(context: DriveContext): Promise<void> {
  const ours = context.threads.filter(({ isOurs }) => isOurs);
  await cancelLate(context);
  if (isDue(context, "read-again")) {
    for (const thread of ours) {
      const answer = await ask(context, "read-again", {
        call: context.dialect.get(thread.id),
        credential: thread.credential,
      });
      if (answer !== undefined) {
        learnThread(context, thread, answer);
      }
    }
  }
  await cancelFollowUps(context);
  const deleted: Thread[] = [];
  for (const thread of ours) {
    if (await remove(context, thread)) {
      deleted.push(thread);
    }
  }
  await lookForDeleted(context, deleted);
}

async function lookForDeleted(context: DriveContext, deleted: readonly Thread[]): Promise<void> {
  const shown = new Set(deleted);
  await lookUntilGone(context, async () => {
    for (const thread of shown) {
      if (!(await isDelivered(context, thread))) {
        shown.delete(thread);
      }
    }
    return shown.size > 0;
  });
  const gone = context.caller.stop === undefined ? deleted.filter((thread) => !shown.has(thread)) : [];
  for (const thread of gone) {
    await context.ledger.deleted(thread.key);
  }
  const [first] = gone;
  if (first !== undefined) {
    await askDeleted(context, first);
  }
  await lookForListed(
    context,
    deleted.filter(({ credential }) => credential === context.mainCredential),
  );
}

/** Looks whether lists still show any of these, and those by the id and by the read token of the first. */
async function lookForListed(context: DriveContext, listed: readonly Thread[]): Promise<void> {
  const [first] = listed;
  if (first === undefined || !context.needed.has("read-after-delete")) {
    return;
  }
  await lookUntilGone(context, () => isAnyListed(context, listed));
  if (context.dialect.interface === "legacy") {
    const { readToken } = first.view;
    const byToken = readToken === undefined ? [] : [legacyList([["filter_read_token", readToken]])];
    for (const call of [legacyList([["filter_id", first.id]]), ...byToken]) {
      await lookUntilGone(context, () => isAnyListed(context, [first], call));
    }
  }
}

/** A question to what is gone; where it is taken, another one after what was deleted may not be there any more. */
async function askDeleted(context: DriveContext, { id, credential }: Thread): Promise<void> {
  const { dialect, caller, budget, nextQuestion } = context;
  const probe = "follow-up-after-delete";
  for (const waitMs of [0, lastLookMs]) {
    await caller.pause(waitMs);
    if (!isDue(context, probe) || caller.distress !== undefined || budget.charge() !== undefined) {
      return;
    }
    const answer = await ask(context, probe, {
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
