import { type DriveContext, ask, isDue } from "./drive-context.ts";

/** How many reads are on their way at the same moment. */
const readsAtOnce = 4;

/**
 * Reads conversations of the run all at the same moment, in turn until there are four reads, so that a target which keeps
 * what it answers in a place that calls share is seen to. With one conversation nothing could be mixed up, and nothing is sent.
 */
export async function readInParallel(context: DriveContext): Promise<void> {
  const { threads, mainCredential: credential, dialect } = context;
  const ours = threads.filter((thread) => thread.isOurs && thread.credential === credential).slice(-readsAtOnce);
  if (ours.length < 2 || !isDue(context, "parallel-reads")) {
    return;
  }
  const inTurn = Array.from({ length: readsAtOnce }, (_, index) => ours[index % ours.length] ?? []).flat();
  await Promise.all(
    inTurn.map(({ id }, index) => {
      const session = `${dialect.interface}-parallel-${index + 1}`;
      return ask(context, "parallel-reads", { call: dialect.get(id), session });
    }),
  );
}
