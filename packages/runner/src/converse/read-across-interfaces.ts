import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import { findMarkedConversations } from "./find-marked-conversations.ts";
import { type DriveContext, sendProbe, createOrigin, isDue } from "./drive-context.ts";
import { isMarked } from "./run-conversation.ts";

/** Finds conversations of the run that were created through the other interface in this interface's list, and reads them by their ids there. */
async function readByQuestion(context: DriveContext, credential: CredentialKind, session: string): Promise<void> {
  const { caller, dialect, ledger, marker, conversations } = context;
  const origin = createOrigin(context, "migration", { credential, session });
  const createdAfter = ledger.entries()[0]?.at ?? new Date(context.nowMs()).toISOString();
  const knownIds = new Set(conversations.map(({ id }) => id));
  const markedConversations = await findMarkedConversations(caller, {
    origin,
    dialect,
    marker,
    createdAfter,
    knownIds,
  });
  for (const id of markedConversations?.ids ?? []) {
    await sendProbe(context, "migration", { call: dialect.get(id), credential, session });
  }
}

/**
 * Reads each finished conversation of one interface through the other, as the user who created it. If names do not contain the numeric
 * ids, the conversation is found by its question. Source: conversation-api, section 9.
 */
export async function readAcrossInterfaces(context: DriveContext, otherContext: DriveContext): Promise<void> {
  const finishedConversations = otherContext.conversations.filter(
    ({ isFinished, hasRunMark }) => isFinished && hasRunMark,
  );
  const missingPreconditions = [
    [finishedConversations.length === 0, "no conversation of the other interface has finished"],
  ] as const;
  if (!isDue(context, "migration", { missingPreconditions })) {
    return;
  }
  const credentialsWithOtherIds = new Set<CredentialKind>();
  const unfinishedReads: LateConversation[] = [];
  for (const conversation of finishedConversations) {
    const { id, credential, wasCancelled } = conversation;
    const otherId = context.dialect.convertId(id);
    const answer = otherId === undefined ? undefined : await readOnce(context, { id: otherId, credential });
    if (hasOtherId(context, answer)) {
      credentialsWithOtherIds.add(credential);
    } else if (otherId !== undefined && answer?.kind === "success") {
      conversation.otherId = otherId;
      if (wasCancelled === undefined && isProcessing(context, answer)) {
        unfinishedReads.push({ id: otherId, credential });
      }
    }
  }
  for (const credential of credentialsWithOtherIds) {
    await readByQuestion(context, credential, createSessionName(context, credential));
  }
  await Promise.all(unfinishedReads.map((conversation) => readUntilEnded(context, conversation)));
}

const readOnce = (context: DriveContext, { id, credential }: LateConversation): Promise<Answer | undefined> =>
  sendProbe(context, "migration", {
    call: context.dialect.get(id),
    credential,
    session: createSessionName(context, credential),
  });

/** Reports whether a conversation seems to have a different id in this interface: the converted id is unknown here or belongs to another conversation. */
const hasOtherId = ({ dialect, marker }: DriveContext, answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer.kind === "refused" ||
  (answer.kind === "success" && !isMarked(dialect.read(answer.json), marker));

/** A conversation that is finished in one interface and still processing in the other. */
interface LateConversation {
  readonly id: string;
  readonly credential: CredentialKind;
}

const isProcessing = (context: DriveContext, answer: Answer | undefined): boolean => {
  const view = answer?.kind === "success" ? context.dialect.read(answer.json) : undefined;
  return view?.state === "processing" && isMarked(view, context.marker);
};

/** Reads a conversation until it has ended, or until the deadline of a question. The read at the deadline belongs to the probe `migration-late`. */
async function readUntilEnded(context: DriveContext, { id, credential }: LateConversation): Promise<void> {
  const { caller, clock, dialect, limits } = context;
  const session = createSessionName(context, credential);
  const endMs = clock.nowMicros() / 1000 + limits.questionDeadlineMs;
  for (let isOver = false; !isOver && caller.stop === undefined;) {
    const remainingMs = endMs - clock.nowMicros() / 1000;
    isOver = remainingMs <= 0;
    await caller.pause(Math.min(limits.maxPollMs, Math.max(0, remainingMs)));
    const probe = isOver ? "migration-late" : "migration";
    if (!isProcessing(context, await sendProbe(context, probe, { call: dialect.get(id), credential, session }))) {
      return;
    }
  }
}

const createSessionName = ({ dialect }: DriveContext, credential: CredentialKind): string =>
  `${dialect.interface}-migration-${credential}`;
