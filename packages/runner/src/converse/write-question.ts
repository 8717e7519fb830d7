import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";
import {
  type DriveContext,
  type UnsentReason,
  sendProbe,
  updateConversation,
  createUnsentReason,
  recordSkipped,
  findStopReason,
} from "./drive-context.ts";
import { type RunConversation, isMarked } from "./run-conversation.ts";

/** Charges a question, or records why the probe is not sent. */
export function tryToCharge(context: DriveContext, probe: ConversationProbeId): boolean {
  const { budget, listener } = context;
  const reason = chargeBudget(context);
  if (reason === undefined) {
    listener?.questionAsked?.(budget.askedCount, budget.maxQuestions);
  } else {
    recordSkipped(context, probe, reason);
  }
  return reason === undefined;
}

/** Charges a question unless it cannot be asked. Returns the reason if it cannot. */
function chargeBudget(context: DriveContext): UnsentReason | undefined {
  const { caller, budget } = context;
  const stopReason = findStopReason(context);
  if (stopReason !== undefined) {
    return stopReason;
  }
  if (budget.readOnlyReason !== undefined) {
    return createUnsentReason(budget.readOnlyReason);
  }
  const { distress } = caller;
  if (distress !== undefined) {
    return { ...distress, reason: `no more questions are asked because ${distress.reason}` };
  }
  const reason = budget.charge();
  return reason === undefined ? undefined : { cause: "budget", reason };
}

interface Creation {
  readonly probe: ConversationProbeId;
  readonly call: PlainCall;
  readonly credential: CredentialKind;
}

/** Reports whether there was never a connection, so the request cannot have arrived. */
const wasNeverSent = ({ kind, draft }: Answer): boolean =>
  kind === "broken" && draft.times.connectedAtMicros === undefined;

/**
 * Sends a call that may create a conversation, whether it should or not. The ledger records it before and after the call. The entry
 * stays open unless the answer shows that nothing was created.
 */
export async function sendCreation(
  context: DriveContext,
  { probe, call, credential }: Creation,
): Promise<{ readonly answer: Answer; readonly key: string } | undefined> {
  const { ledger, marker, dialect } = context;
  const key = await ledger.recordIntent({ marker, interface: dialect.interface, credential });
  const answer = await sendProbe(context, probe, { call, credential });
  if (answer === undefined) {
    await ledger.recordNothing(key);
    return undefined;
  }
  const { id } = answer.kind === "success" ? dialect.read(answer.json) : {};
  if (answer.kind === "refused" || wasNeverSent(answer)) {
    await ledger.recordNothing(key);
  } else if (id !== undefined) {
    await ledger.recordCreated(key, id);
  }
  return { answer, key };
}

/** Asks the first question of a new conversation. Returns the answer, if any, and the conversation, if the answer has its id. */
export async function createConversation(
  context: DriveContext,
  probe: ConversationProbeId,
  {
    question,
    credential = context.mainCredential,
  }: { readonly question: string; readonly credential?: CredentialKind },
): Promise<{ readonly answer?: Answer; readonly conversation?: RunConversation }> {
  if (!tryToCharge(context, probe)) {
    return {};
  }
  const creation = await sendCreation(context, {
    probe,
    call: context.dialect.create(question),
    credential,
  });
  if (creation === undefined) {
    return {};
  }
  const { answer, key } = creation;
  const view = context.dialect.read(answer.json);
  if (answer.kind !== "success" || view.id === undefined) {
    return { answer };
  }
  const hasRunMark = isMarked(view, context.marker);
  const conversation: RunConversation = {
    id: view.id,
    credential,
    key,
    view,
    hasRunMark,
    isFinished: false,
    questionCount: 1,
  };
  context.conversations.push(conversation);
  return { answer, conversation };
}

/** Asks a further question. Returns true if it was accepted. */
export async function askFollowUp(
  context: DriveContext,
  conversation: RunConversation,
  probe: ConversationProbeId = "follow-up",
): Promise<boolean> {
  if (!tryToCharge(context, probe)) {
    return false;
  }
  const { credential } = conversation;
  const call = context.dialect.followUp(conversation.id, context.nextQuestion());
  const answer = await sendProbe(context, probe, { call, credential });
  if (answer === undefined || answer.kind !== "success") {
    // A target does no work for a refused question.
    if (answer?.kind === "refused") {
      context.budget.refund();
    }
    return false;
  }
  conversation.questionCount += 1;
  conversation.isFinished = false;
  updateConversation(context, conversation, answer);
  return true;
}
