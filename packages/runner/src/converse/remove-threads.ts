import { deletionPatienceMs } from "@assay/contract";
import type { Answer } from "./answer.ts";
import type { PlainCall } from "./dialect.ts";
import { legacyList } from "./legacy-dialect.ts";
import { listPage } from "./list-view.ts";
import { type Stage, ask, isDue, learnThread } from "./stage.ts";
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
async function lookUntilGone(stage: Stage, isShown: () => Promise<boolean>): Promise<boolean> {
  const { caller, clock } = stage;
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
async function remove(stage: Stage, thread: Thread): Promise<boolean> {
  const { credential } = thread;
  const answer = await ask(stage, "delete", { call: stage.dialect.delete(thread.id), credential });
  return answer !== undefined && isGone(answer);
}

/** Whether a look at a deleted conversation still shows it. */
async function isDelivered(stage: Stage, { id, credential }: Thread): Promise<boolean> {
  const answer = await ask(stage, "read-after-delete", { call: stage.dialect.get(id), credential });
  return answer?.kind === "success" && isMarked(stage.dialect.read(answer.json), stage.marker);
}

/** Whether the list of their user still shows any of these. */
async function isAnyListed(
  stage: Stage,
  threads: readonly Thread[],
  call: PlainCall = stage.dialect.list(),
): Promise<boolean> {
  const { dialect } = stage;
  const answer = await ask(stage, "read-after-delete", { call });
  const views = listPage(answer?.json, dialect.interface).entries.map((entry) => dialect.read(entry));
  return answer?.kind === "success" && threads.some((thread) => views.some((view) => isSameConversation(view, thread)));
}

/**
 * Looks at each conversation of the run once more, deletes it, and looks whether it is gone, and gone from the list. What is
 * still there, and what no answer showed with the mark of the run, is left to cleaning up.
 */
export async function removeThreads(stage: Stage): Promise<void> {
  const ours = stage.threads.filter(({ isOurs }) => isOurs);
  if (isDue(stage, "read-again")) {
    for (const thread of ours) {
      const answer = await ask(stage, "read-again", {
        call: stage.dialect.get(thread.id),
        credential: thread.credential,
      });
      if (answer !== undefined) {
        learnThread(stage, thread, answer);
      }
    }
  }
  const deleted: Thread[] = [];
  for (const thread of ours) {
    if (await remove(stage, thread)) {
      deleted.push(thread);
    }
  }
  await lookForDeleted(stage, deleted);
}

async function lookForDeleted(stage: Stage, deleted: readonly Thread[]): Promise<void> {
  const [first] = deleted;
  const isLeft = first !== undefined && (await lookUntilGone(stage, () => isDelivered(stage, first)));
  for (const thread of deleted) {
    // One was waited for: by then the others are gone as well.
    const isThere = thread === first ? isLeft : await isDelivered(stage, thread);
    if (!isThere && stage.caller.stop === undefined) {
      await stage.ledger.deleted(thread.key);
    }
  }
  if (first !== undefined && !isLeft) {
    await askDeleted(stage, first);
  }
  await lookForListed(
    stage,
    deleted.filter(({ credential }) => credential === stage.mainCredential),
  );
}

/** Looks whether lists still show any of these, and one by the read token of the first. */
async function lookForListed(stage: Stage, listed: readonly Thread[]): Promise<void> {
  const [first] = listed;
  if (first === undefined || !stage.needed.has("read-after-delete")) {
    return;
  }
  await lookUntilGone(stage, () => isAnyListed(stage, listed));
  const { readToken } = first.view;
  if (readToken !== undefined && stage.dialect.interface === "legacy") {
    const call = legacyList([["filter_read_token", readToken]]);
    await lookUntilGone(stage, () => isAnyListed(stage, [first], call));
  }
}

/** A question to what is gone; where it is taken, another one after what was deleted may not be there any more. */
async function askDeleted(stage: Stage, { id, credential }: Thread): Promise<void> {
  const { dialect, caller, budget, nextQuestion } = stage;
  const probe = "follow-up-after-delete";
  for (const waitMs of [0, lastLookMs]) {
    await caller.pause(waitMs);
    if (!isDue(stage, probe) || caller.distress !== undefined || budget.charge() !== undefined) {
      return;
    }
    const answer = await ask(stage, probe, {
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
