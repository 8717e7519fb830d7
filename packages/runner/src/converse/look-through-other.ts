import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
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
  const waiting: Late[] = [];
  for (const { id, credential, wasCancelled } of finished) {
    const known = stage.dialect.fromOther(id);
    const answer = known === undefined ? undefined : await lookOnce(stage, { id: known, credential });
    if (isElsewhere(stage, answer)) {
      strange.add(credential);
    } else if (known !== undefined && wasCancelled === undefined && isProcessing(stage, answer)) {
      waiting.push({ id: known, credential });
    }
  }
  for (const credential of strange) {
    await lookByQuestion(stage, credential, sessionOf(stage, credential));
  }
  await Promise.all(waiting.map((late) => lookUntilEnded(stage, late)));
}

const lookOnce = (stage: Stage, { id, credential }: Late): Promise<Answer | undefined> =>
  ask(stage, "migration", { call: stage.dialect.get(id), credential, session: sessionOf(stage, credential) });

/** Whether the other interface seems to call a conversation otherwise: it knows none of that id, or another one. */
const isElsewhere = ({ dialect, marker }: Stage, answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer.kind === "refused" ||
  (answer.kind === "success" && !isMarked(dialect.read(answer.json), marker));

/** A conversation that is finished in one interface and still processing in the other. */
interface Late {
  readonly id: string;
  readonly credential: CredentialKind;
}

const isProcessing = (stage: Stage, answer: Answer | undefined): boolean => {
  const view = answer?.kind === "success" ? stage.dialect.read(answer.json) : undefined;
  return view?.state === "processing" && isMarked(view, stage.marker);
};

/**
 * Reads a conversation again until it is seen to have ended, or for as long as a question is waited for; the last look, after
 * that, is a probe of its own.
 */
async function lookUntilEnded(stage: Stage, { id, credential }: Late): Promise<void> {
  const { caller, clock, dialect, limits } = stage;
  const session = sessionOf(stage, credential);
  const endMs = clock.nowMicros() / 1000 + limits.questionDeadlineMs;
  for (let isOver = false; !isOver && caller.stop === undefined;) {
    const leftMs = endMs - clock.nowMicros() / 1000;
    isOver = leftMs <= 0;
    await caller.pause(Math.min(limits.maxPollMs, Math.max(0, leftMs)));
    const probe = isOver ? "migration-late" : "migration";
    if (!isProcessing(stage, await ask(stage, probe, { call: dialect.get(id), credential, session }))) {
      return;
    }
  }
}

const sessionOf = ({ dialect }: Stage, credential: CredentialKind): string =>
  `${dialect.interface}-migration-${credential}`;
