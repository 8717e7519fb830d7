import type { CredentialKind } from "@assay/evidence";
import { findMarked } from "./find-marked.ts";
import { type Stage, ask, askerOf, isDue } from "./stage.ts";
import { isMarked } from "./thread.ts";

/** Reads what the list of an interface shows to be of the run and was not created through it, whatever it is called there. */
async function lookByQuestion(stage: Stage, credential: CredentialKind, session: string): Promise<void> {
  const { caller, dialect, ledger, marker, threads } = stage;
  const asker = askerOf(stage, "migration", { credential, session });
  const since = ledger.entries()[0]?.at ?? new Date(stage.nowMs()).toISOString();
  const known = new Set(threads.map(({ id }) => id));
  const found = await findMarked(caller, { asker, dialect, marker, since, known });
  for (const id of found?.ids ?? []) {
    await ask(stage, "migration", { call: dialect.get(id), credential, session });
  }
}

/**
 * Reads each finished conversation of one interface through the other, as the user who created it. Where names do not hold the
 * numbers of ids, it is looked for by its question. Source: conversation-api, section 9.
 */
export async function lookThroughOther(stage: Stage, other: Stage): Promise<void> {
  const finished = other.threads.filter(({ isFinished, isOurs }) => isFinished && isOurs);
  const unless = [[finished.length === 0, "no finished conversation of the other interface is there"]] as const;
  if (!isDue(stage, "migration", { unless })) {
    return;
  }
  const strange = new Set<CredentialKind>();
  for (const { id, credential } of finished) {
    const known = stage.dialect.fromOther(id);
    const session = sessionOf(stage, credential);
    const answer =
      known === undefined
        ? undefined
        : await ask(stage, "migration", { call: stage.dialect.get(known), credential, session });
    if (known === undefined || answer?.kind === "refused") {
      strange.add(credential);
    } else if (answer?.kind === "success" && !isMarked(stage.dialect.read(answer.json), stage.marker)) {
      strange.add(credential);
    }
  }
  for (const credential of strange) {
    await lookByQuestion(stage, credential, sessionOf(stage, credential));
  }
}

const sessionOf = ({ dialect }: Stage, credential: CredentialKind): string =>
  `${dialect.interface}-migration-${credential}`;
