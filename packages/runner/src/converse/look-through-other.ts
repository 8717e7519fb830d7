import { type Stage, ask, isDue } from "./stage.ts";

/**
 * Reads each finished conversation of one interface through the other, as the user who created it. Source: conversation-api,
 * section 9.
 */
export async function lookThroughOther(stage: Stage, other: Stage): Promise<void> {
  const finished = other.threads.filter(({ isFinished, isOurs }) => isFinished && isOurs);
  const unless = [[finished.length === 0, "no finished conversation of the other interface is there"]] as const;
  if (!isDue(stage, "migration", { unless })) {
    return;
  }
  for (const { id, credential } of finished) {
    const known = stage.dialect.fromOther(id);
    if (known !== undefined) {
      const session = `${stage.dialect.interface}-migration-${credential}`;
      await ask(stage, "migration", { call: stage.dialect.get(known), credential, session });
    }
  }
}
