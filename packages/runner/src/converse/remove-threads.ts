import type { Answer } from "./answer.ts";
import { type Stage, ask, isDue, learnThread } from "./stage.ts";
import type { Thread } from "./thread.ts";

/** Whether a deletion was answered with what means that nothing is there any more. */
export const isGone = ({ kind, status }: Answer): boolean => kind === "success" || status === 404;

async function remove(stage: Stage, thread: Thread): Promise<boolean> {
  const { credential } = thread;
  const answer = await ask(stage, "delete", { call: stage.dialect.delete(thread.id), credential });
  const isDeleted = answer !== undefined && isGone(answer);
  if (isDeleted) {
    await stage.ledger.deleted(thread.key);
  }
  return isDeleted;
}

/**
 * Looks at each conversation of the run once more, deletes it, and looks once at the first that was deleted. What no answer
 * showed with the mark of the run is left to cleaning up.
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
  let isFirst = true;
  for (const thread of ours) {
    if ((await remove(stage, thread)) && isFirst && stage.needed.has("read-after-delete")) {
      isFirst = false;
      await ask(stage, "read-after-delete", { call: stage.dialect.get(thread.id), credential: thread.credential });
    }
  }
}
